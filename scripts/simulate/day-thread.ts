// A thread of `npm run simulate`: it is sent seeds, lives the day of each, and sends what it found.

import { parentPort, workerData } from 'node:worker_threads';
import { type DayKind, dayKinds, type LivedDay } from './day-kinds.ts';

const { kind, dropped } = workerData as { readonly kind: DayKind; readonly dropped: number };

parentPort?.on('message', async (seed: number) => parentPort?.postMessage(await live(seed)));

async function live(seed: number): Promise<LivedDay> {
  try {
    return await dayKinds[kind](seed, dropped);
  } catch (error) {
    const what = error instanceof Error ? error.stack : String(error);
    return { seed, counts: {}, violations: [`day: it threw: ${what}`] };
  }
}
