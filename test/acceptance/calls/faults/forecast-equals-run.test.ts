// A forecast equals what then happens, attempt by attempt, until something happens that nobody could foresee. `npm run
// simulate:explain -- --seeds 1000` compares more organisations.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forecastDay } from '../../../harness/simulation/forecast-day.ts';
import { isSoak } from '../../../harness/soak.ts';

const all = Array.from({ length: 1_000 }, (_, index) => index + 1);
/** On the calm day the limits of a day are reached. The soak has a thousand organisations. */
const few = { calm: [11], faulty: [14] };

for (const hasFaults of [false, true])
  test(`on ${hasFaults ? 'days with faults every difference has a fault as its cause' : 'calm days the forecast equals the run'}`, async () => {
    const seeds = isSoak ? all : hasFaults ? few.faulty : few.calm;
    let attempts = 0;
    for (const seed of seeds) {
      const day = await forecastDay(seed, hasFaults);
      assert.deepEqual(day.differences, []);
      attempts += day.attempts;
    }
    assert.ok(attempts > seeds.length, `${attempts} attempts were foreseen`);
  });
