// The way up: who is called after whom until somebody takes the alarm, and what holds it. Notices go beside it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCallContext, aGroup, aNumber, aPerson, aTeam } from '../../../test/harness/simulation/call-contexts.ts';
import { type Call, type CallAnswer, type CallEvent, type CallTarget, callDue, newCall } from './call.ts';
import type { CallContext } from './decision-context.ts';
import { advanceCall } from './escalation.ts';

const people = [1, 2, 3, 4].map((id) => aPerson(id));
const priority = (mostUrgent: number) => ({
  causes: { areAny: true, isAsking: true, mostUrgent, isUntilAcknowledged: mostUrgent < 3 },
});
const chain = {
  people,
  teams: [aTeam(1, [1], [2]), aTeam(2, [3])],
  groups: [aGroup(1, { reliefGroupId: 2 }), aGroup(2)],
};

/** A call under test, with its time; the events return the people who were called, notices in brackets. */
class Story {
  call: Call;
  context: CallContext;
  now = 0;

  constructor(context: CallContext, target: CallTarget = { kind: 'group', id: 1 }) {
    this.context = context;
    this.call = newCall(target);
  }

  apply(event: CallEvent): readonly string[] {
    const step = advanceCall(this.call, event, this.context, this.now);
    this.call = step.call;
    const troubles = step.troubles.map(({ kind }) => `${kind}!`);
    const called = step.attempts.map(({ userId, number, isNotice }) =>
      isNotice ? `[u${userId}]` : `${number === undefined ? 'not ' : ''}u${userId}`,
    );
    return [...called, ...troubles];
  }

  begins(): readonly string[] {
    return this.apply({ kind: 'begin' });
  }

  says(userId: number, answer: CallAnswer): readonly string[] {
    return this.apply({ kind: 'answered', userId, answer });
  }

  ends(userId: number, kind: 'reached' | 'failed', isNotice = false, hasMore = false): readonly string[] {
    const isMeant = (cycle: Call['cycles'][number]) =>
      cycle.userId === userId && cycle.phase === 'attempting' && cycle.isNotice === isNotice;
    const cycleId = this.call.cycles.find(isMeant)?.id ?? assert.fail(`u${userId} is not being called`);
    const outcome = kind === 'reached' ? ({ kind } as const) : ({ kind, retry: 'later', reason: 'no answer' } as const);
    return this.apply({ kind: 'attempt-ended', cycleId, outcome, hasMore });
  }

  after(seconds: number): readonly string[] {
    this.now += seconds * 1000;
    return this.apply({ kind: 'time' });
  }
}

test('when everybody of a level has heard and nobody takes it, the next level is called at once', () => {
  for (const mostUrgent of [1, 3]) {
    const story = new Story(aCallContext(chain, priority(mostUrgent)));
    assert.deepEqual(story.begins(), ['u1']);
    assert.deepEqual(story.says(1, 'heard'), ['u2'], 'relief members');
    assert.deepEqual(story.says(2, 'heard'), ['u3'], 'the relief group');
    assert.deepEqual(story.says(3, 'heard'), ['nobody-took-it!'], 'never untaken without a word');
    assert.deepEqual([story.call.roundEnd, story.call.failedAt], ['heard', undefined]);
  }
});

test('in turn, the next one is called when the one before has only heard it', () => {
  const groups = [aGroup(1, { callMode: 'turn' })];
  const story = new Story(aCallContext({ people, teams: [aTeam(1, [1, 2])], groups }, priority(3)));
  assert.deepEqual(story.begins(), ['u1']);
  assert.deepEqual(story.says(1, 'heard'), ['u2']);
  assert.deepEqual(story.says(2, 'decline'), ['nobody-took-it!']);
});

test('later: for priority 1 the others are called meanwhile', () => {
  const story = new Story(aCallContext(chain, priority(1)));
  story.begins();
  assert.deepEqual(story.says(1, 'later'), ['u2']);
  assert.deepEqual(story.after(300), ['u1'], 'and the person is called back');
});

test('later: for the rest it holds the way up once; a third time counts as heard', () => {
  const story = new Story(aCallContext(chain, priority(3)));
  story.begins();
  assert.deepEqual(story.says(1, 'later'), []);
  assert.deepEqual(story.after(300), ['u1']);
  assert.deepEqual(story.says(1, 'later'), ['u2']);
  assert.deepEqual(story.after(300), ['u1']);
  assert.deepEqual(story.says(1, 'later'), []);
  assert.equal(story.call.cycles[0]?.phase, 'acknowledged');
});

test('a throttled person holds the way up for a minute', () => {
  const policy = { cap: { attempts: 1, windowMs: 900_000 } };
  const story = new Story(aCallContext(chain, { ...priority(3), policy, recentAttempts: new Map([[1, [-1_000]]]) }));
  assert.deepEqual(story.begins(), ['not u1']);
  assert.deepEqual(story.after(59), []);
  assert.deepEqual(story.after(1), ['u2']);
  assert.equal(story.call.cycles[0]?.phase, 'held', 'the bundled message is still to come');
});

test('a person in another call is waited for if it reads this alarm too, otherwise for a minute', () => {
  const busy = aCallContext(chain, { ...priority(3), linesInUse: new Set(['person 1']) });
  const story = new Story(busy);
  assert.deepEqual(story.begins(), ['not u1']);
  assert.deepEqual(story.after(60), ['u2']);
  const shared = new Story({ ...busy, linesReadingAlso: new Set([1]) });
  shared.begins();
  assert.deepEqual(shared.after(60), []);
  assert.deepEqual(shared.after(60), []);
});

test('timeToTake: a level that has not taken it in time goes on, and the next one is called', () => {
  const story = new Story(aCallContext(chain, priority(1)));
  story.begins();
  assert.deepEqual(story.ends(1, 'reached'), []);
  assert.equal(callDue(story.call), 120_000, 'the person has two minutes to answer');
  const slow = aPerson(1, { numbers: [aNumber(1, { countAck: 100 })] });
  const long = new Story(aCallContext({ ...chain, people: [slow, ...people.slice(1)] }, priority(1)));
  long.begins();
  for (let minute = 0; minute < 14; minute += 2) {
    long.ends(1, 'reached');
    assert.deepEqual(long.after(120), ['u1']);
  }
  long.ends(1, 'reached');
  assert.deepEqual(long.after(60), ['u2'], 'the relief members, after 900 s');
  assert.equal(long.call.cycles[0]?.phase, 'reached', 'the first goes on');
  assert.deepEqual(long.after(60), ['u1']);
});

test('timeToTake: the group decides; 0 is no limit, and without one only repeated priorities have it', () => {
  const takeBy = (timeToTakeSeconds: number | undefined, mostUrgent: number): number | undefined => {
    const groups = [aGroup(1, { reliefGroupId: 2, timeToTakeSeconds }), aGroup(2)];
    const story = new Story(aCallContext({ ...chain, groups }, priority(mostUrgent)));
    story.begins();
    return story.call.takeBy;
  };
  assert.deepEqual(
    [takeBy(undefined, 1), takeBy(undefined, 3), takeBy(60, 3), takeBy(0, 1)],
    [900_000, undefined, 60_000, undefined],
  );
});

test('a hand-over in mid-round calls the new holder before relief', () => {
  const story = new Story(aCallContext(chain, priority(3)));
  story.begins();
  const handedOver = { ...chain, teams: [aTeam(1, [4], [2]), aTeam(2, [3])] };
  story.context = aCallContext(handedOver, { ...priority(3), newCycleId: () => 99 });
  assert.deepEqual(story.ends(1, 'failed'), ['u4']);
});

test('a call by name reaches the replacement', () => {
  const replaced = [aPerson(1, { replacedById: 2 }), aPerson(2)];
  const story = new Story(aCallContext({ people: replaced }, priority(3)), { kind: 'user', id: 1 });
  assert.deepEqual(story.begins(), ['u2']);
});

const withNotice = aPerson(1, { numbers: [aNumber(11, { channel: 'sms', final: false }), aNumber(12)] });

test('a number that is not final gets a notice at once, and the call rings beside it', () => {
  const story = new Story(aCallContext({ ...chain, people: [withNotice, ...people.slice(1)] }, priority(3)));
  assert.deepEqual(story.begins(), ['u1', '[u1]']);
  assert.deepEqual(story.ends(1, 'reached', true), [], 'a notice that arrived stops nothing');
  assert.deepEqual(story.ends(1, 'failed'), ['u2']);
});

test('an alarm that joins a running cycle is sent as a notice, at most one a minute', () => {
  const story = new Story(aCallContext({ ...chain, people: [withNotice, ...people.slice(1)] }, priority(3)));
  story.begins();
  story.ends(1, 'reached', true);
  story.now += 10_000;
  assert.deepEqual(story.apply({ kind: 'cause-added' }), []);
  assert.deepEqual(story.apply({ kind: 'cause-added' }), []);
  assert.equal(callDue(story.call), 60_000);
  assert.deepEqual(story.after(50), ['[u1]'], 'both in one message');
  assert.deepEqual(story.ends(1, 'reached', true, true), [], 'a third one came while it was being sent');
  assert.deepEqual(story.after(60), ['[u1]']);
  story.ends(1, 'reached', true);
  story.now += 120_000;
  assert.deepEqual(story.apply({ kind: 'cause-added' }), ['[u1]'], 'at once, a minute after the last');
});

test('a call that ends untaken sends its last notice first', () => {
  const alone = { people: [withNotice], teams: [aTeam(1, [1])], groups: [aGroup(1)] };
  const story = new Story(aCallContext(alone, priority(3)));
  story.begins();
  assert.deepEqual(story.ends(1, 'failed'), ['nobody-took-it!']);
  assert.deepEqual([story.call.phase, story.call.due], ['pausing', undefined]);
  story.ends(1, 'reached', true);
  assert.equal(story.call.phase, 'ended');
});

test('the last resort falls back to the administrators when its group does not exist, is empty or does not answer', () => {
  const administrators = [aPerson(1), aPerson(9, { isAdministrator: true })];
  const target: CallTarget = { kind: 'last-resort', id: 0 };
  const begun = (lastResortGroupId: number) => {
    const parts = { people: administrators, teams: [aTeam(1, [1]), aTeam(2, [])], groups: [aGroup(1), aGroup(2)] };
    return new Story(aCallContext(parts, { ...priority(1), policy: { lastResortGroupId } }), target);
  };
  assert.deepEqual(begun(77).begins(), ['u9', 'nobody-on-call!']);
  assert.deepEqual(begun(2).begins(), ['u9', 'nobody-on-call!']);
  const answered = begun(1);
  assert.deepEqual(answered.begins(), ['u1']);
  assert.deepEqual(answered.ends(1, 'failed'), ['u9']);
});

test('an alarm that joins when people were called in vain already is called for in another round', () => {
  const two = { people: people.slice(0, 2), teams: [aTeam(1, [1, 2])], groups: [aGroup(1)] };
  const story = new Story(aCallContext(two, priority(3)));
  assert.deepEqual(story.begins(), ['u1', 'u2']);
  story.ends(1, 'failed');
  assert.deepEqual(story.apply({ kind: 'cause-added', isNewAlarm: true }), []);
  assert.deepEqual(story.ends(2, 'failed'), ['nobody-took-it!'], 'the first alarm was called for in vain');
  assert.deepEqual(story.after(60), ['u1', 'u2']);
  story.ends(1, 'failed');
  assert.deepEqual(story.ends(2, 'failed'), ['nobody-took-it!']);
  assert.equal(story.call.phase, 'ended');
});

test('the same alarm by another action, or news, begins no further round', () => {
  const two = { people: people.slice(0, 2), teams: [aTeam(1, [1, 2])], groups: [aGroup(1)] };
  const story = new Story(aCallContext(two, priority(3)));
  story.begins();
  story.ends(1, 'failed');
  story.apply({ kind: 'cause-added' });
  assert.deepEqual(story.ends(2, 'failed'), ['nobody-took-it!']);
});

test('who was reached for the last time before another alarm joined is called for it in a further round', () => {
  const reachedOnceMore = (countAck: number): Story => {
    const person = aPerson(1, { numbers: [aNumber(1, { countAck })] });
    const story = new Story(
      aCallContext({ people: [person], teams: [aTeam(1, [1])], groups: [aGroup(1)] }, priority(3)),
    );
    story.begins();
    story.ends(1, 'reached');
    story.apply({ kind: 'cause-added', isNewAlarm: true });
    assert.deepEqual(
      story.after(120).filter((what) => what === 'u1'),
      ['u1'],
    );
    story.ends(1, 'reached');
    return story;
  };
  const withoutRepeats = reachedOnceMore(0);
  assert.equal(withoutRepeats.call.round, 2);
  assert.deepEqual(withoutRepeats.after(120), ['nobody-took-it!']);
  const withOneRepeat = reachedOnceMore(1);
  assert.equal(withOneRepeat.call.round, 1, 'the repeated attempt announces both alarms');
  assert.deepEqual(withOneRepeat.after(120), ['nobody-took-it!']);
});

/** Lets an alarm join every 20 s while no phone is answered; returns who was called, or reported, first at which second. */
function streamOfAlarms(story: Story, seconds: number): ReadonlyMap<string, number> {
  const firsts = new Map<string, number>();
  const ends = new Map<string, number>();
  const note = (what: readonly string[]): void => {
    for (const one of what) if (!firsts.has(one)) firsts.set(one, story.now / 1000);
    for (const { id, attempts, phase } of story.call.cycles)
      if (phase === 'attempting' && !ends.has(`${id} ${attempts}`)) ends.set(`${id} ${attempts}`, story.now + 30_000);
  };
  note(story.begins());
  for (let second = 1; second <= seconds; second++) {
    story.now = second * 1000;
    for (const { id: cycleId, attempts, phase } of story.call.cycles)
      if (phase === 'attempting' && (ends.get(`${cycleId} ${attempts}`) ?? 0) <= story.now)
        note(story.apply({ kind: 'attempt-ended', cycleId, outcome: unanswered }));
    if (second % 20 === 0) note(story.apply({ kind: 'cause-added', isNewAlarm: true }));
    if ((callDue(story.call) ?? Number.POSITIVE_INFINITY) <= story.now) note(story.apply({ kind: 'time' }));
  }
  return firsts;
}

const unanswered = { kind: 'failed', retry: 'later', reason: 'no answer' } as const;

test('a stream of alarms keeps no older one of priority 1 from its relief and from the report that nobody took it', () => {
  for (const timeToTakeSeconds of [undefined, 0]) {
    const groups = [
      aGroup(1, { reliefGroupId: 2, ...(timeToTakeSeconds === 0 ? { timeToTakeSeconds } : {}) }),
      aGroup(2),
    ];
    const firsts = streamOfAlarms(new Story(aCallContext({ ...chain, groups }, priority(1))), 600);
    assert.deepEqual([firsts.get('u2'), firsts.get('u3'), firsts.get('nobody-took-it!')], [30, 60, 90]);
  }
});

test('a stream of alarms is reported as called for in vain after every round', () => {
  const one = { people: people.slice(0, 1), teams: [aTeam(1, [1])], groups: [aGroup(1)] };
  const story = new Story(aCallContext(one, priority(2)));
  let reports = 0;
  const apply = story.apply.bind(story);
  story.apply = (event) => {
    const what = apply(event);
    reports += what.filter((told) => told === 'nobody-took-it!').length;
    return what;
  };
  streamOfAlarms(story, 600);
  assert.ok(reports >= 5, `${reports} reports in ten minutes`);
});

test('a pause that ends while a phone rings for the round before goes on with who is due, and is not due at once', () => {
  const two = { people: people.slice(0, 2), teams: [aTeam(1, [1, 2])], groups: [aGroup(1)] };
  const story = new Story(aCallContext(two, priority(1)));
  story.begins();
  const isDown = (userId: number) => {
    const cycleId = story.call.cycles.find((one) => one.userId === userId && one.phase === 'attempting')?.id ?? 0;
    const outcome = { kind: 'failed', retry: 'channel-up', reason: 'down' } as const;
    story.apply({ kind: 'attempt-ended', cycleId, outcome });
  };
  for (let minute = 0; minute < 4; minute++) {
    isDown(1);
    isDown(2);
    story.after(60);
  }
  isDown(2);
  assert.deepEqual(story.after(60), ['u2'], 'u1 rings, the channel of u2 is tried again');
  assert.ok((callDue(story.call) ?? 0) > story.now);
});

test('who has no number for an alarm that joined gets one row that says so', () => {
  const ofLess = aPerson(1, { numbers: [aNumber(1, { priorities: { from: 2, to: 9 } })] });
  const other = aPerson(2, { numbers: [aNumber(2, { countTry: 5 })] });
  const parts = { people: [ofLess, other], teams: [aTeam(1, [1, 2])], groups: [aGroup(1)] };
  const story = new Story(aCallContext(parts, priority(3)));
  story.begins();
  story.ends(1, 'failed');
  story.context = { ...story.context, ...priority(1) };
  const rows = [...story.apply({ kind: 'cause-added', isNewAlarm: true })];
  for (let time = 0; time < 3; time++) rows.push(...story.ends(2, 'failed'), ...story.after(60));
  assert.equal(rows.filter((row) => row === 'not u1').length, 1);
});
