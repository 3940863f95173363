// Tests duty-plan.ts: which entry gives the duty, what an override takes the place of, and claims that are passed over.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aGroup, aSnapshot, aTeam } from '../../../test/harness/on-call/small-directory.ts';
import { dutyPlanOf } from './duty-plan.ts';
import type { StoredOverride, StoredSchedule, WeeklyDuty } from './schedule.ts';
import { weekdays } from './schedule.ts';

const at = (text: string): number => Date.parse(`2026-11-${text}Z`);
const short = (instant: number): string => new Date(instant).toISOString().slice(8, 16);
const days: WeeklyDuty = { teamId: 1, days: weekdays, from: '08:00', to: '18:00' };

function planOf(change: Partial<StoredSchedule>, from = '16T00:00', to = '17T00:00') {
  const schedule: StoredSchedule = {
    id: 9,
    name: 'Pumps',
    timeZone: 'UTC',
    holidays: { dates: [], icalUrl: undefined, icalDates: [] },
    weekly: [days],
    rotations: [],
    overrides: [],
    ...change,
  };
  const teams = [aTeam(1, [1]), aTeam(2, [2])];
  const group = aGroup(1, { scheduleId: 9 });
  const snapshot = aSnapshot({ teams, schedules: [schedule], groups: [group] });
  const { spans, overlaps } = dutyPlanOf(group, snapshot, { from: at(from), to: at(to) });
  return {
    spans: spans.map(({ from, to, teamIds, source, override, replaced }) => [
      `${short(from)}–${short(to)}`,
      teamIds,
      source,
      override?.id,
      replaced?.source,
    ]),
    overlaps: overlaps.map(({ from, to, source, takenBy }) => [`${short(from)}–${short(to)}`, source, takenBy]),
  };
}

function override(change: Partial<StoredOverride>): StoredOverride {
  const who = { teamId: 2, userId: undefined, reason: '', lock: false };
  return { id: 5, swapId: undefined, from: '2026-11-16T12:00', to: '2026-11-16T14:00', ...who, ...change };
}

test('each span names its entry; a gap has none', () => {
  assert.deepEqual(planOf({}).spans, [
    ['16T00:00–16T08:00', [], '', undefined, undefined],
    ['16T08:00–16T18:00', [1], 'weekly[0]', undefined, undefined],
    ['16T18:00–17T00:00', [], '', undefined, undefined],
  ]);
});

test('an override names the entry it takes the place of where it begins; over a gap it takes the place of none', () => {
  const overrides = [
    override({}),
    override({ id: 6, userId: 2, teamId: undefined, from: '2026-11-16T20:00', to: '2026-11-16T22:00' }),
  ];
  assert.deepEqual(
    planOf({ overrides }).spans.filter(([, , , id]) => id !== undefined),
    [
      ['16T12:00–16T14:00', [2], 'overrides[0]', 5, 'weekly[0]'],
      ['16T20:00–16T22:00', [], 'overrides[1]', 6, undefined],
    ],
  );
});

test('each time that two weekly entries claim is listed with the entry that counts, but not where an override settles it', () => {
  const late: WeeklyDuty = { teamId: 2, days: weekdays, from: '16:00', to: '20:00' };
  assert.deepEqual(planOf({ weekly: [days, late] }, '16T00:00', '18T00:00').overlaps, [
    ['16T16:00–16T18:00', 'weekly[0]', 'weekly[1]'],
    ['17T16:00–17T18:00', 'weekly[0]', 'weekly[1]'],
  ]);
  const overrides = [override({ from: '2026-11-16T15:00', to: '2026-11-16T17:00' })];
  assert.deepEqual(planOf({ weekly: [days, late], overrides }).overlaps, [
    ['16T17:00–16T18:00', 'weekly[0]', 'weekly[1]'],
  ]);
});

test('a group without a schedule has all of its teams all the time', () => {
  const group = aGroup(1, { teamIds: [1, 2] });
  const snapshot = aSnapshot({ teams: [aTeam(1, [1]), aTeam(2, [2])], groups: [group] });
  const { spans, overlaps } = dutyPlanOf(group, snapshot, { from: at('16T00:00'), to: at('17T00:00') });
  assert.deepEqual(
    spans.map(({ teamIds, source }) => [teamIds, source]),
    [[[1, 2], '']],
  );
  assert.deepEqual(overlaps, []);
});
