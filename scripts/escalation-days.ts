// Tries the engine that decides whom to call on random days by seed, and reports every day on which a checker found
// something: `node scripts/escalation-days.ts --seeds 1000`, `--seed 17` for one again, `--dropped 0.3` to lose wakes.

import { parseArgs } from 'node:util';
import { runDay } from '../test/harness/escalation/run-day.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    dropped: { type: 'string', default: '0' },
  },
});
const seeds =
  values.seed === undefined
    ? Array.from({ length: Number(values.seeds) }, (_, index) => index + Number(values.from))
    : [Number(values.seed)];

const totals = { alarms: 0, attempts: 0, decisions: 0, dropped: 0, late: 0, restarts: 0, failed: 0 };
const byChecker = new Map<string, number>();
for (const seed of seeds) {
  const { counts, violations } = runDay(seed, { dropped: Number(values.dropped) });
  totals.alarms += counts.alarms;
  totals.attempts += counts.attempts;
  totals.decisions += counts.decisions;
  totals.dropped += counts.dropped;
  totals.late += counts.late;
  totals.restarts += counts.restarts;
  if (violations.length === 0) continue;
  totals.failed++;
  for (const name of new Set(violations.map((one) => one.split(':')[0] ?? '')))
    byChecker.set(name, (byChecker.get(name) ?? 0) + 1);
  const shown = values.seed === undefined ? violations.slice(0, 10) : violations;
  console.log(`seed ${seed}: ${violations.length} violations\n  ${shown.join('\n  ')}`);
}
console.log(
  `${seeds.length} days: ${totals.alarms} alarms, ${totals.attempts} attempts, ${totals.decisions} decisions, ${totals.dropped} wakes dropped, ${totals.late} late, ${totals.restarts} restarts; ${totals.failed} days with violations`,
);
for (const [name, days] of byChecker) console.log(`  ${name}: ${days} days`);
process.exitCode = totals.failed === 0 ? 0 : 1;
