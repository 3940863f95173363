// Tests sign-in-throttle.ts: failed sign-ins cause growing but limited delays.

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
  test(`after ${failed} failures from one address the account waits ${seconds} s`, () => {
    const attempts = failed > 100 ? { failures: failed, lastAt: 0 } : failures(failed);
    assert.equal(delayOf('accountAndAddress', attempts, 0), seconds * 1_000);
  });
}

test('an address alone may fail fifty times before a delay, across all accounts', () => {
  assert.equal(delayOf('address', failures(49), 0), 0);
  assert.equal(delayOf('address', failures(50), 0), 1_000);
});

test('the delay runs down, and failures are forgotten after fifteen minutes without attempts', () => {
  const attempts = failures(8);
  assert.equal(delayOf('accountAndAddress', attempts, 3_000), 5_000);
  assert.equal(delayOf('accountAndAddress', attempts, 8_000), 0);
  assert.equal(delayOf('accountAndAddress', { failures: 99, lastAt: 0 }, forgetAfterMs), 0);
  assert.deepEqual(afterFailure({ failures: 99, lastAt: 0 }, forgetAfterMs), { failures: 1, lastAt: forgetAfterMs });
});
