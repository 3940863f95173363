// Simulates days of calling by seed, on the real operations and a database in memory, and reports every day on which a checker
// found something: `npm run simulate -- --seeds 1000`, `--from 500` to begin there, or `--seed 17` for one again.

import { parseArgs } from 'node:util';
import { type SimulatedDay, simulateDay } from '../test/harness/simulation/simulation.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
});
const seeds =
  values.seed === undefined
    ? Array.from({ length: Number(values.seeds) }, (_, index) => index + Number(values.from))
    : [Number(values.seed)];

const counted = ['alarms', 'attempts', 'decisions', 'dropped', 'crashes', 'repeated', 'clockSteps'] as const;
const totals = { alarms: 0, attempts: 0, decisions: 0, dropped: 0, crashes: 0, repeated: 0, clockSteps: 0, failed: 0 };
const byChecker = new Map<string, number>();
for (const seed of seeds) {
  const day = await simulateDay(seed);
  for (const name of counted) totals[name] += day[name];
  if (day.violations.length > 0) report(day);
}
console.log(
  `${seeds.length} days: ${totals.alarms} causes, ${totals.attempts} attempts, ${totals.decisions} decisions, ${totals.dropped} wakes dropped, ${totals.clockSteps} steps of the clock, ${totals.crashes} crashes, ${totals.repeated} attempts made again after one; ${totals.failed} days with violations`,
);
for (const [name, days] of byChecker) console.log(`  ${name}: ${days} days`);
process.exitCode = totals.failed === 0 ? 0 : 1;

function report({ seed, violations }: SimulatedDay): void {
  totals.failed++;
  for (const name of new Set(violations.map((one) => one.split(':')[0] ?? '')))
    byChecker.set(name, (byChecker.get(name) ?? 0) + 1);
  const shown = values.seed === undefined ? violations.slice(0, 10) : violations;
  console.log(`seed ${seed}: ${violations.length} violations\n  ${shown.join('\n  ')}`);
}
