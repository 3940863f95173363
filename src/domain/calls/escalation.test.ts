// How calling goes on, told as what happens and what follows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCallContext, aGroup, aPerson, aTeam } from '../../../test/harness/call-contexts.ts';
import type { Schedule } from '../on-call/schedule.ts';
import type { Call, CallEvent, CallTarget } from './call.ts';
import { newCall } from './call.ts';
import type { CallContext } from './decision-context.ts';
import { advanceCall } from './escalation.ts';

const group: CallTarget = { kind: 'group', id: 1 };
const urgent = { causes: { areAny: true, isAsking: true, mostUrgent: 1, isUntilAcknowledged: true } };

type Happening =
  | { readonly lost: number }
  | { readonly reached: number }
  | { readonly later: number }
  | { readonly event: CallEvent };

const lost = (userId: number): Happening => ({ lost: userId });
const reached = (userId: number): Happening => ({ reached: userId });
const says = (userId: number, answer: 'heard' | 'decline' | 'later', hasMore = false): Happening => ({
  event: { kind: 'answered', userId, answer, hasMore },
});
/** So many seconds later. */
const after = (seconds: number): Happening => ({ later: seconds });
const more: Happening = { event: { kind: 'cause-added' } };
const escalated: Happening = { event: { kind: 'escalated', by: 'eve' } };

/** Plays it from the beginning. A line for each happening: who is called, what everyone must see, and where the call stands. */
function play(context: CallContext, happenings: readonly Happening[], target = group): string[] {
  let now = 0;
  let call = newCall(target);
  const lines: string[] = [];
  const turns = new Map(context.lastInTurn);
  const apply = (event: CallEvent): void => {
    const step = advanceCall(call, event, { ...context, lastInTurn: turns }, now);
    for (const [groupId, userId] of step.inTurn) turns.set(groupId, userId);
    const called = step.attempts.map(({ userId, number }) => `${number === undefined ? 'not ' : ''}u${userId}`);
    const seen = step.troubles.map(({ kind, isWanted }) => `${kind}${isWanted ? ' as wanted' : ''}!`);
    call = step.call;
    const due = call.due === undefined ? '' : ` until ${call.due / 1000}`;
    lines.push([...called, ...seen, `${call.phase}${due}`].join(' '));
  };
  apply({ kind: 'begin' });
  for (const happening of happenings) {
    if ('later' in happening) now += happening.later * 1000;
    apply(eventOf(happening, call));
  }
  return lines;
}

function eventOf(happening: Happening, call: Call): CallEvent {
  if ('event' in happening) return happening.event;
  if ('later' in happening) return { kind: 'time' };
  const userId = 'lost' in happening ? happening.lost : happening.reached;
  const cycleId = call.cycles.find((cycle) => cycle.userId === userId && cycle.phase === 'attempting')?.id ?? 0;
  if ('reached' in happening) return { kind: 'attempt-ended', cycleId, outcome: { kind: 'reached' } };
  return { kind: 'attempt-ended', cycleId, outcome: { kind: 'failed', retry: 'later', reason: 'no answer' } };
}

const people = [1, 2, 3, 4].map((id) => aPerson(id));

test('all at once; when nobody is reached, relief; then the relief group; then the end', () => {
  const groups = [aGroup(1, { reliefGroupId: 2 }), aGroup(2)];
  const teams = [aTeam(1, [1, 2], [3]), aTeam(2, [4])];
  assert.deepEqual(play(aCallContext({ people, teams, groups }), [lost(1), lost(2), lost(3), lost(4)]), [
    'u1 u2 calling',
    'calling',
    'u3 calling',
    'u4 calling',
    'nobody-took-it! ended',
  ]);
});

test('what must be acknowledged begins again after the pause', () => {
  const context = aCallContext({ people, teams: [aTeam(1, [1])], groups: [aGroup(1)] }, urgent);
  assert.deepEqual(play(context, [lost(1), after(299), after(1), lost(1)]), [
    'u1 calling',
    'nobody-took-it! pausing until 300',
    'pausing until 300',
    'u1 calling',
    'nobody-took-it! pausing until 600',
  ]);
});

test('heard is not lost: no relief, no trouble; the others are called on', () => {
  const context = aCallContext({ people, teams: [aTeam(1, [1, 2], [3])], groups: [aGroup(1)] });
  assert.deepEqual(play(context, [says(1, 'heard'), lost(2)]), ['u1 u2 calling', 'calling', 'ended']);
  assert.deepEqual(play({ ...context, ...urgent }, [says(1, 'heard'), lost(2)]).at(-1), 'pausing until 300');
});

test('declining goes on at once; later goes on in five minutes', () => {
  const context = aCallContext({ people, teams: [aTeam(1, [1], [2])], groups: [aGroup(1)] });
  assert.deepEqual(play(context, [says(1, 'decline')]), ['u1 calling', 'u2 calling']);
  assert.deepEqual(play(context, [says(1, 'later'), after(299), after(1)]), [
    'u1 calling',
    'calling',
    'calling',
    'u1 calling',
  ]);
});

test('in turn: the next each time, and the next when nobody answers, each once', () => {
  const parts = { people, teams: [aTeam(1, [1, 2, 3], [4])], groups: [aGroup(1, { callMode: 'turn' })] };
  const lastInTurn = new Map([[1, 2]]);
  assert.deepEqual(play(aCallContext(parts, { lastInTurn }), [lost(3), lost(1), lost(2), lost(4)]), [
    'u3 calling',
    'u1 calling',
    'u2 calling',
    'u4 calling',
    'nobody-took-it! ended',
  ]);
});

test('relief for each person not reached', () => {
  const parts = { people, teams: [aTeam(1, [1, 2], [3, 4])], groups: [aGroup(1, { reliefMode: 'perUser' })] };
  assert.deepEqual(play(aCallContext(parts), [lost(1), says(2, 'heard'), lost(3)]), [
    'u1 u2 calling',
    'u3 calling',
    'calling',
    'ended',
  ]);
});

const schedule: Schedule = {
  id: 9,
  name: 'later',
  timeZone: 'UTC',
  holidays: { dates: [], icalUrl: undefined, icalDates: [] },
  weekly: [{ teamId: 1, days: ['thu'], from: '00:02', to: '24:00' }],
  rotations: [],
  overrides: [],
};
const lock = {
  teamId: undefined,
  userId: undefined,
  from: '1970-01-01T00:00',
  to: '1970-01-02T00:00',
  reason: '',
  lock: true,
};

test('nobody on call: the relief group at once, or it waits, or it is discarded; a lock calls nobody', () => {
  const teams = [aTeam(1, [1]), aTeam(2, [2])];
  const schedules = [schedule, { ...schedule, id: 10, overrides: [lock] }];
  const table: readonly [change: object, happenings: readonly Happening[], lines: readonly string[]][] = [
    [{ scheduleId: 9, reliefGroupId: 2 }, [], ['u2 calling']],
    [
      { scheduleId: 9 },
      [after(60), after(59), after(1)],
      ['nobody-on-call! waiting until 60', 'waiting until 120', 'waiting until 120', 'u1 calling'],
    ],
    [{ scheduleId: 9, discardWhenNobodyOnCall: true }, [], ['nobody-on-call! ended']],
    [{ scheduleId: 10, reliefGroupId: 2 }, [], ['nobody-on-call as wanted! waiting until 60']],
    [{ teamIds: [] }, [], ['nobody-on-call! waiting until 60']],
  ];
  for (const [change, happenings, lines] of table) {
    const context = aCallContext({ people, teams, schedules, groups: [aGroup(1, change), aGroup(2)] });
    assert.deepEqual(play(context, happenings), lines, JSON.stringify(change));
  }
});

test('only relief is on duty: relief is called, at once or after a wait', () => {
  const off = aPerson(1, { onDuty: false });
  const parts = { teams: [aTeam(1, [1], [2])], groups: [aGroup(1)] };
  assert.deepEqual(play(aCallContext({ ...parts, people: [off, aPerson(2)] }), []), ['u2 calling']);
  const waiting = advanceCall(newCall(group), { kind: 'begin' }, aCallContext({ ...parts, people: [off] }), 0).call;
  const found = advanceCall(waiting, { kind: 'time' }, aCallContext({ ...parts, people: [off, aPerson(2)] }), 60_000);
  assert.deepEqual(
    found.attempts.map(({ userId }) => userId),
    [2],
  );
});

test('another alarm: who has heard is called again, unless nobody wants that', () => {
  const parts = { people, teams: [aTeam(1, [1, 2])], groups: [aGroup(1)] };
  const again = aCallContext(parts, urgent);
  assert.deepEqual(play(again, [says(1, 'heard'), more]).at(-1), 'u1 calling');
  assert.deepEqual(play(again, [says(1, 'heard'), says(2, 'heard'), more]).at(-1), 'u1 u2 calling');
  const once = aCallContext(parts, { ...urgent, policy: { callAgain: false } });
  assert.deepEqual(play(once, [says(1, 'heard'), more]).at(-1), 'calling');
  assert.deepEqual(play(once, [says(1, 'heard'), says(2, 'heard'), more]).at(-1), 'pausing until 300');
  assert.deepEqual(play(once, [lost(1), lost(2), more]).at(-1), 'u1 u2 calling', 'nobody has heard anything');
});

test('who has heard, but not of everything, is called at once for the rest', () => {
  const parts = { people, teams: [aTeam(1, [1])], groups: [aGroup(1)] };
  assert.deepEqual(play(aCallContext(parts), [says(1, 'heard', true), says(1, 'heard')]), [
    'u1 calling',
    'u1 calling',
    'ended',
  ]);
});

test('escalated: the relief group beside those who are being called, once, also in a pause', () => {
  const parts = { people, teams: [aTeam(1, [1]), aTeam(2, [2])], groups: [aGroup(1, { reliefGroupId: 2 }), aGroup(2)] };
  assert.deepEqual(play(aCallContext(parts), [escalated, escalated, says(2, 'heard'), lost(1)]), [
    'u1 calling',
    'u2 calling',
    'calling',
    'calling',
    'ended',
  ]);
  assert.deepEqual(play(aCallContext(parts, urgent), [says(1, 'heard'), escalated]).slice(1), [
    'pausing until 300',
    'u2 calling',
  ]);
});

test('the most urgent is not held back, and takes along what was', () => {
  const parts = { people, teams: [aTeam(1, [1])], groups: [aGroup(1)] };
  const policy = { cap: { attempts: 1, windowMs: 60_000 } };
  const recentAttempts = new Map([[1, [-1_000]]]);
  const calm = aCallContext(parts, { policy, recentAttempts });
  const held = advanceCall(newCall(group), { kind: 'begin' }, calm, 0).call;
  assert.equal(held.cycles[0]?.phase, 'held');
  const step = advanceCall(held, { kind: 'cause-added' }, { ...calm, ...urgent }, 1_000);
  assert.deepEqual(
    step.attempts.map(({ userId, reason }) => [userId, reason]),
    [[1, 'another alarm']],
  );
});

test('the last resort: a group when there is one, else all administrators', () => {
  const admins = [
    aPerson(1, { isAdministrator: true }),
    aPerson(2),
    aPerson(3, { isAdministrator: true, onDuty: false }),
  ];
  const parts = { people: admins, teams: [aTeam(1, [2])], groups: [aGroup(1)] };
  const target: CallTarget = { kind: 'last-resort', id: 0 };
  assert.deepEqual(play(aCallContext(parts), [], target), ['u1 u3 calling']);
  assert.deepEqual(play(aCallContext(parts, { policy: { lastResortGroupId: 1 } }), [], target), ['u2 calling']);
  assert.deepEqual(play(aCallContext({ people: [] }), [], target), ['nobody-took-it! ended']);
});

test('once there is nothing left to call for, it ends and stays ended', () => {
  const parts = { people, teams: [aTeam(1, [1, 2])], groups: [aGroup(1)] };
  const over = {
    ...aCallContext(parts),
    causes: { areAny: false, isAsking: false, mostUrgent: 9, isUntilAcknowledged: false },
  };
  const call = advanceCall(newCall(group), { kind: 'begin' }, aCallContext(parts), 0).call;
  const ended = advanceCall(call, { kind: 'causes-ended', reason: 'acknowledged by bo' }, over, 1).call;
  assert.deepEqual([ended.phase, ended.reason, ended.due], ['ended', 'acknowledged by bo', undefined]);
  assert.ok(ended.cycles.every(({ phase }) => phase === 'ended'));
  assert.equal(advanceCall(ended, { kind: 'cause-added' }, aCallContext(parts), 2).call, ended);
  assert.equal(advanceCall(call, { kind: 'causes-ended', reason: 'one of two' }, aCallContext(parts), 1).call, call);
});

test('a person called by name, reached and silent', () => {
  const user: CallTarget = { kind: 'user', id: 1 };
  assert.deepEqual(play(aCallContext({ people }), [reached(1), after(120)], user), [
    'u1 calling',
    'calling',
    'nobody-took-it! ended',
  ]);
});
