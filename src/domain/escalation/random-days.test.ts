// Random days of calling, judged by checkers that share no function with the engine: storms, joins, changes of duty and priority,
// providers that flap, restarts, and wakes that get lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkers } from '../../../test/harness/escalation/judge.ts';
import { planted } from '../../../test/harness/escalation/planted/defects.ts';
import { runDay } from '../../../test/harness/escalation/run-day.ts';
import { isSoak, soak } from '../../../test/harness/soak.ts';

for (const [dropped, days] of [
  [0, soak(50)],
  [0.3, soak(20)],
  [1, soak(20)],
] as const)
  test(`on ${days} random days with ${dropped * 100} % of the wakes lost nobody is left uncalled`, () => {
    for (let seed = 1; seed <= days; seed++) assert.deepEqual(runDay(seed, { dropped }).violations, [], `seed ${seed}`);
  });

const tried = planted.filter(({ isSlow = false }) => isSoak || !isSlow);

for (const { name, checker, seed, engine } of tried)
  test(`the checker ${checker} finds a planted defect: ${name}`, () => {
    const { violations } = runDay(seed, { dropped: 0, engine });
    assert.ok(
      violations.some((violation) => violation.startsWith(`${checker}:`)),
      violations.join('\n'),
    );
  });

test('on the days of the planted defects the engine itself has none', () => {
  for (const seed of new Set(tried.map((one) => one.seed)))
    assert.deepEqual(runDay(seed, { dropped: 0 }).violations, [], `seed ${seed}`);
});

test('there is a planted defect for each checker', () => {
  const found = new Set(planted.map(({ checker }) => checker));
  assert.deepEqual(
    Object.keys(checkers).filter((name) => !found.has(name)),
    [],
  );
});
