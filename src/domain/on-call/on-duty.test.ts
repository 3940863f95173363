// Tests on-duty.ts: which members of a group are on duty, and why others are passed over.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallGroup, PeopleSnapshot } from '../people/call-group.ts';
import type { Person, Team } from '../people/person.ts';
import { refer } from '../people/references.ts';
import type { DutyReason } from './duty-reason.ts';
import { onDutyIn } from './on-duty.ts';
import type { StoredOverride, StoredSchedule } from './schedule.ts';
import { english } from './words/english.ts';
import { sayDuty } from './words/words.ts';

const at = Date.UTC(2026, 10, 5, 20);
const group: CallGroup = {
  id: 7,
  name: 'Pumps',
  names: {},
  stationId: 1,
  timeZone: 'UTC',
  callMode: 'all',
  reliefMode: 'nobodyReached',
  reliefGroupId: undefined,
  discardWhenNobodyOnCall: false,
  timeToTakeSeconds: undefined,
  teamIds: [5, 6],
  scheduleId: undefined,
};

function person(id: number, name: string, change: Partial<Person> = {}): Person {
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
    stationIds: [],
    numbers: [],
    ...change,
  };
}

/** Builds a team; members are given as `3`, or as `-4` for relief. */
function team(id: number, name: string, ...members: readonly number[]): Team {
  return { id, name, colour: '', members: members.map((id) => ({ userId: Math.abs(id), relief: id < 0 })) };
}

const ana = person(3, 'ana');
const bo = person(4, 'bo');
const cy = person(8, 'cy');

function snapshot(
  people: readonly Person[],
  teams: readonly Team[],
  schedule?: Partial<StoredSchedule>,
): PeopleSnapshot {
  const whole: StoredSchedule = {
    id: 9,
    name: 'Programme',
    timeZone: 'UTC',
    holidays: { dates: [], icalUrl: undefined, icalDates: [] },
    weekly: [],
    rotations: [],
    overrides: [],
    ...schedule,
  };
  return {
    people: new Map(people.map((one) => [one.id, one])),
    teams: new Map(teams.map((one) => [one.id, one])),
    groups: new Map([[group.id, group]]),
    schedules: new Map(schedule === undefined ? [] : [[9, whole]]),
  };
}

const everyDay = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '18:00', to: '08:00' } as const;
const override = (parts: Partial<StoredOverride>): StoredOverride => ({
  id: 1,
  swapId: undefined,
  teamId: undefined,
  userId: undefined,
  from: '2026-11-05T19:00',
  to: '2026-11-05T23:00',
  reason: '',
  lock: false,
  ...parts,
});

/** The duty with its reasons as they are stored: in English, with references. */
function spokenDuty(...[of, known, instant]: Parameters<typeof onDutyIn>) {
  const say = (reason: DutyReason): string => sayDuty(reason, english, refer);
  const { members, passedOver, nobody, ...rest } = onDutyIn(of, known, instant);
  return {
    members: members.map((member) => ({ ...member, via: say(member.via) })),
    passedOver: passedOver.map((one) => ({ ...one, reason: say(one.reason) })),
    nobody: nobody && say(nobody),
    ...rest,
  };
}

test('without a schedule all teams of the group are on duty, relief members last', () => {
  const found = spokenDuty(group, snapshot([ana, bo, cy], [team(5, 'Night A', 3, -4), team(6, 'Night B', 8)]), at);
  assert.deepEqual(found, {
    members: [
      { userId: 3, relief: false, via: '{team 5}' },
      { userId: 8, relief: false, via: '{team 6}' },
      { userId: 4, relief: true, via: '{team 5}' },
    ],
    passedOver: [],
    nobody: undefined,
    isLocked: false,
    until: undefined,
  });
});

test('no member is listed twice; a person who is relief in only one of two teams is a regular member', () => {
  const found = spokenDuty(group, snapshot([ana, bo], [team(5, 'A', -3, -4), team(6, 'B', 3, 3)]), at);
  assert.deepEqual(
    found.members.map(({ userId, relief, via }) => [userId, relief, via]),
    [
      [3, false, '{team 6}'],
      [4, true, '{team 5}'],
    ],
  );
});

test('a schedule determines the team, even one outside the group, and the end of its duty', () => {
  const found = spokenDuty(
    { ...group, scheduleId: 9, teamIds: [] },
    snapshot([ana], [team(5, 'A', 3)], { weekly: [{ ...everyDay, teamId: 5 }] }),
    at,
  );
  assert.deepEqual(found.members, [{ userId: 3, relief: false, via: '{team 5} by weekly[0] of {schedule 9}' }]);
  assert.equal(found.until, Date.UTC(2026, 10, 6, 8));
});

test('in a gap nobody is on duty, even if the group has teams', () => {
  const scheduled = { ...group, scheduleId: 9 };
  const found = spokenDuty(
    scheduled,
    snapshot([ana], [team(5, 'A', 3)], { weekly: [{ ...everyDay, teamId: 5 }] }),
    at - 43_200_000,
  );
  assert.deepEqual(found.members, []);
  assert.equal(found.nobody, '{schedule 9} gives the duty to nobody at this time');
  assert.equal(found.until, Date.UTC(2026, 10, 5, 18));
});

test('a group without teams and schedule has nobody on duty', () => {
  const found = spokenDuty({ ...group, teamIds: [] }, snapshot([ana], []), at);
  assert.equal(found.nobody, 'the group has neither teams nor a schedule');
});

test('a missing schedule counts as none', () => {
  const found = spokenDuty({ ...group, scheduleId: 77, teamIds: [5] }, snapshot([ana], [team(5, 'A', 3)]), at);
  assert.deepEqual(found.members, [{ userId: 3, relief: false, via: '{team 5}' }]);
});

test('an override by person puts only that person on duty', () => {
  const plan = { weekly: [{ ...everyDay, teamId: 5 }], overrides: [override({ userId: 4, reason: 'swap' })] };
  const found = spokenDuty({ ...group, scheduleId: 9 }, snapshot([ana, bo], [team(5, 'A', 3)], plan), at);
  assert.deepEqual(found.members, [{ userId: 4, relief: false, via: 'overrides[0] (swap) of {schedule 9}' }]);
  assert.equal(found.until, Date.UTC(2026, 10, 5, 23));
});

test('a lock puts nobody on duty and names the override', () => {
  const plan = { weekly: [{ ...everyDay, teamId: 5 }], overrides: [override({ lock: true, reason: 'works' })] };
  const found = spokenDuty({ ...group, scheduleId: 9 }, snapshot([ana], [team(5, 'A', 3)], plan), at);
  assert.deepEqual([found.members, found.isLocked], [[], true]);
  assert.equal(found.nobody, 'the duty is locked by overrides[0] (works) of {schedule 9}');
});

test('people who are off duty or missing are passed over, each once', () => {
  const off = person(4, 'bo', { onDuty: false });
  const found = spokenDuty(group, snapshot([ana, off], [team(5, 'A', 3, 4, 99), team(6, 'B', 4)]), at);
  assert.deepEqual(
    found.members.map(({ userId }) => userId),
    [3],
  );
  assert.deepEqual(found.passedOver, [
    { userId: 4, teamId: undefined, reason: 'off duty' },
    { userId: 99, teamId: undefined, reason: 'not in the directory' },
  ]);
  const alone = spokenDuty({ ...group, teamIds: [6] }, snapshot([off], [team(6, 'B', 4)]), at);
  assert.equal(alone.nobody, '{user 4} is off duty');
});

test('a missing team is passed over', () => {
  const found = spokenDuty({ ...group, teamIds: [5, 66] }, snapshot([ana], [team(5, 'A', 3)]), at);
  assert.deepEqual(found.passedOver, [{ userId: undefined, teamId: 66, reason: '{team 66} is not in the directory' }]);
  assert.equal(found.members.length, 1);
  const plan = { overrides: [override({ teamId: 66 })] };
  const alone = spokenDuty({ ...group, scheduleId: 9 }, snapshot([ana], [], plan), at);
  assert.equal(alone.nobody, '{team 66} by overrides[0] of {schedule 9} is not in the directory');
  const bare = spokenDuty({ ...group, teamIds: [5] }, snapshot([ana], [team(5, 'A')]), at);
  assert.equal(bare.nobody, 'those who have the duty have no members');
});

test('the last replacement of a chain takes over, with the same role', () => {
  const away = person(3, 'ana', { replacedById: 4, onDuty: false });
  const alsoAway = person(4, 'bo', { replacedById: 8 });
  const found = spokenDuty({ ...group, teamIds: [5] }, snapshot([away, alsoAway, cy], [team(5, 'A', -3)]), at);
  assert.deepEqual(found.members, [{ userId: 8, relief: true, via: '{team 5}, in place of {user 3}' }]);
  assert.deepEqual(found.passedOver, [{ userId: 3, teamId: undefined, reason: 'replaced by {user 8}' }]);
});

test('a replacement who is already a member is listed once, as a regular member', () => {
  const away = person(3, 'ana', { replacedById: 4 });
  const found = spokenDuty({ ...group, teamIds: [5] }, snapshot([away, bo], [team(5, 'A', -4, 3)]), at);
  assert.deepEqual(
    found.members.map(({ userId, relief }) => [userId, relief]),
    [[4, false]],
  );
});

test('a replacement who is off duty is passed over as well', () => {
  const people = [person(3, 'ana', { replacedById: 4 }), person(4, 'bo', { onDuty: false })];
  const found = spokenDuty({ ...group, teamIds: [5] }, snapshot(people, [team(5, 'A', 3)]), at);
  assert.equal(found.nobody, '{user 3} is replaced by {user 4}, {user 4} is off duty');
});

test('a person whose replacements form a cycle or do not exist stays on duty', () => {
  const circle = [person(3, 'ana', { replacedById: 4 }), person(4, 'bo', { replacedById: 3 })];
  const found = spokenDuty({ ...group, teamIds: [5] }, snapshot(circle, [team(5, 'A', 3)]), at);
  assert.deepEqual(found.members, [
    { userId: 3, relief: false, via: '{team 5}, as the replacements of {user 3} go round in a circle' },
  ]);
  const intoCircle = [ana, bo, cy].map((one, index) => ({ ...one, replacedById: [4, 8, 4][index] }));
  const led = spokenDuty({ ...group, teamIds: [5] }, snapshot(intoCircle, [team(5, 'A', 3)]), at);
  assert.deepEqual(
    led.members.map(({ userId }) => userId),
    [3],
  );
  const lost = [person(3, 'ana', { replacedById: 99 })];
  assert.deepEqual(spokenDuty({ ...group, teamIds: [5] }, snapshot(lost, [team(5, 'A', 3)]), at).members, [
    { userId: 3, relief: false, via: '{team 5}, as the replacement of {user 3} does not exist' },
  ]);
});
