// Cuts the TCP connections of 50 stock clients 1,000 times at random while alarms are sent, and counts lost and
// repeated alarms.

import { setTimeout as pause } from 'node:timers/promises';
import { AlarmFlow } from '../../test/harness/hub/cut-client.ts';
import { startCutClients } from '../../test/harness/hub/cut-clients.ts';
import { randomFrom } from '../seed/year.ts';
import { raise, type Stage } from './stage.ts';

const clientsOfKind = {
  ...{ feed: 7, stateful: 10, 'by position': 11, plain: 8 },
  ...{ classic: 6, 'classic by events': 4, 'classic by polls': 4 },
} as const;
const cutsEach = 20;
/** Pause between alarms: five at once make 50 a second. */
const pauseMs = 100;

/** Returns whether the bar is met. */
export async function cuts(stage: Stage): Promise<boolean> {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  const random = randomFrom(seed);
  const tocsin = await stage.tocsin();
  const flow = new AlarmFlow(async (path) => Promise.all([raise(tocsin, path), pause(pauseMs)]));
  const clients = await startCutClients(clientsOfKind, tocsin.url, tocsin.token, flow);
  stage.onEnd(() => Promise.all([flow.end(), ...clients.map((client) => client.stop())]));
  flow.begin();
  await Promise.all(clients.map((client) => client.suffer(cutsEach, random)));
  await Promise.all(clients.map((client) => client.settle()));
  await flow.untilNext();
  const last = await flow.end();
  for (const client of clients) await client.untilHeard(last);
  const faults = clients.flatMap((client) => client.faults(last).map((fault) => `${client.kind}: ${fault}`));
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`);
  const unplaced = clients.reduce((sum, client) => sum + client.heardUnplaced, 0);
  console.log(
    `cuts: SEED=${seed}, ${clients.length} clients, ${clients.length * cutsEach} cuts, ${last} alarms: ` +
      `${faults.length} faults; ${unplaced} heard by clients that were cut before they had said where to go on`,
  );
  return faults.length === 0;
}
