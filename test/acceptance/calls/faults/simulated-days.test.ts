// Simulates days with crashes, unreliable providers and people who answer or do not, and checks that no cause is lost, no
// attempt repeated needlessly, and no calling ended untaken while somebody on the way up was not called. `npm run simulate -- --seeds 1000` runs more days; `--seed 17` repeats one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulateDay } from '../../../harness/simulation/simulation.ts';
import { soak } from '../../../harness/soak.ts';

// `npm run simulate -- --seeds 1000` lives through more; `--seed 17` through one again.
const days = soak(30);

test(`in ${days} simulated days no cause is lost, and each attempt in flight at a crash is repeated at most once`, async () => {
  let again = 0;
  let untakenCauses = 0;
  let expiredCauses = 0;
  for (let seed = 1; seed <= days; seed++) {
    const { violations, extra, untaken, expired } = await simulateDay(seed);
    assert.deepEqual(violations, [], `seed ${seed}`);
    again += extra;
    untakenCauses += untaken;
    expiredCauses += expired;
  }
  assert.ok(again > 0, 'crashes that hit nothing in flight prove nothing');
  assert.ok(
    untakenCauses > 0 && expiredCauses > 0,
    'days without untaken alarms and expired acknowledgements prove nothing',
  );
});

test('the same seed simulates the same day', async () => {
  assert.deepEqual(await simulateDay(7), await simulateDay(7));
});
