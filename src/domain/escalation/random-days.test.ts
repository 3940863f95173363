// Random days of calling, judged by checkers that share no function with the engine: storms, joins, changes of duty and priority,
// providers that flap, restarts, and wakes that get lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planted } from '../../../test/harness/escalation/planted-defects.ts';
import { runDay } from '../../../test/harness/escalation/run-day.ts';
import { soak } from '../../../test/harness/soak.ts';

for (const [dropped, days] of [
  [0, soak(50)],
  [0.3, soak(20)],
  [1, soak(20)],
] as const)
  test(`on ${days} random days with ${dropped * 100} % of the wakes lost nobody is left uncalled`, () => {
    for (let seed = 1; seed <= days; seed++) assert.deepEqual(runDay(seed, { dropped }).violations, [], `seed ${seed}`);
  });

for (const { name, checker, seed, engine } of planted)
  test(`the checker ${checker} finds a planted defect: ${name}`, () => {
    const { violations } = runDay(seed, { dropped: 0, engine });
    assert.ok(
      violations.some((violation) => violation.startsWith(`${checker}:`)),
      violations.join('\n'),
    );
  });
