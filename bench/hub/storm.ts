// Sends 4,000 alarms within about a second and counts how many reach a listening client of each kind, on loopback and
// over a link of 2 Mbit/s.

import { setTimeout as pause } from 'node:timers/promises';
import { startSlowLink } from '../../packages/signalr/test/harness/slow-link.ts';
import { type StormClient, startStormClient, stormKinds } from '../../test/harness/hub/storm-clients.ts';
import type { Subject } from '../server.ts';
import { alarmBody, type Stage } from './stage.ts';
import { now } from './time.ts';

const batches = 4;
const batchSize = 1_000;
const alarms = batches * batchSize;
/** Two Mbit/s in bytes. */
const slowBytesPerSecond = 250_000;
/** A client that receives nothing for this long receives no more. */
const quietMs = 20_000;

type Storm = { readonly clients: readonly StormClient[]; readonly tookMs: number };

async function postBatch({ url, token }: Subject, batch: number): Promise<void> {
  const bodies = Array.from({ length: batchSize }, (_, index) => alarmBody(`Storm/Pump${batch * batchSize + index}`));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1/alarms/batch`, {
    ...{ method: 'POST', headers },
    body: JSON.stringify(bodies),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`A batch was not taken: ${response.status} ${text.slice(0, 300)}`);
}

async function untilQuiet(clients: readonly StormClient[]): Promise<void> {
  let heard = -1;
  let heardAt = now();
  while (now() - heardAt < quietMs) {
    const total = clients.reduce((sum, client) => sum + client.heard.length, 0);
    if (total >= alarms * clients.length) return;
    if (total !== heard) heardAt = now();
    heard = total;
    await pause(50);
  }
}

/** All kinds at once where `bytesPerSecond` is undefined, for then only the server is to be slow. */
async function runStorm(stage: Stage, bytesPerSecond: number | undefined): Promise<Storm> {
  const tocsin = await stage.tocsin();
  const clients: StormClient[] = [];
  for (const kind of stormKinds) {
    let { url } = tocsin;
    if (bytesPerSecond !== undefined) {
      const link = await startSlowLink(Number(new URL(url).port), bytesPerSecond);
      stage.onEnd(() => link.stop());
      url = `http://127.0.0.1:${link.port}`;
    }
    const after = (end?: unknown) => stage.onEnd(end as () => unknown);
    clients.push(await startStormClient({ after }, kind, url, tocsin.token));
  }
  const begin = now();
  await Promise.all(Array.from({ length: batches }, (_, batch) => postBatch(tocsin, batch)));
  const tookMs = now() - begin;
  await untilQuiet(clients);
  return { clients, tookMs };
}

/** Returns whether every client received every alarm once. */
export async function storm(stage: Stage): Promise<boolean> {
  let isWhole = true;
  for (const rate of [undefined, slowBytesPerSecond]) {
    const { clients, tookMs } = await runStorm(stage, rate);
    const link = rate === undefined ? 'loopback' : `${(rate * 8) / 1e6} Mbit/s`;
    console.log(`storm: ${alarms} alarms taken in ${(tookMs / 1_000).toFixed(2)} s, ${link}:`);
    for (const { kind, heard, breaks } of clients) {
      const distinct = new Set(heard).size;
      isWhole &&= distinct === alarms && heard.length === alarms;
      console.log(`  ${kind}: ${distinct} of ${alarms}, ${heard.length - distinct} twice, cut ${breaks} times`);
    }
  }
  return isWhole;
}
