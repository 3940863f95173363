// Measures the memory of an idle connection, as a ratio to a bare WebSocket server in the same run.

import { setTimeout as pause } from 'node:timers/promises';
import type { Subject } from '../server.ts';
import { ask } from './asking.ts';
import type { Stage } from './stage.ts';

/** Connected one group after another; the first group pays the one-time costs. */
const groups = [100, 5_000, 5_000] as const;
const barTimes = 3;
/** Lets the aftermath of connecting settle. */
const restMs = 2_000;

/** Resident KiB per connection, after garbage collection: of all connections, and of the last group alone. */
type Cost = { readonly each: number; readonly eachMore: number };

async function costOf(stage: Stage, subject: Subject): Promise<Cost> {
  const held: number[] = [];
  for (const count of groups) {
    await stage.lightClients(subject, count);
    await pause(restMs);
    held.push((await ask<number>(subject.process, 'memory')) / 1024);
  }
  const [base = 0, before = 0, all = 0] = held;
  return { each: (all - base) / (groups[1] + groups[2]), eachMore: (all - before) / groups[2] };
}

/** Returns whether the bar is met. */
export async function memory(stage: Stage): Promise<boolean> {
  const bare = await costOf(stage, await stage.bareServer());
  const tocsin = await costOf(stage, await stage.tocsin());
  const ratio = tocsin.each / bare.each;
  console.log(
    `memory: ${bare.each.toFixed(1)} KiB a connection bare, ${tocsin.each.toFixed(1)} KiB Tocsin with ` +
      `${groups[1] + groups[2]} idle clients: ${ratio.toFixed(2)} times, bar ${barTimes} ` +
      `(the last ${groups[2]} of them ${bare.eachMore.toFixed(1)} and ${tocsin.eachMore.toFixed(1)} KiB)`,
  );
  return ratio <= barTimes;
}
