// Tests visibility.ts: people, teams and schedules as callers bound to stations see them, and the names in sentences.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredSchedule } from '../on-call/schedule.ts';
import type { CallGroup, PeopleSnapshot } from './call-group.ts';
import type { Person, Team } from './person.ts';
import { refer, withNames } from './references.ts';
import { seenSchedule, seenTeam, visibilityOf, withoutForeignReasons } from './visibility.ts';

const [a, b] = [1, 2];

function person(id: number, name: string, stationIds: readonly number[], scheduleId?: number): Person {
  const number = { id, channel: 'voice', address: '+33', valid: true, verified: true, final: true, scheduleId };
  const tries = {
    countTry: 1,
    timeToRetrySeconds: 60,
    countAck: 1,
    timeToAckSeconds: 60,
    acksWhenReached: false,
    priorities: undefined,
  };
  return {
    id,
    name,
    firstName: '',
    lastName: '',
    displayName: '',
    language: 'en',
    timeZone: 'UTC',
    onDuty: true,
    replacedById: undefined,
    isAdministrator: false,
    stationIds,
    numbers: [{ ...number, ...tries }],
  };
}

function team(id: number, ...userIds: readonly number[]): Team {
  return { id, name: `team ${id}`, colour: '', members: userIds.map((userId) => ({ userId, relief: false })) };
}

function group(id: number, stationId: number, teamIds: readonly number[], scheduleId?: number): CallGroup {
  const modes = { callMode: 'all', reliefMode: 'nobodyReached', discardWhenNobodyOnCall: false } as const;
  const more = { names: {}, timeZone: 'UTC', reliefGroupId: undefined, timeToTakeSeconds: undefined };
  return { id, name: `group ${id}`, stationId, teamIds, scheduleId, ...modes, ...more };
}

function schedule(id: number, teamIds: readonly number[], overrides: StoredSchedule['overrides'] = []): StoredSchedule {
  const weekly = teamIds.map((teamId) => ({ teamId, days: ['mon' as const], from: '00:00', to: '24:00' }));
  const holidays = { dates: [], icalUrl: undefined, icalDates: [] };
  return { id, name: `schedule ${id}`, timeZone: 'UTC', holidays, weekly, rotations: [], overrides };
}

function snapshotOf(parts: {
  readonly people: readonly Person[];
  readonly teams?: readonly Team[];
  readonly groups?: readonly CallGroup[];
  readonly schedules?: readonly StoredSchedule[];
}): PeopleSnapshot {
  const byId = <T extends { readonly id: number }>(all: readonly T[] = []) => new Map(all.map((one) => [one.id, one]));
  return {
    people: byId(parts.people),
    teams: byId(parts.teams),
    groups: byId(parts.groups),
    schedules: byId(parts.schedules),
  };
}

const ana = person(11, 'ana', [a]);
const bo = person(12, 'bo', [b]);
const cy = person(13, 'cy', []);
const people = [ana, bo, cy];

test('a team is seen through a member, a group or a schedule of the caller, and while it is tied to nothing', () => {
  const teams = [team(1, 11, 12), team(2, 12), team(3, 12), team(4, 12), team(5), team(6, 13), team(7)];
  const groups = [group(1, a, [3]), group(2, a, [], 9), group(3, b, [2, 7])];
  const seen = visibilityOf({ stationIds: [a] }, snapshotOf({ people, teams, groups, schedules: [schedule(9, [4])] }));
  const expected = new Map([
    [1, true], // ana is a member
    [2, false],
    [3, true], // lent to a group of station A
    [4, true], // lent by a schedule of station A
    [5, true], // tied to nothing
    [6, true], // cy is bound to no station
    [7, false], // empty, and of a group of station B
  ]);
  assert.deepEqual(new Map([...expected.keys()].map((id) => [id, seen.seesTeam(id)])), expected);
  assert.deepEqual(
    seenTeam(team(1, 11, 12), seen).members.map(({ userId }) => userId),
    [11],
  );
});

test('a schedule is seen through a group or number that uses it, or through what it names while nothing uses it', () => {
  const schedules = [1, 2, 3].map((id) => schedule(id, [])).concat(schedule(4, [1]), schedule(5, [2]), schedule(6, []));
  const groups = [group(1, a, [], 1), group(2, b, [], 2)];
  const withHours = [...people, person(14, 'dan', [a], 3), person(15, 'eve', [b], 6)];
  const teams = [team(1, 11), team(2, 12)];
  const seen = visibilityOf({ stationIds: [a] }, snapshotOf({ people: withHours, teams, groups, schedules }));
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6].filter((id) => seen.seesSchedule(id)),
    [1, 3, 4],
  );
});

test('an override for somebody of another station names nobody and gives no reason', () => {
  const override = { teamId: undefined, from: '', to: '', lock: false, swapId: undefined };
  const shared = schedule(
    1,
    [],
    [
      { ...override, id: 1, userId: 12, reason: 'secret' },
      { ...override, id: 2, userId: 11, reason: 'swap' },
    ],
  );
  const snapshot = snapshotOf({ people, groups: [group(1, a, [], 1)], schedules: [shared] });
  const seen = visibilityOf({ stationIds: [a] }, snapshot);
  assert.deepEqual(
    seenSchedule(shared, seen).overrides.map(({ userId, reason }) => [userId, reason]),
    [
      [undefined, ''],
      [11, 'swap'],
    ],
  );
  const { schedules } = withoutForeignReasons(snapshot, seen);
  assert.deepEqual(
    schedules.get(1)?.overrides.map(({ userId, reason }) => [userId, reason]),
    [
      [12, ''],
      [11, 'swap'],
    ],
  );
});

test('a sentence names what the caller sees; a removed object has its number', () => {
  const groups = [group(1, a, []), group(2, b, [])];
  const snapshot = snapshotOf({ people, teams: [team(5, 11)], groups, schedules: [schedule(9, [5])] });
  const sentence = [
    refer.user(11),
    refer.user(12),
    refer.user(99),
    refer.nameOfUser(11),
    refer.nameOfUser(12),
    refer.group(1),
    refer.group(2),
    refer.team(5),
    refer.schedule(9),
  ].join(', ');
  assert.equal(
    withNames(sentence, snapshot, visibilityOf({ stationIds: [a] }, snapshot)),
    'user 11 "ana", a user of another station, user 99, ana, a user of another station, call group "group 1", ' +
      'a call group of another station, team 5 "team 5", schedule 9 "schedule 9"',
  );
  assert.equal(
    withNames(sentence, snapshot, visibilityOf({ stationIds: [] }, snapshot)),
    'user 11 "ana", user 12 "bo", user 99, ana, bo, call group "group 1", call group "group 2", team 5 "team 5", ' +
      'schedule 9 "schedule 9"',
  );
});
