// Tests raise-counts.ts: nothing is lost when counts are spread, and windows count what is in them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countsBetween, spread, stepAt } from './raise-counts.ts';

test('counts are spread over their span and none is lost', () => {
  const counts = spread([
    { from: 0, to: 600_000, count: 7 },
    { from: 600_000, to: 630_000, count: 200 },
  ]);
  assert.deepEqual([countsBetween(counts, 0, 600_000), countsBetween(counts, 600_000, 630_000)], [7, 200]);
  assert.equal(countsBetween(counts, 0, 300_000), 3);
  assert.equal(stepAt(19_999), 10_000);
});
