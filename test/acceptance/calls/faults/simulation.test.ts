// Simulated days with crashes, lying providers and people who answer or do not: nothing lost, nothing too often.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulateDay } from '../../../harness/simulation.ts';
import { soak } from '../../../harness/soak.ts';

// `npm run simulate -- --seeds 1000` lives through more; `--seed 17` through one again.
const days = soak(30);

test(`${days} simulated days: no cause lost, at most one more attempt for each in flight at a crash`, async () => {
  let again = 0;
  for (let seed = 1; seed <= days; seed++) {
    const { violations, extra } = await simulateDay(seed);
    assert.deepEqual(violations, [], `seed ${seed}`);
    again += extra;
  }
  assert.ok(again > 0, 'crashes that hit nothing in flight prove nothing');
});

test('the same seed is the same day', async () => {
  assert.deepEqual(await simulateDay(7), await simulateDay(7));
});
