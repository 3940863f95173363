// A forecast equals what then happens, attempt by attempt, until something happens that nobody could foresee.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forecastDay } from '../../../harness/simulation/forecast-day.ts';
import { isSoak } from '../../../harness/soak.ts';

/**
 * Each day takes one to two seconds. Of the first 25, these notice most for their time: a forecast that forgot recent attempts
 * differs on days 2 and 10, one that forgot whose turn it is on day 14 alone, one that forgot since when a phone rings on 1,
 * 2 and 10, and with faults on 6 and 10.
 */
const seeds = isSoak ? Array.from({ length: 300 }, (_, index) => index + 1) : [1, 2, 6, 10, 14];

for (const hasFaults of [false, true])
  test(`on ${hasFaults ? 'days with faults every difference has a fault as its cause' : 'calm days the forecast equals the run'}`, async () => {
    let attempts = 0;
    for (const seed of seeds) {
      const day = await forecastDay(seed, hasFaults);
      assert.deepEqual(day.differences, []);
      attempts += day.attempts;
    }
    assert.ok(attempts > seeds.length, `${attempts} attempts were foreseen`);
  });
