// What an idle connection costs in memory, as a ratio to a bare WebSocket server in the same run.

import { setTimeout as pause } from 'node:timers/promises';
import type { Subject } from '../server.ts';
import { ask } from './asking.ts';
import type { Stage } from './stage.ts';

const clients = 5_000;
const barTimes = 3;
/** For what connecting left behind to be over. */
const restMs = 2_000;

/** Resident bytes for each connection, without garbage. */
async function perConnection(stage: Stage, subject: Subject): Promise<number> {
  // The first hundred bring code and buffers that are there once for all.
  await stage.crowd(subject, 100);
  const before = await ask<number>(subject.process, 'memory');
  await stage.crowd(subject, clients);
  await pause(restMs);
  const after = await ask<number>(subject.process, 'memory');
  return (after - before) / clients;
}

/** Whether the bar is held. */
export async function memory(stage: Stage): Promise<boolean> {
  const bare = await perConnection(stage, await stage.bareServer());
  const tocsin = await perConnection(stage, await stage.tocsin());
  const ratio = tocsin / bare;
  console.log(
    `memory: ${(bare / 1024).toFixed(1)} KiB a connection bare, ${(tocsin / 1024).toFixed(1)} KiB Tocsin with ` +
      `${clients} idle clients: ${ratio.toFixed(2)} times, bar ${barTimes}`,
  );
  return ratio <= barTimes;
}
