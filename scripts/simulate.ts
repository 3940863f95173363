// Lives simulated days by seed in several threads, and reports every day on which a checker found something:
// `npm run simulate -- --seeds 1000`, `--from 500` to begin there, `--seed 17` for one again, `--minutes 3` for as many as that takes,
// `--threads 1` for fewer than there are cores; days of the engine alone: `npm run simulate:engine`, `--dropped 0.3` to lose wakes.

import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { type DayKind, dayKinds, type LivedDay } from './simulate/day-kinds.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    minutes: { type: 'string' },
    threads: { type: 'string', default: String(availableParallelism()) },
    dropped: { type: 'string', default: '0' },
  },
});
const kind = kindOf(positionals[0] ?? 'calls');
const first = Number(values.seed ?? values.from);
const most = values.seed === undefined ? mostDays() : 1;
const end = values.minutes === undefined ? Number.POSITIVE_INFINITY : Date.now() + Number(values.minutes) * 60_000;

const totals = new Map<string, number>();
const failedBy = new Map<string, number>();
let begun = 0;
let failed = 0;

await Promise.all(Array.from({ length: Math.min(Number(values.threads), most) }, () => liveInThread()));

const counted = [...totals].map(([what, count]) => `${count} ${what}`);
console.log(`${begun} days from seed ${first}: ${counted.join(', ')}; ${failed} days with violations`);
for (const [checker, days] of failedBy) console.log(`  ${checker}: ${days} days`);
process.exitCode = failed === 0 ? 0 : 1;

function kindOf(name: string): DayKind {
  if (Object.hasOwn(dayKinds, name)) return name as DayKind;
  throw new Error(`There are no days of ${name}, only of ${Object.keys(dayKinds).join(', ')}.`);
}

function mostDays(): number {
  return Number(values.seeds ?? (values.minutes === undefined ? 100 : Number.POSITIVE_INFINITY));
}

async function liveInThread(): Promise<void> {
  const workerData = { kind, dropped: Number(values.dropped) };
  const thread = new Worker(new URL('simulate/day-thread.ts', import.meta.url), { workerData });
  while (begun < most && Date.now() < end) {
    thread.postMessage(first + begun++);
    const [day] = await once(thread, 'message');
    note(day);
  }
  await thread.terminate();
}

function note({ seed, counts, violations }: LivedDay): void {
  for (const [what, count] of Object.entries(counts)) totals.set(what, (totals.get(what) ?? 0) + count);
  if (violations.length === 0) return;
  failed++;
  for (const checker of new Set(violations.map((one) => one.split(':')[0] ?? '')))
    failedBy.set(checker, (failedBy.get(checker) ?? 0) + 1);
  const shown = values.seed === undefined ? violations.slice(0, 10) : violations;
  console.log(`seed ${seed}: ${violations.length} violations\n  ${shown.join('\n  ')}`);
}
