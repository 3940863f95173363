// The escalation engine: sequences of events, and the attempts, troubles and phases that follow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCallContext, aGroup, aPerson, aTeam } from '../../../test/harness/simulation/call-contexts.ts';
import type { StoredSchedule } from '../on-call/schedule.ts';
import type { Call, CallEvent, CallTarget } from './call.ts';
import { newCall } from './call.ts';
import type { CallContext } from './decision-context.ts';
import { advanceCall } from './escalation.ts';

const group: CallTarget = { kind: 'group', id: 1 };
const urgent = { causes: { areAny: true, isAsking: true, mostUrgent: 1, isUntilAcknowledged: true } };

type Input =
  | { readonly lost: number }
  | { readonly reached: number }
  | { readonly later: number }
  | { readonly event: CallEvent };

const lost = (userId: number): Input => ({ lost: userId });
const reached = (userId: number): Input => ({ reached: userId });
const says = (userId: number, answer: 'heard' | 'decline' | 'later', hasMore = false): Input => ({
  event: { kind: 'answered', userId, answer, hasMore },
});
/** Time passes. */
const after = (seconds: number): Input => ({ later: seconds });
const more: Input = { event: { kind: 'cause-added' } };
const escalated: Input = { event: { kind: 'escalated', by: 'eve' } };

/** Runs a new call through the inputs. Returns a line per input: attempts, troubles, and the phase of the call. */
function play(context: CallContext, inputs: readonly Input[], target = group): string[] {
  let now = 0;
  let call = newCall(target);
  const lines: string[] = [];
  const lastInTurn = new Map(context.lastInTurn);
  const apply = (event: CallEvent): void => {
    const step = advanceCall(call, event, { ...context, lastInTurn }, now);
    for (const [groupId, userId] of step.inTurn) lastInTurn.set(groupId, userId);
    const called = step.attempts.map(({ userId, number }) => `${number === undefined ? 'not ' : ''}u${userId}`);
    const seen = step.troubles.map(({ kind, isWanted }) => `${kind}${isWanted ? ' as wanted' : ''}!`);
    call = step.call;
    const due = call.due === undefined ? '' : ` until ${call.due / 1000}`;
    lines.push([...called, ...seen, `${call.phase}${due}`].join(' '));
  };
  apply({ kind: 'begin' });
  for (const input of inputs) {
    if ('later' in input) now += input.later * 1000;
    apply(eventOf(input, call));
  }
  return lines;
}

function eventOf(input: Input, call: Call): CallEvent {
  if ('event' in input) return input.event;
  if ('later' in input) return { kind: 'time' };
  const userId = 'lost' in input ? input.lost : input.reached;
  const cycleId = call.cycles.find((cycle) => cycle.userId === userId && cycle.phase === 'attempting')?.id ?? 0;
  if ('reached' in input) return { kind: 'attempt-ended', cycleId, outcome: { kind: 'reached' } };
  return { kind: 'attempt-ended', cycleId, outcome: { kind: 'failed', retry: 'later', reason: 'no answer' } };
}

const people = [1, 2, 3, 4].map((id) => aPerson(id));

test('a group is called all at once, then its relief, then its relief group, then the call ends', () => {
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

test('a call that must be acknowledged begins a new round after a pause that grows to 30 minutes', () => {
  const context = aCallContext({ people, teams: [aTeam(1, [1])], groups: [aGroup(1)] }, urgent);
  assert.deepEqual(play(context, [lost(1), after(299), after(1), lost(1)]), [
    'u1 calling',
    'nobody-took-it! pausing until 300',
    'pausing until 300',
    'u1 calling',
    'nobody-took-it! pausing until 900',
  ]);
  const rounds = [300, 600, 1_200, 1_800, 1_800].flatMap((pause) => [after(pause), lost(1)]);
  assert.equal(play(context, [lost(1), ...rounds]).at(-1), 'nobody-took-it! pausing until 7500');
  const joined = [lost(1), after(300), lost(1), more, lost(1)];
  assert.equal(play(context, joined).at(-1), 'nobody-took-it! pausing until 600', 'another alarm begins anew');
});

test('a message that can only be heard is over when one person has heard it and the others were called', () => {
  const message = { causes: { areAny: true, isAsking: false, mostUrgent: 3, isUntilAcknowledged: false } };
  const context = aCallContext({ people, teams: [aTeam(1, [1, 2], [3])], groups: [aGroup(1)] }, message);
  assert.deepEqual(play(context, [says(1, 'heard'), lost(2)]), ['u1 u2 calling', 'calling', 'ended']);
  assert.deepEqual(play(context, [lost(1), lost(2)]).at(-1), 'u3 calling');
});

test('"decline" calls relief at once; "later" calls the person again after five minutes', () => {
  const context = aCallContext({ people, teams: [aTeam(1, [1], [2])], groups: [aGroup(1)] });
  assert.deepEqual(play(context, [says(1, 'decline')]), ['u1 calling', 'u2 calling']);
  assert.deepEqual(play(context, [says(1, 'later'), after(299), after(1)]), [
    'u1 calling',
    'calling',
    'calling',
    'u1 calling',
  ]);
});

test('call mode "turn" starts after the person called last and tries each member once', () => {
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

test('relief mode "perUser" calls one relief member for each person who was not reached', () => {
  const parts = { people, teams: [aTeam(1, [1, 2], [3, 4])], groups: [aGroup(1, { reliefMode: 'perUser' })] };
  assert.deepEqual(play(aCallContext(parts), [lost(1), lost(3), says(2, 'heard')]), [
    'u1 u2 calling',
    'u3 calling',
    'calling',
    'u4 calling',
  ]);
});

const schedule: StoredSchedule = {
  id: 9,
  name: 'later',
  timeZone: 'UTC',
  holidays: { dates: [], icalUrl: undefined, icalDates: [] },
  weekly: [{ teamId: 1, days: ['thu'], from: '00:02', to: '24:00' }],
  rotations: [],
  overrides: [],
};
const lock = {
  id: 1,
  swapId: undefined,
  teamId: undefined,
  userId: undefined,
  from: '1970-01-01T00:00',
  to: '1970-01-02T00:00',
  reason: '',
  lock: true,
};

test('with nobody on call, the relief group is called at once, or the call waits or is discarded; a lock calls nobody', () => {
  const teams = [aTeam(1, [1]), aTeam(2, [2])];
  const schedules = [schedule, { ...schedule, id: 10, overrides: [lock] }];
  const table: readonly [change: object, inputs: readonly Input[], lines: readonly string[]][] = [
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
  for (const [change, inputs, lines] of table) {
    const context = aCallContext({ people, teams, schedules, groups: [aGroup(1, change), aGroup(2)] });
    assert.deepEqual(play(context, inputs), lines, JSON.stringify(change));
  }
});

test('when only relief is on duty, relief is called, at once or after a wait', () => {
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

test('people who have heard are called again for another alarm, unless the policy forbids it', () => {
  const parts = { people, teams: [aTeam(1, [1, 2])], groups: [aGroup(1)] };
  const again = aCallContext(parts, urgent);
  assert.deepEqual(play(again, [says(1, 'heard'), more]).at(-1), 'u1 calling');
  assert.deepEqual(play(again, [says(1, 'heard'), says(2, 'heard'), more]).at(-1), 'u1 u2 calling');
  const once = aCallContext(parts, { ...urgent, policy: { callAgain: false } });
  assert.deepEqual(play(once, [says(1, 'heard'), more]).at(-1), 'calling');
  assert.deepEqual(play(once, [says(1, 'heard'), says(2, 'heard'), more]).at(-1), 'pausing until 300');
  assert.deepEqual(play(once, [lost(1), lost(2), more]).at(-1), 'u1 u2 calling', 'nobody has heard anything');
});

test('a person who has heard only some of the causes is called again at once for the rest', () => {
  const parts = { people, teams: [aTeam(1, [1])], groups: [aGroup(1)] };
  assert.deepEqual(play(aCallContext(parts), [says(1, 'heard', true), says(1, 'heard')]), [
    'u1 calling',
    'u1 calling',
    'nobody-took-it! ended',
  ]);
});

test('an escalation by hand calls the relief group once, while open cycles continue, and also during a pause', () => {
  const parts = { people, teams: [aTeam(1, [1]), aTeam(2, [2])], groups: [aGroup(1, { reliefGroupId: 2 }), aGroup(2)] };
  assert.deepEqual(play(aCallContext(parts), [escalated, escalated, says(2, 'heard'), lost(1)]), [
    'u1 calling',
    'u2 calling',
    'calling',
    'calling',
    'nobody-took-it! ended',
  ]);
  const [, , , again] = play(aCallContext(parts, urgent), [lost(1), lost(2), escalated]);
  assert.equal(again, 'pausing until 300', 'every group was called in this round');
});

test('a cause of priority 1 ends the hold of a cycle at the cap', () => {
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

test('the last resort is the configured group, or all administrators', () => {
  const admins = [
    aPerson(1, { isAdministrator: true }),
    aPerson(2),
    aPerson(3, { isAdministrator: true, onDuty: false }),
  ];
  const parts = { people: admins, teams: [aTeam(1, [2])], groups: [aGroup(1)] };
  const target: CallTarget = { kind: 'last-resort', id: 0 };
  assert.deepEqual(play(aCallContext(parts), [], target), ['u1 u3 calling']);
  const ofGroup = (id: number) => aCallContext(parts, { policy: { lastResortGroupId: id } });
  assert.deepEqual(play(ofGroup(1), [lost(2)], target), ['u2 calling', 'u1 u3 calling']);
  assert.deepEqual(play(ofGroup(7), [], target), ['u1 u3 nobody-on-call! calling']);
  assert.deepEqual(play(aCallContext({ people: [] }), [], target), ['nobody-took-it! ended']);
});

test('a call without open causes ends and stays ended', () => {
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

test('new cycles have the ids that the context gives', () => {
  const given = [71, 70];
  const newCycleId = () => given.shift() ?? 0;
  const parts = { people, teams: [aTeam(1, [1, 2])], groups: [aGroup(1)] };
  const { call, attempts } = advanceCall(newCall(group), { kind: 'begin' }, aCallContext(parts, { newCycleId }), 0);
  assert.deepEqual(
    call.cycles.map(({ id }) => id),
    [71, 70],
  );
  assert.deepEqual(
    attempts.map(({ cycleId }) => cycleId),
    [71, 70],
  );
});

test('a call to one person fails when the person is reached but does not answer', () => {
  const user: CallTarget = { kind: 'user', id: 1 };
  assert.deepEqual(play(aCallContext({ people }), [reached(1), after(120)], user), [
    'u1 calling',
    'calling',
    'nobody-took-it! ended',
  ]);
});
