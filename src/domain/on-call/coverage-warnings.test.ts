// Tests coverage-warnings.ts: the gaps and overlaps of a schedule that are shown before saving.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverageWarnings } from './coverage-warnings.ts';
import type { Schedule, WeeklyDuty } from './schedule.ts';
import { weekdays } from './schedule.ts';

const empty: Schedule = {
  id: 9,
  name: 'Pumps',
  timeZone: 'UTC',
  holidays: { dates: [], icalUrl: undefined, icalDates: [] },
  weekly: [],
  rotations: [],
  overrides: [],
};
const at = (text: string): number => Date.parse(`${text}Z`);
const week = [at('2026-11-02T00:00'), at('2026-11-09T00:00')] as const;
const always: WeeklyDuty = { teamId: 5, days: weekdays, from: '00:00', to: '24:00' };

test('an empty schedule is one gap, a full one has none', () => {
  assert.deepEqual(coverageWarnings(empty, ...week), {
    gaps: [{ from: week[0], to: week[1] }],
    overlaps: [],
    hasMore: false,
  });
  assert.deepEqual(coverageWarnings({ ...empty, weekly: [always] }, ...week), {
    gaps: [],
    overlaps: [],
    hasMore: false,
  });
});

test('a holiday without a holiday entry is a gap; a lock is not', () => {
  const holidays = { ...empty.holidays, dates: ['2026-11-04'] };
  const lock = { teamId: undefined, userId: undefined, reason: '', lock: true };
  const overrides = [{ ...lock, from: '2026-11-04T00:00', to: '2026-11-04T12:00' }];
  assert.deepEqual(coverageWarnings({ ...empty, weekly: [always], holidays, overrides }, ...week).gaps, [
    { from: at('2026-11-04T12:00'), to: at('2026-11-05T00:00') },
  ]);
});

test('an overlap of two weekly entries is listed once, with its first time and count', () => {
  const nights: WeeklyDuty = { teamId: 6, days: ['mon', 'tue'], from: '22:00', to: '06:00' };
  const same: WeeklyDuty = { ...always, days: ['wed'] };
  const { overlaps } = coverageWarnings({ ...empty, weekly: [nights, always, same] }, week[0], at('2026-11-16T00:00'));
  assert.deepEqual(overlaps, [
    { entries: ['weekly[0]', 'weekly[1]'], from: at('2026-11-02T22:00'), to: at('2026-11-03T06:00'), times: 4 },
    { entries: ['weekly[0]', 'weekly[2]'], from: at('2026-11-04T00:00'), to: at('2026-11-04T06:00'), times: 2 },
  ]);
});

test('consecutive overlaps of two rotations count once; turns of the same team do not overlap', () => {
  const rotations = [
    { teamIds: [5, 6], every: '1d', handOver: '08:00', start: '2026-11-02' },
    { teamIds: [7], every: '12h', handOver: '08:00', start: '2026-11-03' },
    { teamIds: [5], every: '1d', handOver: '08:00', start: '2026-11-02' },
  ];
  const { overlaps } = coverageWarnings({ ...empty, rotations }, at('2026-11-02T08:00'), at('2026-11-06T08:00'));
  assert.deepEqual(overlaps, [
    { entries: ['rotations[0]', 'rotations[1]'], from: at('2026-11-03T08:00'), to: at('2026-11-06T08:00'), times: 1 },
    { entries: ['rotations[0]', 'rotations[2]'], from: at('2026-11-03T08:00'), to: at('2026-11-04T08:00'), times: 2 },
    { entries: ['rotations[1]', 'rotations[2]'], from: at('2026-11-03T08:00'), to: at('2026-11-06T08:00'), times: 1 },
  ]);
});

test('entries of different layers may cover each other', () => {
  const rotations = [{ teamIds: [6], every: '1d', handOver: '08:00', start: '2026-01-01' }];
  assert.deepEqual(coverageWarnings({ ...empty, weekly: [always], rotations }, ...week).overlaps, []);
});

test('overrides overlap if they name different holders', () => {
  const override = {
    teamId: undefined,
    userId: 3,
    reason: '',
    lock: false,
    from: '2026-11-03T00:00',
    to: '2026-11-04T00:00',
  };
  const overrides = [override, { ...override, userId: 4, from: '2026-11-03T23:00', to: '2026-11-05T00:00' }, override];
  assert.deepEqual(
    coverageWarnings({ ...empty, overrides }, ...week).overlaps.map(({ entries }) => entries),
    [
      ['overrides[0]', 'overrides[1]'],
      ['overrides[1]', 'overrides[2]'],
    ],
  );
});

test('long lists are truncated and set hasMore', () => {
  const hours = Array.from({ length: 12 }, (_, hour) => String(2 * hour).padStart(2, '0'));
  const weekly = hours.map((hour) => ({ teamId: 5, days: weekdays, from: `${hour}:00`, to: `${hour}:30` }));
  const { gaps, hasMore } = coverageWarnings({ ...empty, weekly }, ...week);
  assert.equal(gaps.length, 50);
  assert.ok(hasMore);
});

test('a thousand entries for the same time are limited and set hasMore', () => {
  const weekly = Array.from({ length: 1_000 }, (_, teamId) => ({ ...always, teamId }));
  const { overlaps, hasMore } = coverageWarnings({ ...empty, weekly }, ...week);
  assert.equal(overlaps.length, 50);
  assert.ok(hasMore);
});
