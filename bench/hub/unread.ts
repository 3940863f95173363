// Lets 100 of 1,000 clients stop reading while 500 alarms a second are sent, and measures the memory of the server and how
// soon the others are told.

import { setTimeout as pause } from 'node:timers/promises';
import type { Subject } from '../server.ts';
import { ask } from './asking.ts';
import { listen } from './listener.ts';
import type { Latencies, Received } from './load.ts';
import { raise, type Stage } from './stage.ts';
import { now } from './time.ts';

const readers = 900;
const unreadClients = 100;
const alarmsPerSecond = 500;
const seconds = 60;
const barMiB = 64;
const barMs = 1_000;
/** Lets the aftermath of connecting settle. */
const restMs = 2_000;

async function connections({ url, token }: Subject): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  return Number(/^tocsin_hub_connections (\d+)$/m.exec(await response.text())?.[1]);
}

/** Returns whether the bars are met. */
export async function unread(stage: Stage): Promise<boolean> {
  const tocsin = await stage.tocsin();
  const order = await listen(stage, tocsin);
  const load = await stage.lightClients(tocsin, readers);
  const silent = await stage.lightClients(tocsin, unreadClients);
  // The first alarms pay for what every later one uses.
  for (let n = 0; n < 2 * alarmsPerSecond; n++) await raise(tocsin, `Before/Pump${n}`);
  await pause(restMs);
  const resident = async () => (await ask<number>(tocsin.process, 'memory')) / 1_024 / 1_024;
  const before = await resident();
  const all = await connections(tocsin);
  await ask(silent, 'stopReading');
  await ask(load, 'begin', { noteTimes: true });
  const heardBefore = order.length;
  const alarms = alarmsPerSecond * seconds;
  const allReceived = ask<Received>(load, 'untilReceived', readers * alarms);
  const sentAt = new Map<string, number>();
  const responses: Promise<unknown>[] = [];
  let most = 0;
  let firstCutAt = 0;
  const begin = now();
  for (let n = 0; n < alarms; n++) {
    await pause(Math.max(0, begin + (1_000 * n) / alarmsPerSecond - now()));
    const path = `Unread/Pump${n}`;
    sentAt.set(path, now());
    responses.push(raise(tocsin, path));
    if (n % alarmsPerSecond === 0 && firstCutAt === 0 && (await connections(tocsin)) < all) firstCutAt = now() - begin;
    if (n % (5 * alarmsPerSecond) === 0) most = Math.max(most, await resident());
  }
  await Promise.all(responses);
  const after = await resident();
  await allReceived;
  const cut = all - (await connections(tocsin));
  const inOrder = order.slice(heardBefore).map(({ path }) => sentAt.get(path) ?? 0);
  const { p50, p99 } = await ask<Latencies>(load, 'latencies', inOrder);
  const lost = await ask<number>(load, 'lost');
  console.log(
    `unread: ${unreadClients} of ${readers + unreadClients} clients do not read, ${alarms} alarms in ` +
      `${((now() - begin) / 1_000).toFixed(0)} s: resident memory grew by ${(most - before).toFixed(0)} MiB, ` +
      `${(after - before).toFixed(0)} MiB at the end, bar ${barMiB} MiB; ${cut} of those were cut, the first after ` +
      `${(firstCutAt / 1_000).toFixed(0)} s; the others missed ` +
      `none, ${lost} of them were cut, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, bar ${barMs} ms`,
  );
  return most - before <= barMiB && p99 <= barMs && lost === 0;
}
