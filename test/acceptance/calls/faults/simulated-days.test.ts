// Simulates days with crashes, unreliable providers and people who answer or do not, and checks that no cause is lost
// and no attempt repeated needlessly. `npm run simulate -- --seeds 1000` runs more days; `--seed 17` repeats one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulateDay } from '../../../harness/simulation.ts';
import { soak } from '../../../harness/soak.ts';

// `npm run simulate -- --seeds 1000` lives through more; `--seed 17` through one again.
const days = soak(30);

test(`in ${days} simulated days no cause is lost, and each attempt in flight at a crash is repeated at most once`, async () => {
  let again = 0;
  for (let seed = 1; seed <= days; seed++) {
    const { violations, extra } = await simulateDay(seed);
    assert.deepEqual(violations, [], `seed ${seed}`);
    again += extra;
  }
  assert.ok(again > 0, 'crashes that hit nothing in flight prove nothing');
});

test('the same seed simulates the same day', async () => {
  assert.deepEqual(await simulateDay(7), await simulateDay(7));
});
