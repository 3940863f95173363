// Restarts the server with 1,000 stock clients connected and checks that all reconnect by themselves.

import { until } from '../../test/harness/until.ts';
import { ask } from './asking.ts';
import { ended, raise, type Stage } from './stage.ts';
import type { Standing } from './stock-clients.ts';
import { now } from './time.ts';

const processes = 2;
const clientsEach = 500;
const withinMs = 60_000;

/** Returns whether the bar is met. */
export async function restart(stage: Stage): Promise<boolean> {
  const folder = await stage.folder();
  const before = await stage.tocsin({ folder });
  const groups = Array.from({ length: processes }, () => stage.clients('stock-clients.ts'));
  await Promise.all(
    groups.map((group) => ask(group, 'connect', { ...before, process: undefined, count: clientsEach })),
  );
  const stoppedAt = now();
  await ended(before.process, 'SIGTERM');
  const goneAt = now();
  const after = await stage.tocsin({ folder, port: Number(new URL(before.url).port) });
  const readyAt = now();
  const all = () => Promise.all(groups.map((group) => ask<Standing>(group, 'standing')));
  const isBack = ({ connected, returns }: Standing) => connected === clientsEach && returns === clientsEach;
  const standings = await until(all, (found) => found.every((one) => isBack(one) || one.givenUp > 0), withinMs);
  const path = await raise(after);
  const heard = await until(
    async () => (await Promise.all(groups.map((group) => ask<number>(group, 'heard', path)))).reduce((a, b) => a + b),
    (count) => count >= processes * clientsEach,
  );
  const lastAt = Math.max(...standings.map(({ lastReturnAt }) => lastReturnAt));
  console.log(
    `restart: ${standings.reduce((sum, { returns }) => sum + returns, 0)} of ${processes * clientsEach} published clients ` +
      `back by themselves, the last ${((lastAt - stoppedAt) / 1_000).toFixed(1)} s after the server was told to stop ` +
      `(it had stopped after ${((goneAt - stoppedAt) / 1_000).toFixed(1)} s and was ready again after ` +
      `${((readyAt - stoppedAt) / 1_000).toFixed(1)} s); ${heard} heard the next alarm`,
  );
  return standings.every(isBack) && heard === processes * clientsEach;
}
