// Tests schedule-errors.ts: the errors of a schedule, by field.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DutyDay, Override, Rotation, Schedule, WeeklyDuty } from './schedule.ts';
import { scheduleErrors } from './schedule-errors.ts';

const weekly: WeeklyDuty = { teamId: 5, days: ['mon', 'holiday'], from: '18:00', to: '24:00' };
const rotation: Rotation = { teamIds: [5, 6], every: '1w', handOver: '08:00', start: '2026-11-02' };
const override: Override = {
  teamId: 6,
  userId: undefined,
  from: '2026-11-20T08:00',
  to: '2026-11-21T08:00',
  reason: '',
  lock: false,
};
const good: Schedule = {
  id: 9,
  name: 'Pumps',
  timeZone: 'Europe/Paris',
  holidays: { dates: ['2026-12-25'], icalUrl: undefined, icalDates: [] },
  weekly: [weekly],
  rotations: [rotation],
  overrides: [override],
};
const withWeekly = (change: Partial<WeeklyDuty>) => ({ weekly: [{ ...weekly, ...change }] });
const withRotation = (change: Partial<Rotation>) => ({ rotations: [{ ...rotation, ...change }] });
const withOverride = (change: Partial<Override>) => ({ overrides: [override, { ...override, ...change }] });

test('a valid schedule has no errors', () => {
  assert.deepEqual(scheduleErrors(good), []);
  assert.deepEqual(scheduleErrors({ ...good, ...withWeekly({ from: '08:00', to: '08:00' }) }), []);
  assert.deepEqual(scheduleErrors({ ...good, ...withOverride({ teamId: undefined, lock: true }) }), []);
});

const cases: readonly (readonly [change: Partial<Schedule>, field: string, message: RegExp])[] = [
  [{ timeZone: 'Mars/Olympus' }, 'timeZone', /"Mars\/Olympus" is no time zone/],
  [
    { holidays: { ...good.holidays, dates: ['2026-12-25', '2026-02-30'] } },
    'holidays.dates[1]',
    /no date "2026-02-30"/,
  ],
  [withWeekly({ from: '25:00' }), 'weekly[0].from', /no time "25:00"/],
  [withWeekly({ from: '24:00' }), 'weekly[0].from', /"23:59"/],
  [withWeekly({ to: '24:30' }), 'weekly[0].to', /"24:00"/],
  [withWeekly({ days: [] }), 'weekly[0].days', /No day is chosen/],
  [withWeekly({ days: ['mon', 'someday' as DutyDay] }), 'weekly[0].days', /"someday" is no day/],
  [withRotation({ teamIds: [] }), 'rotations[0].teamIds', /No team/],
  [withRotation({ every: '0d' }), 'rotations[0].every', /"0d" is no length/],
  [withRotation({ every: '1m' }), 'rotations[0].every', /"12h", "3d" or "1w"/],
  [withRotation({ every: '1.5d' }), 'rotations[0].every', /no length/],
  [withRotation({ handOver: '8:00' }), 'rotations[0].handOver', /no time "8:00"/],
  [withRotation({ start: '2026-02-29' }), 'rotations[0].start', /no date/],
  [withOverride({ from: 'tomorrow' }), 'overrides[1].from', /no date and time "tomorrow"/],
  [withOverride({ to: '2026-11-31T08:00' }), 'overrides[1].to', /no date and time/],
  [withOverride({ to: '2026-11-20T08:00' }), 'overrides[1].to', /not after its start/],
  [withOverride({ to: '2020-11-20T08:00' }), 'overrides[1].to', /not after its start/],
  // The clock change in spring skips the whole period.
  [withOverride({ from: '2026-03-29T02:00', to: '2026-03-29T03:00' }), 'overrides[1].to', /not after/],
  [withOverride({ teamId: undefined }), 'overrides[1]', /neither a team nor a person/],
  [withOverride({ userId: 3 }), 'overrides[1]', /both a team and a person/],
  [withOverride({ lock: true }), 'overrides[1]', /locks the duty/],
];

for (const [change, field, message] of cases) {
  test(`${field}: ${message.source}`, () => {
    const errors = scheduleErrors({ ...good, ...change });
    assert.deepEqual(
      errors.map((error) => error.field),
      [field],
    );
    assert.match(errors[0]?.message ?? '', message);
  });
}

test('all errors are returned at once, with long input shortened', () => {
  const errors = scheduleErrors({
    ...good,
    timeZone: 'x'.repeat(1_000),
    ...withWeekly({ days: [], from: '', to: '' }),
  });
  assert.deepEqual(
    errors.map(({ field }) => field),
    ['timeZone', 'weekly[0].days', 'weekly[0].from', 'weekly[0].to'],
  );
  assert.ok(errors.every(({ message }) => message.length < 150));
});
