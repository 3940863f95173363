// Measures the processor time of deciding on calls and of writing what was decided, with many open alarms: `npm run bench:decide`, or
// another number of alarms: `npm run bench:decide 20000`.

import { carryOut } from '../src/operations/calls/engine/carry-out.ts';
import { ChangedCalls } from '../src/operations/calls/engine/changes/changed-calls.ts';
import { decideCalls, decideChangedCalls } from '../src/operations/calls/engine/decide-calls.ts';
import { openTriesOf } from '../src/operations/calls/engine/open-tries.ts';
import { othersCalled } from '../src/operations/calls/engine/others-called.ts';
import { type AttemptRow, selectLiveAttempts, triesOf } from '../src/operations/calls/engine/rows/attempt-rows.ts';
import { insertCauses } from '../src/operations/calls/engine/rows/escalation-rows.ts';
import { slicesOf } from '../src/operations/calls/engine/split-plan.ts';
import type { Operation, Query } from '../src/store/store.ts';
import { chanceOf } from '../test/harness/chance.ts';
import { randomOrganisation } from '../test/harness/escalation/organisation.ts';
import { settle } from '../test/harness/simulation/stored-organisation.ts';
import { MemoryStore } from '../test/harness/stores/memory-store.ts';

const alarms = Number(process.argv[2] ?? 5_000);
const raises = 20;
const seed = 3;
const mostDecisions = 50;

type Cause = Parameters<typeof insertCauses>[1][number];

const addCauses: Operation<readonly Cause[], void> = {
  name: 'add-causes',
  run: (tx, _now, causes) => insertCauses(tx, causes),
};

type Called = { readonly now: number; readonly attempt: AttemptRow };

const liveCalls: Query<object, readonly AttemptRow[]> = {
  name: 'live-calls',
  run: (tx) => tx.all(selectLiveAttempts, {}),
};
const openFor: Query<Called, unknown> = {
  name: 'open-for',
  run: (tx, { now, attempt }) => openTriesOf(tx, now, attempt),
};
const others: Query<Called, unknown> = {
  name: 'others',
  run: (tx, { now, attempt }) =>
    othersCalled(tx, now, attempt.user_id, [...new Set(triesOf(attempt).map(({ causeId }) => causeId))]),
};

const store = new MemoryStore();
const begin = Date.UTC(2026, 9, 22, 12);
const { snapshot } = await settle(store, randomOrganisation(chanceOf(seed)), seed, begin);
const groups = [...snapshot.groups.keys()];
const changed = decideChangedCalls(new ChangedCalls());
const times = new Map<string, number[]>();

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  times.set(what, [...(times.get(what) ?? []), (user + system) / 1000]);
  return result;
}

/** Decides until nothing is left to be done. */
async function decideAt(now: number, what: string): Promise<void> {
  for (let n = 0; n < mostDecisions; n++) {
    const { plan } = await timed(`${what}: decide on what has changed`, () =>
      store.read(changed, { now, isOfAll: false }),
    );
    await timed(`${what}: decide on all`, () => store.read(decideCalls, { now }));
    if (plan === undefined) return;
    for (const slice of slicesOf(plan))
      await timed(`${what}: write a part`, () => store.write(carryOut, now, { plan: slice, node: 'sqlite' }));
  }
}

function causeAt(now: number, n: number): Cause {
  const target = { target_kind: 'group', target_id: groups[n % groups.length] ?? 0, station_id: 1 };
  const none = { alarm_id: null, history_id: null, message_id: null, short_text: '', origin: '', is_transitory: 0 };
  const about = { priority: 2 + (n % 2), text: `alarm ${n}`, created_at: now, due_at: now };
  return { kind: 'alarm', list: 'alarm', ...target, ...none, ...about };
}

await store.write(
  addCauses,
  begin,
  Array.from({ length: alarms }, (_, n) => causeAt(begin, n)),
);
await decideAt(begin, `${alarms} at once`);
for (let n = 0; n < raises; n++) {
  const now = begin + 700 * (n + 1);
  await store.write(addCauses, now, [causeAt(now, alarms + n)]);
  await decideAt(now, 'one more');
}
for (const attempt of (await store.read(liveCalls, {})).flatMap((one) => Array.from({ length: raises }, () => one))) {
  const now = begin + 700 * (raises + 2);
  await timed('a call is answered: what is open for its person', () => store.read(openFor, { now, attempt }));
  await timed('a person declines: whether others are called', () => store.read(others, { now, attempt }));
}
console.log(`${alarms} alarms, ${groups.length} groups, ${snapshot.people.size} people; processor time in ms:`);
for (const [what, ms] of times) {
  const sorted = ms.toSorted((one, other) => one - other);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  console.log(
    `  ${what.padEnd(45)} ${String(ms.length).padStart(4)} times, p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}`,
  );
}
store.close();
