// What an idle connection costs in memory, as a ratio to a bare WebSocket server in the same run.

import { setTimeout as pause } from 'node:timers/promises';
import type { Subject } from '../server.ts';
import { ask } from './asking.ts';
import type { Stage } from './stage.ts';

/** Connected one after the other; the first is there to bring what is needed once for all. */
const crowds = [100, 5_000, 5_000] as const;
const barTimes = 3;
/** For what connecting left behind to be over. */
const restMs = 2_000;

/** Resident KiB for each connection, without garbage: of all of them, and of the last connectionLimit alone. */
type Cost = { readonly each: number; readonly eachMore: number };

async function costOf(stage: Stage, subject: Subject): Promise<Cost> {
  const held: number[] = [];
  for (const count of crowds) {
    await stage.connectionLimit(subject, count);
    await pause(restMs);
    held.push((await ask<number>(subject.process, 'memory')) / 1024);
  }
  const [base = 0, before = 0, all = 0] = held;
  return { each: (all - base) / (crowds[1] + crowds[2]), eachMore: (all - before) / crowds[2] };
}

/** Whether the bar is held. */
export async function memory(stage: Stage): Promise<boolean> {
  const bare = await costOf(stage, await stage.bareServer());
  const tocsin = await costOf(stage, await stage.tocsin());
  const ratio = tocsin.each / bare.each;
  console.log(
    `memory: ${bare.each.toFixed(1)} KiB a connection bare, ${tocsin.each.toFixed(1)} KiB Tocsin with ` +
      `${crowds[1] + crowds[2]} idle clients: ${ratio.toFixed(2)} times, bar ${barTimes} ` +
      `(the last ${crowds[2]} of them ${bare.eachMore.toFixed(1)} and ${tocsin.eachMore.toFixed(1)} KiB)`,
  );
  return ratio <= barTimes;
}
