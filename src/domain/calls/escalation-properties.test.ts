// Properties of the escalation rules that hold after any sequence of events, for any people and groups.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import {
  aCallContext,
  aGroup,
  aNumber,
  aPerson,
  aTeam,
  cycleIds,
} from '../../../test/harness/simulation/call-contexts.ts';
import { soak } from '../../../test/harness/soak.ts';
import { onDutyIn } from '../on-call/on-duty.ts';
import { attemptLines } from './busy-lines.ts';
import {
  type Call,
  type CallEvent,
  type CallStep,
  type CallTarget,
  type Cycle,
  callDue,
  isOpen,
  newCall,
} from './call.ts';
import type { CallContext } from './decision-context.ts';
import { advanceCall } from './escalation.ts';

const userId = fc.integer({ min: 1, max: 5 });
const userIds = fc.uniqueArray(userId, { maxLength: 3 });

const numbers = fc.array(
  fc.record({
    valid: fc.boolean(),
    final: fc.boolean(),
    countTry: fc.integer({ min: 1, max: 3 }),
    countAck: fc.integer({ min: 0, max: 2 }),
    acksWhenReached: fc.boolean(),
  }),
  { maxLength: 2 },
);

const people = fc.array(
  fc.record({
    numbers,
    onDuty: fc.boolean(),
    isAdministrator: fc.boolean(),
    replacedById: fc.option(userId, { nil: undefined }),
  }),
  { minLength: 5, maxLength: 5 },
);

const groups = fc.array(
  fc.record({
    members: userIds,
    relief: userIds,
    callMode: fc.constantFrom('all', 'turn'),
    reliefMode: fc.constantFrom('nobodyReached', 'perUser'),
    reliefGroupId: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
    discardWhenNobodyOnCall: fc.boolean(),
  }),
  { minLength: 3, maxLength: 3 },
);

const contexts = fc
  .record({
    people,
    groups,
    cap: fc.option(fc.record({ attempts: fc.integer({ min: 1, max: 4 }), windowMs: fc.constant(900_000) }), {
      nil: undefined,
    }),
    callAgain: fc.boolean(),
    hasSimulator: fc.boolean(),
    mostUrgent: fc.integer({ min: 1, max: 3 }),
    lastResortGroupId: fc.option(fc.constant(2), { nil: undefined }),
  })
  .map(
    ({ people, groups, mostUrgent, ...policy }): CallContext =>
      aCallContext(
        {
          people: people.map(({ numbers, ...person }, index) =>
            aPerson(index + 1, { ...person, numbers: numbers.map((number, order) => aNumber(order + 1, number)) }),
          ),
          teams: groups.map(({ members, relief }, index) => aTeam(index + 1, members, relief)),
          groups: groups.map(({ members: _, relief: __, ...group }, index) => aGroup(index + 1, group)),
        },
        { policy, causes: { areAny: true, isAsking: true, mostUrgent, isUntilAcknowledged: mostUrgent < 3 } },
      ),
  );

type Input =
  | 'time'
  | 'reached'
  | 'lost'
  | 'never'
  | 'channel-down'
  | 'heard'
  | 'heard-some'
  | 'decline'
  | 'later'
  | 'more'
  | 'escalated'
  | 'elsewhere'
  | 'taken';
const inputs = fc.array(
  fc.record({
    what: fc.constantFrom<Input>(
      'time',
      'time',
      'reached',
      'lost',
      'lost',
      'never',
      'channel-down',
      'heard',
      'heard-some',
      'decline',
      'later',
      'more',
      'escalated',
      'elsewhere',
      'taken',
    ),
    pick: fc.nat({ max: 9 }),
  }),
  { maxLength: 60 },
);

const targets = fc.constantFrom<Call['target']>(
  { kind: 'group', id: 1 },
  { kind: 'user', id: 1 },
  { kind: 'last-resort', id: 0 },
);

/**
 * A call with its environment: attempts under way, lines in use, recent attempts, and the person called last in turn.
 */
class World {
  now = 0;
  call: Call;
  context: CallContext;
  /** Cycles with an attempt that is under way, and the lines it is on. */
  readonly ringing = new Map<number, readonly string[]>();
  /** Another call occupies the line of person 1. */
  isElsewhere = false;
  /** How often somebody asked to be called later, which allows further attempts. */
  laterCount = 0;
  /** How often an attempt failed because no provider worked; it uses up no try. */
  channelDownCount = 0;
  /** The rounds in which somebody passed the call on to the relief group by hand. */
  readonly escalatedRounds = new Set<number>();

  constructor(target: Call['target'], context: CallContext) {
    this.call = newCall(target);
    this.context = { ...context, newCycleId: cycleIds() };
  }

  apply(event: CallEvent): CallStep {
    if (event.kind === 'attempt-ended') this.ringing.delete(event.cycleId);
    const linesInUse = new Set([...this.ringing.values()].flat());
    if (this.isElsewhere) linesInUse.add('person 1');
    const step = advanceCall(this.call, event, { ...this.context, linesInUse }, this.now);
    this.call = step.call;
    const recent = new Map(this.context.recentAttempts);
    for (const attempt of step.attempts.filter(({ number }) => number !== undefined)) {
      const { cycleId, userId, number } = attempt;
      const lines = attemptLines(attempt);
      assert.ok(!this.ringing.has(cycleId), 'a cycle has at most one attempt under way');
      assert.ok(number?.valid && number.verified, 'only numbers that may be used are called');
      assert.ok(!lines.some((line) => linesInUse.has(line)), 'no line is called that is in use');
      for (const line of lines) linesInUse.add(line);
      this.ringing.set(cycleId, lines);
      recent.set(userId, [...(recent.get(userId) ?? []), this.now]);
    }
    const attempting = new Set(this.call.cycles.filter(({ phase }) => phase === 'attempting').map(({ id }) => id));
    // The dispatcher aborts the attempt of a cycle that has ended.
    for (const id of this.ringing.keys()) if (!attempting.has(id)) this.ringing.delete(id);
    this.context = {
      ...this.context,
      recentAttempts: recent,
      lastInTurn: new Map([...this.context.lastInTurn, ...step.inTurn]),
    };
    return step;
  }

  /** Returns the event of the input; undefined if it cannot happen now. */
  eventOf(what: Input, pick: number): CallEvent | undefined {
    const [cycleId] = [...this.ringing.keys()].slice(pick % Math.max(1, this.ringing.size));
    const cycle = this.call.cycles[pick % Math.max(1, this.call.cycles.length)];
    switch (what) {
      case 'time':
        this.now = Math.max(this.now, callDue(this.call) ?? this.now);
        return { kind: 'time' };
      case 'reached':
        return cycleId === undefined ? undefined : { kind: 'attempt-ended', cycleId, outcome: { kind: 'reached' } };
      case 'lost':
      case 'never': {
        const outcome = { kind: 'failed', retry: what === 'never' ? 'never' : 'later', reason: 'x' } as const;
        return cycleId === undefined ? undefined : { kind: 'attempt-ended', cycleId, outcome };
      }
      case 'channel-down': {
        if (cycleId === undefined) return undefined;
        this.channelDownCount++;
        return { kind: 'attempt-ended', cycleId, outcome: { kind: 'failed', retry: 'channel-up', reason: 'x' } };
      }
      case 'heard':
      case 'heard-some':
        return cycle && { kind: 'answered', userId: cycle.userId, answer: 'heard', hasMore: what === 'heard-some' };
      case 'decline':
        return cycle && { kind: 'answered', userId: cycle.userId, answer: 'decline' };
      case 'later':
        this.laterCount++;
        return cycle && { kind: 'answered', userId: cycle.userId, answer: 'later' };
      case 'more':
        return { kind: 'cause-added' };
      case 'escalated':
        this.escalatedRounds.add(this.call.round);
        return { kind: 'escalated', by: 'x' };
      case 'elsewhere':
        this.isElsewhere = !this.isElsewhere;
        return { kind: 'time' };
      case 'taken':
        return { kind: 'causes-ended', reason: 'taken' };
    }
  }
}

/** Replaces every sentence of the value by other text: rules must read only codes. */
function withNoise<T>(value: T): T {
  let count = 0;
  const sentences = new Set(['reason', 'sentence', 'by']);
  return JSON.parse(JSON.stringify(value), (key, inner) =>
    sentences.has(key) && typeof inner === 'string' ? `noise ${++count}` : inner,
  );
}

function withoutSentences({ call, attempts, notes, troubles, inTurn }: CallStep): unknown {
  return withNoise({ call, attempts, notes, troubles, inTurn: [...inTurn] });
}

test('a call takes the same steps when every sentence in it is replaced by noise', () => {
  const property = fc.property(targets, contexts, inputs, (target, context, story) => {
    const [plain, noisy] = [new World(target, context), new World(target, context)];
    const bothApply = (event: CallEvent): void => {
      noisy.call = withNoise(noisy.call);
      assert.deepEqual(withoutSentences(noisy.apply(withNoise(event))), withoutSentences(plain.apply(event)));
    };
    bothApply({ kind: 'begin' });
    for (const { what, pick } of story) {
      const event = plain.eventOf(what, pick);
      noisy.eventOf(what, pick);
      if (event !== undefined) bothApply(event);
    }
  });
  fc.assert(property, { numRuns: soak(2_000) });
});

function holdsFuture({ call, ringing, channelDownCount }: World): void {
  const open = call.cycles.filter(isOpen);
  for (const cycle of open)
    assert.ok(cycle.due !== undefined || ringing.has(cycle.id), `an open cycle has a next step: ${cycle.phase}`);
  for (const cycle of call.cycles.filter((one) => !isOpen(one))) assert.equal(cycle.due, undefined);
  if (call.phase === 'ended') assert.deepEqual([open, call.due], [[], undefined]);
  else if (call.phase === 'calling') assert.ok(open.length > 0, 'somebody is being called');
  else {
    const called = open.filter(({ isNotice }) => !isNotice);
    // Only people whose channel was down are called after the end of a round.
    if (channelDownCount === 0) assert.deepEqual(called, [], `${call.phase} with nobody being called`);
    assert.ok(call.due !== undefined || open.length > 0, `${call.phase} until a time, or until a notice is sent`);
  }
}

/** Tries are bounded per number by `countTry`, and repeated for each unanswered delivery, which `countAck` bounds. */
function mostAttempts({ userId }: Cycle, { snapshot }: CallContext): number {
  const numbers = snapshot.people.get(userId)?.numbers ?? [];
  return numbers.reduce((sum, { countTry, countAck }) => sum + countTry * (countAck + 1), 0);
}

function everywhere(check: (world: World, step: CallStep, before: Call) => void): void {
  const property = fc.property(targets, contexts, inputs, (target, context, story) => {
    const world = new World(target, context);
    check(world, world.apply({ kind: 'begin' }), newCall(target));
    for (const { what, pick } of story) {
      const isOver = what === 'taken' && pick === 0;
      if (isOver) world.context = { ...world.context, causes: { ...world.context.causes, areAny: false } };
      const event = what === 'taken' && !isOver ? undefined : world.eventOf(what, pick);
      if (event === undefined) continue;
      const before = world.call;
      check(world, world.apply(event), before);
      if (isOver) assert.equal(world.call.phase, 'ended');
    }
  });
  fc.assert(property, { numRuns: soak(2_000) });
}

test('an open call has a next step, and an ended call has none', () => {
  everywhere((world) => holdsFuture(world));
});

test('an ended call does not change and calls nobody', () => {
  everywhere((_, step, before) => {
    if (before.phase === 'ended') assert.deepEqual([step.call, step.attempts], [before, []]);
  });
});

test('a contact cycle makes no more attempts than its numbers allow', () => {
  everywhere(({ call, context, laterCount, channelDownCount }) => {
    for (const cycle of call.cycles) {
      const most = mostAttempts(cycle, context) * (1 + laterCount) + channelDownCount;
      assert.ok(cycle.attempts <= most, JSON.stringify(cycle));
    }
  });
});

test('a round calls each group once, and no person has two open cycles', () => {
  everywhere(({ call }) => {
    assert.equal(new Set(call.visited).size, call.visited.length);
    // After its group the last resort calls the administrators.
    const mostLevels = call.visited.length + (call.target.kind === 'last-resort' ? 1 : 0);
    assert.ok(call.level < Math.max(1, mostLevels));
    const open = call.cycles
      .filter(isOpen)
      .map(({ userId, isNotice, numberId }) => `${userId} ${isNotice && numberId}`);
    assert.equal(new Set(open).size, open.length);
    assert.equal(new Set(call.cycles.map(({ id }) => id)).size, call.cycles.length);
  });
});

/** Returns everybody on the way up: who is on duty in the group and in its relief groups, relief members included. */
function peopleOnWayUp(target: CallTarget, { snapshot, policy }: CallContext): ReadonlySet<number> {
  const found = new Set<number>();
  const seen = new Set<number>();
  let groupId =
    target.kind === 'group' ? target.id : target.kind === 'last-resort' ? policy.lastResortGroupId : undefined;
  while (groupId !== undefined && !seen.has(groupId)) {
    seen.add(groupId);
    const group = snapshot.groups.get(groupId);
    for (const { userId } of group === undefined ? [] : onDutyIn(group, snapshot, 0).members) found.add(userId);
    groupId = group?.reliefGroupId;
  }
  return found;
}

test('no round ends untaken while somebody on the way up was not called', () => {
  everywhere(({ call, context, escalatedRounds }, _step, before) => {
    const hasEnded = before.phase === 'calling' && (call.phase === 'pausing' || call.phase === 'ended');
    // Escalating by hand skips members of the group who were not called yet, for the rest of the round.
    if (!hasEnded || !context.causes.areAny || escalatedRounds.has(call.round)) return;
    const called = new Set(call.cycles.map(({ userId }) => userId));
    for (const userId of peopleOnWayUp(call.target, context))
      assert.ok(called.has(userId), `u${userId} was not called`);
  });
});
