// Simulates days of calling by seed and reports every day on which an invariant was violated: `npm run simulate --
// --seeds 1000`, or `--seed 17` to repeat one.

import { parseArgs } from 'node:util';
import { simulateDay } from '../test/harness/simulation/simulation.ts';

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '100' }, seed: { type: 'string' } } });
const seeds =
  values.seed === undefined
    ? Array.from({ length: Number(values.seeds) }, (_, index) => index + 1)
    : [Number(values.seed)];

const totals = { alarms: 0, requests: 0, crashes: 0, extra: 0, untaken: 0, expired: 0, failed: 0 };
for (const seed of seeds) {
  const { alarms, requests, crashes, extra, untaken, expired, violations } = await simulateDay(seed);
  totals.alarms += alarms;
  totals.requests += requests;
  totals.crashes += crashes;
  totals.extra += extra;
  totals.untaken += untaken;
  totals.expired += expired;
  if (violations.length === 0) continue;
  totals.failed++;
  console.log(`seed ${seed}: ${violations.length} violations\n  ${violations.slice(0, 10).join('\n  ')}`);
}
console.log(
  `${seeds.length} days: ${totals.alarms} alarms, ${totals.requests} attempts, ${totals.crashes} crashes, ${totals.extra} attempts made again after one, ${totals.expired} calls because an acknowledgement expired, ${totals.untaken} that ended untaken with everybody on the way up called; ${totals.failed} days with violations`,
);
process.exitCode = totals.failed === 0 ? 0 : 1;
