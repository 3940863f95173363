// Failed sign-ins cost growing time, never for ever.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Attempts, afterFailure, delayOf, forgetAfterMs } from './sign-in-throttle.ts';

function failures(count: number, at = 0): Attempts {
  let attempts: Attempts | undefined;
  for (let n = 0; n < count; n++) attempts = afterFailure(attempts, at);
  return attempts ?? { failures: 0, lastAt: at };
}

const cases: readonly [failed: number, seconds: number][] = [
  [0, 0],
  [4, 0],
  [5, 1],
  [6, 2],
  [7, 4],
  [13, 256],
  [14, 300],
  [1_000_000, 300],
];

for (const [failed, seconds] of cases) {
  test(`after ${failed} mistakes from one address the account waits ${seconds} s`, () => {
    const attempts = failed > 100 ? { failures: failed, lastAt: 0 } : failures(failed);
    assert.equal(delayOf('accountAndAddress', attempts, 0), seconds * 1_000);
  });
}

test('an address alone may err fifty times, whoever it tries to be', () => {
  assert.equal(delayOf('address', failures(49), 0), 0);
  assert.equal(delayOf('address', failures(50), 0), 1_000);
});

test('the wait runs down, and after a quarter of an hour of quiet all is forgotten', () => {
  const attempts = failures(8);
  assert.equal(delayOf('accountAndAddress', attempts, 3_000), 5_000);
  assert.equal(delayOf('accountAndAddress', attempts, 8_000), 0);
  assert.equal(delayOf('accountAndAddress', { failures: 99, lastAt: 0 }, forgetAfterMs), 0);
  assert.deepEqual(afterFailure({ failures: 99, lastAt: 0 }, forgetAfterMs), { failures: 1, lastAt: forgetAfterMs });
});
