// Which entries of a schedule never apply, and why.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Schedule, weekdays } from './schedule.ts';
import { unusedEntries } from './unused-entries.ts';

const now = Date.UTC(2026, 10, 15);
const empty: Schedule = {
  id: 1,
  name: 'Pumps',
  timeZone: 'UTC',
  holidays: { dates: [], icalUrl: undefined, icalDates: [] },
  weekly: [],
  rotations: [],
  overrides: [],
};
const always = { teamId: 1, days: weekdays, from: '00:00', to: '24:00' };
const onHolidays = { ...always, days: ['holiday'] as const };
const turns = { teamIds: [1, 2], every: '1w', handOver: '08:00', start: '2026-11-02' };
const nights = { days: undefined, from: '18:00', to: '08:00' };
const christmas = { ...empty.holidays, dates: ['2026-12-25'] };

const cases: readonly (readonly [string, Partial<Schedule>, readonly string[]])[] = [
  ['nothing', {}, []],
  ['a week', { weekly: [always] }, []],
  ['holidays of a schedule that has none', { weekly: [always, onHolidays] }, ['weekly[1] no-day']],
  ['a holiday that is weeks away', { weekly: [always, onHolidays], holidays: christmas }, []],
  [
    'holidays that are over',
    { weekly: [onHolidays], holidays: { ...empty.holidays, dates: ['2025-12-25'] } },
    ['weekly[0] no-day'],
  ],
  [
    'holidays of a calendar that is not read yet',
    { weekly: [onHolidays], holidays: { ...empty.holidays, icalUrl: 'https://example.org/holidays.ics' } },
    [],
  ],
  ['an entry under another', { weekly: [{ ...always, days: ['mon'] }, always] }, ['weekly[0] covered']],
  ['a week under a rotation', { weekly: [always], rotations: [turns] }, ['weekly[0] covered']],
  ['a week under nights in turn', { weekly: [always], rotations: [{ ...turns, hours: nights }] }, []],
  [
    'nights under a rotation of whole days',
    { rotations: [{ ...turns, hours: nights }, turns] },
    ['rotations[0] covered'],
  ],
  ['a rotation that begins in two months', { weekly: [always], rotations: [{ ...turns, start: '2027-01-11' }] }, []],
];

test('entries that never apply are found, with the cause', () => {
  for (const [what, change, expected] of cases) {
    const found = unusedEntries({ ...empty, ...change }, now).map(({ entry, cause }) => `${entry} ${cause}`);
    assert.deepEqual(found, expected, what);
  }
});

test('an override hides an entry only for a time', () => {
  const lock = { teamId: undefined, userId: undefined, from: '2026-01-01T00:00', to: '2030-01-01T00:00' };
  const schedule = { ...empty, weekly: [always], overrides: [{ ...lock, reason: '', lock: true }] };
  assert.deepEqual(unusedEntries(schedule, now), []);
});
