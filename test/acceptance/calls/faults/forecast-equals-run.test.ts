// A forecast equals what then happens, attempt by attempt, until something happens that nobody could foresee.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forecastDay } from '../../../harness/simulation/forecast-day.ts';
import { isSoak } from '../../../harness/soak.ts';

const days = isSoak ? 300 : 25;

for (const hasFaults of [false, true])
  test(`on ${hasFaults ? 'days with faults every difference has a fault as its cause' : 'calm days the forecast equals the run'}`, async () => {
    let attempts = 0;
    for (let seed = 1; seed <= days; seed++) {
      const day = await forecastDay(seed, hasFaults);
      assert.deepEqual(day.differences, []);
      attempts += day.attempts;
    }
    assert.ok(attempts > days, `${attempts} attempts were foreseen`);
  });
