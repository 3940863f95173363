// Measures how long one alarm takes to reach 10,000 clients, and how long it blocks the event loop meanwhile.

import { setTimeout as pause } from 'node:timers/promises';
import { ask } from './asking.ts';
import type { Received } from './load.ts';
import type { LongestTurn } from './probe.ts';
import { broadcast, median, type Stage } from './stage.ts';
import { now } from './time.ts';

const clients = 10_000;
const broadcasts = 10;
const barMs = 20;
/** Lets the aftermath of connecting settle. */
const restMs = 2_000;

/** Returns whether the bar is met. */
export async function reach(stage: Stage): Promise<boolean> {
  const tocsin = await stage.tocsin();
  const load = await stage.lightClients(tocsin, clients);
  await pause(restMs);
  const times: number[] = [];
  const turns: LongestTurn[] = [];
  for (let n = 0; n < broadcasts; n++) {
    await ask(load, 'begin', { noteTimes: false });
    await ask(tocsin.process, 'watch');
    const begin = now();
    const allReceived = ask<Received>(load, 'untilReceived', clients);
    await broadcast(tocsin, 1);
    times.push((await allReceived).lastAt - begin);
    turns.push(await ask<LongestTurn>(tocsin.process, 'longest'));
  }
  const cpuMs = Math.max(...turns.map((turn) => turn.cpuMs));
  const wall = turns.map((turn) => turn.wallMs);
  console.log(
    `reach: ${clients} clients told within ${median(times).toFixed(0)} ms (most ${Math.max(...times).toFixed(0)} ms); ` +
      `longest turn of ${broadcasts} broadcasts ${cpuMs.toFixed(1)} ms of processor, ` +
      `${Math.max(...wall).toFixed(1)} ms by the clock (median ${median(wall).toFixed(1)} ms), bar ${barMs} ms`,
  );
  return cpuMs <= barMs && (await ask<number>(load, 'lost')) === 0;
}
