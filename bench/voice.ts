// Measures how evenly calls send and what a call costs, for 1, 10 and 30 calls at once: `npm run bench:voice`. The peers are
// sessions in another thread, which send as well.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { MediaSession } from '@tocsin/sip';

const address = '127.0.0.1';
const seconds = 20;
const timerMs = 10;
const callCounts = [1, 10, 30];

/** Times between the packets of each call, in milliseconds, as they arrived. */
type Arrivals = { readonly intervals: readonly number[]; readonly packets: number };

type LoopDelay = ReturnType<typeof monitorEventLoopDelay>;

async function placeCalls(count: number): Promise<void> {
  const worker = new Worker(new URL(import.meta.url));
  const reply = <T>(message: unknown): Promise<T> =>
    new Promise((resolve) => {
      worker.once('message', resolve);
      worker.postMessage(message);
    });
  const sessions = await Promise.all(Array.from({ length: count }, () => MediaSession.open({ address })));
  const answers = await reply<string[]>(sessions.map((session) => session.offer()));
  for (const [index, session] of sessions.entries()) session.accept(answers[index] ?? '');
  const prompt = Int16Array.from({ length: 8000 * seconds }, () => (Math.random() - 0.5) * 20_000);
  const delay = monitorEventLoopDelay({ resolution: timerMs });
  delay.enable();
  const before = process.threadCpuUsage();
  const begin = performance.now();
  await Promise.all(sessions.map((session) => session.play(prompt)));
  const elapsedMs = performance.now() - begin;
  const { user, system } = process.threadCpuUsage(before);
  delay.disable();
  const { intervals, packets } = await reply<Arrivals>('stop');
  for (const session of sessions) session.close();
  await worker.terminate();
  print(count, { intervals, packets }, (user + system) / 1000 / elapsedMs, delay);
}

function print(count: number, { intervals, packets }: Arrivals, processor: number, delay: LoopDelay): void {
  const jitter = intervals.map((interval) => Math.abs(interval - 20)).sort((one, other) => one - other);
  const at = (share: number): string => (jitter[Math.floor((jitter.length - 1) * share)] ?? Number.NaN).toFixed(2);
  const calls = `${count} ${count === 1 ? 'call ' : 'calls'}`.padStart(8);
  console.log(
    `${calls}: ${packets} packets in ${seconds} s, jitter p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, largest ${at(1)} ms; ` +
      `processor ${((processor * 100) / count).toFixed(2)} % of a core per call, ${(processor * 100).toFixed(1)} % in all; ` +
      // A machine that is busy with other things delays every timer, not only ours.
      `any timer was late by p99 ${lateMs(delay.percentile(99))} ms, at most ${lateMs(delay.max)} ms`,
  );
}

function lateMs(nanoseconds: number): string {
  return Math.max(0, nanoseconds / 1e6 - timerMs).toFixed(2);
}

/** The peers: they answer, listen, and note when each packet came. */
function answerCalls(port: NonNullable<typeof parentPort>): void {
  const intervals: number[] = [];
  let packets = 0;
  const answer = async (offer: string): Promise<string> => {
    const session = await MediaSession.open({ address });
    let last = Number.NaN;
    session.on('audio', () => {
      const now = performance.now();
      packets++;
      if (!Number.isNaN(last)) intervals.push(now - last);
      last = now;
    });
    return session.answer(offer);
  };
  port.on('message', async (message: readonly string[] | 'stop') => {
    port.postMessage(message === 'stop' ? { intervals, packets } : await Promise.all(message.map(answer)));
  });
}

if (!isMainThread && parentPort !== null) answerCalls(parentPort);
else for (const count of callCounts) await placeCalls(count);
