// Measures how long after it is sent an alarm reaches 1,000 clients, at 100 alarms a second.

import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../test/harness/until.ts';
import type { Subject } from '../server.ts';
import { ask } from './asking.ts';
import { listen } from './listener.ts';
import type { Latencies, Received } from './load.ts';
import { raise, type Stage } from './stage.ts';
import { now } from './time.ts';

const clients = 1_000;
const alarmsPerSecond = 100;
const seconds = 20;
const barMs = 250;

/** Returns when each alarm was sent, by its path; alarms are sent on time however slow the responses are. */
async function raiseEvenly(tocsin: Subject): Promise<ReadonlyMap<string, number>> {
  const sentAt = new Map<string, number>();
  const responses: Promise<unknown>[] = [];
  const begin = now();
  for (let n = 0; n < alarmsPerSecond * seconds; n++) {
    await pause(Math.max(0, begin + (1_000 * n) / alarmsPerSecond - now()));
    const path = `Latency/Pump${n}`;
    sentAt.set(path, now());
    responses.push(raise(tocsin, path));
  }
  await Promise.all(responses);
  return sentAt;
}

/** Returns whether the bar is met. */
export async function latency(stage: Stage): Promise<boolean> {
  const tocsin = await stage.tocsin();
  const order = await listen(stage, tocsin);
  const load = await stage.lightClients(tocsin, clients);
  await ask(load, 'begin', { noteTimes: true });
  const alarms = alarmsPerSecond * seconds;
  const allReceived = ask<Received>(load, 'untilReceived', clients * alarms);
  const sentAt = await raiseEvenly(tocsin);
  await allReceived;
  await until(
    () => order.length,
    (count) => count === alarms,
  );
  // Every client receives the alarms in the order of the log.
  const inOrder = order.map(({ path }) => sentAt.get(path) ?? 0);
  const { p50, p99, most } = await ask<Latencies>(load, 'latencies', inOrder);
  console.log(
    `latency: ${alarmsPerSecond} alarms a second, ${clients} clients, ${seconds} s: p50 ${p50.toFixed(1)} ms, ` +
      `p99 ${p99.toFixed(1)} ms, most ${most.toFixed(1)} ms, bar p99 ${barMs} ms`,
  );
  return p99 < barMs;
}
