// How long after an alarm is sent it reaches 1,000 clients, at 100 alarms a second.

import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../test/harness/until.ts';
import type { Subject } from '../server.ts';
import { ask } from './asking.ts';
import { listen } from './listener.ts';
import type { Latencies, Told } from './load.ts';
import { raise, type Stage } from './stage.ts';
import { now } from './time.ts';

const clients = 1_000;
const aSecond = 100;
const seconds = 20;
const barMs = 250;

/** When each alarm was sent, by its path; sent in time however slowly the answers come. */
async function raiseEvenly(tocsin: Subject): Promise<ReadonlyMap<string, number>> {
  const sentAt = new Map<string, number>();
  const answers: Promise<unknown>[] = [];
  const begin = now();
  for (let n = 0; n < aSecond * seconds; n++) {
    await pause(Math.max(0, begin + (1_000 * n) / aSecond - now()));
    const path = `Latency/Pump${n}`;
    sentAt.set(path, now());
    answers.push(raise(tocsin, path));
  }
  await Promise.all(answers);
  return sentAt;
}

/** Whether the bar is held. */
export async function latency(stage: Stage): Promise<boolean> {
  const tocsin = await stage.tocsin();
  const order = await listen(stage, tocsin);
  const load = await stage.connectionLimit(tocsin, clients);
  await ask(load, 'begin', { noteTimes: true });
  const alarms = aSecond * seconds;
  const allTold = ask<Told>(load, 'untilTold', clients * alarms);
  const sentAt = await raiseEvenly(tocsin);
  await allTold;
  await until(
    () => order.length,
    (count) => count === alarms,
  );
  // All are told in the order of the log.
  const inOrder = order.map(({ path }) => sentAt.get(path) ?? 0);
  const { p50, p99, most } = await ask<Latencies>(load, 'latencies', inOrder);
  console.log(
    `latency: ${aSecond} alarms a second, ${clients} clients, ${seconds} s: p50 ${p50.toFixed(1)} ms, ` +
      `p99 ${p99.toFixed(1)} ms, most ${most.toFixed(1)} ms, bar p99 ${barMs} ms`,
  );
  return p99 < barMs;
}
