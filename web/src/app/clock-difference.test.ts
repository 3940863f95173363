// Tests clock-difference.ts: a clock that is right differs by less than the server's second.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { differenceOf } from './clock-difference.ts';

test('a right clock does not differ, one that is a minute fast differs by a minute', () => {
  assert.equal(differenceOf(10_000, 10_400, 10_600), 0);
  assert.equal(differenceOf(10_000, 70_400, 70_600), 60_000);
});
