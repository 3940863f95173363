// Tests of the programme of the demo plant: whenever it is made, Ana is on duty, with one gap and one overlap in the week.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { coverageWarnings } from '../on-call/coverage-warnings.ts';
import { dutyAt } from '../on-call/duty.ts';
import type { Schedule } from '../on-call/schedule.ts';
import { demoSchedules, demoTeams } from './people.ts';

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
const teamId = (name: string): number => demoTeams.findIndex((team) => team.name === name) + 1;
const anaId = 100;

function scheduleAt(name: string, at: number, timeZone: string): Schedule {
  const found = demoSchedules(at, timeZone).find((schedule) => schedule.name === name);
  assert.ok(found);
  return {
    id: 1,
    name,
    timeZone,
    holidays: { dates: [], icalUrl: undefined, icalDates: [] },
    weekly: found.weekly.map(({ team, ...rest }) => ({ ...rest, teamId: teamId(team) })),
    rotations: [],
    overrides: found.overrides.map(({ team, person, ...rest }) => ({
      ...rest,
      teamId: team === undefined ? undefined : teamId(team),
      userId: person === undefined ? undefined : anaId,
    })),
  };
}

test('whenever the plant is made, Ana is on duty for an hour at least, and somebody after her', () => {
  for (const timeZone of ['Europe/Paris', 'America/Los_Angeles', 'Asia/Kolkata']) {
    const start = Date.UTC(2026, 9, 22, 0, 17);
    for (let at = start; at < start + weekMs; at += hourMs) {
      const schedule = scheduleAt('Pumps', at, timeZone);
      for (const later of [0, hourMs]) {
        const { holder } = dutyAt(schedule, at + later);
        assert.deepEqual(holder, { kind: 'user', userId: anaId }, `${timeZone} ${new Date(at + later).toISOString()}`);
      }
    }
    const schedule = scheduleAt('Pumps', start, timeZone);
    const none = { gaps: [], overlaps: [], hasMore: false };
    assert.deepEqual(coverageWarnings(schedule, start, start + 4 * weekMs), none);
  }
});

test('a week has one gap for Process, one overlap for Electrical, and a laboratory that is closed on purpose', () => {
  const at = Date.UTC(2026, 10, 16, 2, 12);
  const warningsOf = (name: string) => coverageWarnings(scheduleAt(name, at, 'Europe/Paris'), at, at + weekMs);
  assert.deepEqual(warningsOf('Process').gaps.length, 1);
  assert.equal(warningsOf('Electrical').overlaps.length, 1);
  assert.deepEqual([warningsOf('Electrical').gaps, warningsOf('Laboratory').gaps], [[], []]);
});
