// Simulates days with crashes, unreliable providers, lost wakes, set clocks and people who answer or do not, by the operations of
// the server, and has the checkers of the calling engine judge the rows they leave. `npm run simulate -- --seeds 1000` runs more
// days; `--seed 17` repeats one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulateDay } from '../../../harness/simulation/simulation.ts';
import { isSoak } from '../../../harness/soak.ts';

const days = isSoak ? 40 : 2;

test(`in ${days} simulated days the rows of calls keep every rule, and no attempt in flight at a crash is repeated twice`, async () => {
  const totals = { attempts: 0, crashes: 0, dropped: 0 };
  for (let seed = 1; seed <= days; seed++) {
    const { violations, attempts, crashes, dropped } = await simulateDay(seed);
    assert.deepEqual(violations, [], `seed ${seed}`);
    totals.attempts += attempts;
    totals.crashes += crashes;
    totals.dropped += dropped;
  }
  for (const [what, count] of Object.entries(totals)) assert.ok(count > 0, `days without ${what} prove nothing`);
});

test('the same seed simulates the same day', async () => {
  assert.deepEqual(await simulateDay(3), await simulateDay(3));
});
