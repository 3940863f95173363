// Tests key-expiry.ts: a key about to expire is announced thirty, seven and one day before, once each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueWarning } from './key-expiry.ts';

const day = 86_400_000;
const expiry = 1_000 * day;

const cases: readonly [daysLeft: number, warned: number | undefined, due: number | undefined][] = [
  [31, undefined, undefined],
  [30, undefined, 30],
  [29, 30, undefined],
  [7, 30, 7],
  [6.5, 7, undefined],
  [1, 7, 1],
  [0.5, 1, undefined],
  [0.5, undefined, 1],
  [0, undefined, undefined],
  [-1, 7, undefined],
];

for (const [daysLeft, warned, due] of cases) {
  test(`${daysLeft} days left, warned at ${warned ?? 'never'}: ${due ?? 'nothing'} is due`, () => {
    assert.equal(dueWarning(expiry, warned, expiry - daysLeft * day), due);
  });
}
