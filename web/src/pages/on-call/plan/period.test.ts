// Tests period.ts: weeks of the plant's clock, also those in which it changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateName, planPeriod, shifted, weekNumber } from './period.ts';

const paris = 'Europe/Paris';
const at = (text: string): number => Date.parse(text);

test('a week begins on Monday at midnight of the plant', () => {
  const { from, to, days } = planPeriod('week', at('2026-11-18T02:12Z'), paris);
  assert.deepEqual([from, to], [at('2026-11-15T23:00Z'), at('2026-11-22T23:00Z')]);
  assert.deepEqual(
    days.map(({ isWeekend }) => isWeekend),
    [false, false, false, false, false, true, true],
  );
  assert.equal(planPeriod('week', at('2026-11-15T23:30Z'), paris).from, from, 'Monday 00:30 in Paris');
});

test('the days on which the clock changes have 25 and 23 hours, and the period is as long as they are', () => {
  const autumn = planPeriod('week', at('2026-10-25T12:00Z'), paris);
  assert.deepEqual(
    autumn.days.map(({ hours }) => hours),
    [24, 24, 24, 24, 24, 24, 25],
  );
  assert.equal(autumn.to - autumn.from, (7 * 24 + 1) * 3_600_000);
  assert.equal(planPeriod('day', at('2026-03-29T12:00Z'), paris).days[0]?.hours, 23);
});

test('the next and the former period begin where this one ends and begins, across a change of the clock', () => {
  const week = planPeriod('week', at('2026-10-21T12:00Z'), paris);
  assert.equal(planPeriod('week', shifted('week', week.from, 1, paris), paris).from, week.to);
  const later = planPeriod('weeks', week.to, paris);
  assert.equal(planPeriod('weeks', shifted('weeks', later.from, -1, paris), paris).to, later.from);
});

test('weeks are numbered by ISO 8601, and a day has its name in the zone', () => {
  const numbers = ['2026-11-16', '2026-12-31', '2027-01-01', '2027-01-04', '2024-12-30'].map((day) =>
    weekNumber(at(`${day}T12:00Z`), paris),
  );
  assert.deepEqual(numbers, [47, 53, 53, 1, 1]);
  assert.equal(dateName(at('2026-11-16T23:30Z'), paris), '2026-11-17');
});
