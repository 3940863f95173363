// Tests moment.ts: neither a clock that is set back nor one that stands still hides that nothing came.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passedSince } from './moment.ts';

const news = { wall: 1_000_000, steady: 5_000 };

test('silence is as long after the clock of the machine was set back, and after it has slept', () => {
  assert.equal(passedSince(news, { wall: 1_030_000, steady: 35_000 }), 30_000);
  assert.equal(passedSince(news, { wall: 1_000_000 - 86_400_000, steady: 35_000 }), 30_000);
  assert.equal(passedSince(news, { wall: 1_600_000, steady: 5_001 }), 600_000);
  assert.equal(passedSince(news, { wall: 900_000, steady: 5_000 }), 0);
});
