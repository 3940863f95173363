// Property tests of transition.ts: invariants that hold after any sequence of commands.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { soak } from '../../../test/harness/soak.ts';
import { type AlarmCommand, type AlarmLife, type AlarmRules, newLife, type Refusal, type Transition } from './alarm.ts';
import { advance, dueTransitions, isOutdated } from './transition.ts';

/** One occurrence, as a history row would hold it. */
type Entry = { readonly openedAt: number; closedAt?: number; acknowledgedAt?: number; isExpired?: boolean };
type TimedCommand = {
  readonly wait: number;
  readonly command: (now: number) => AlarmCommand;
  readonly rules?: Partial<AlarmRules>;
};
type StepCheck = (before: AlarmLife, step: Transition | Refusal, history: readonly Entry[]) => void;

const report = fc.record({ isRaised: fc.boolean() }).map(
  ({ isRaised }) =>
    (): AlarmCommand => ({ kind: 'report', isRaised }),
);
const late = fc.record({ isRaised: fc.boolean(), age: fc.integer({ min: -3_000, max: 3_000 }) }).map(
  ({ isRaised, age }) =>
    (now: number): AlarmCommand => ({ kind: 'report', isRaised, sourceTime: now - age }),
);
const mask = fc.integer({ min: -1_000, max: 9_000 }).map(
  (length) =>
    (now: number): AlarmCommand => ({ kind: 'mask', until: now + length, reason: 'x', by: 'user:1' }),
);
const unmask = fc.constant((): AlarmCommand => ({ kind: 'unmask' }));
const others = fc
  .constantFrom<AlarmCommand>(
    { kind: 'acknowledge', by: 'user:1', comment: '' },
    { kind: 'acknowledge', by: 'user:1', comment: '', lastsMs: 2_000 },
    { kind: 'reset' },
    { kind: 'define' },
    { kind: 'unclear' },
    { kind: 'delayElapsed' },
    { kind: 'maskExpired' },
  )
  .map((command) => () => command);

const anyRules = fc.record({
  transitory: fc.boolean(),
  reactivatable: fc.boolean(),
  resettable: fc.boolean(),
  temporary: fc.boolean(),
  alarmDelay: fc.constantFrom(0, 0, 1, 3),
});
const forward = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4_000 }));
const jumping = fc.oneof(forward, fc.integer({ min: -2_000, max: -1 }));

const anything = timedCommands(fc.oneof({ arbitrary: report, weight: 4 }, late, mask, unmask, others), jumping, {
  withNewRules: true,
});

function timedCommands(
  command: fc.Arbitrary<(now: number) => AlarmCommand>,
  wait: fc.Arbitrary<number>,
  { withNewRules }: { readonly withNewRules: boolean },
): fc.Arbitrary<TimedCommand[]> {
  const rules = withNewRules ? fc.option(anyRules, { nil: {}, freq: 10 }) : fc.constant({});
  return fc.array(fc.record({ wait, command, rules }), { maxLength: 40 });
}

/** Applies the commands in turn until the alarm is removed, and passes each step to `check`. */
function runSequence(rules: AlarmRules, sequence: readonly TimedCommand[], check: StepCheck): AlarmLife {
  const history: Entry[] = [];
  let now = 1_000_000;
  let life = newLife(rules, now);
  for (const timed of sequence) {
    now += timed.wait;
    life = { ...life, rules: { ...life.rules, ...timed.rules } };
    const { due, outcome } = advance(freeze(life), freeze(timed.command(now)), now);
    for (const step of [...due, outcome]) {
      const before = life;
      if (step.kind === 'accepted') {
        life = step.life;
        applyToHistory(history, step);
      }
      check(before, step, history);
      if (step.kind === 'accepted' && step.isRemoved) return life;
    }
  }
  return life;
}

function freeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) freeze(inner);
  return Object.freeze(value);
}

/** Applies the changes to the history as a store would, and fails where a store would fail. */
function applyToHistory(history: Entry[], { occurrences, reason }: Transition): void {
  const newestEntry = history.at(-1);
  if (reason === 'acknowledgement-expired' && newestEntry !== undefined) newestEntry.isExpired = true;
  for (const change of occurrences) {
    const open = history.filter(({ closedAt }) => closedAt === undefined);
    const waiting = history.filter(({ acknowledgedAt }) => acknowledgedAt === undefined);
    const newest = Math.max(0, ...history.flatMap((e) => [e.openedAt, e.closedAt ?? 0, e.acknowledgedAt ?? 0]));
    assert.ok(change.at >= newest, 'times never run backwards');
    if (change.kind === 'open') {
      assert.equal(open.length, 0, 'occurrences do not overlap');
      history.push({ openedAt: change.at });
    } else if (change.kind === 'close') {
      assert.equal(open.length, 1, 'exactly one occurrence is open before a close');
      for (const entry of open) entry.closedAt = change.at;
    } else {
      assert.ok(history.some(isWaiting), 'there is something to acknowledge');
      for (const entry of waiting) entry.acknowledgedAt = change.at;
      for (const entry of history) entry.isExpired = false;
    }
  }
}

const runs = { numRuns: soak(3_000) };
const isOpen = ({ closedAt }: Entry): boolean => closedAt === undefined;
const isWaiting = ({ acknowledgedAt, isExpired }: Entry): boolean => acknowledgedAt === undefined || isExpired === true;

test('the state always matches the history, and no impossible combination of fields is reached', () => {
  fc.assert(
    fc.property(anyRules, anything, (rules, sequence) => {
      runSequence(rules, sequence, (before, step, history) => {
        if (step.kind === 'refused') return;
        const { life } = step;
        assert.equal(life.state, (history.some(isOpen) ? 1 : 0) + (history.some(isWaiting) ? 2 : 0));
        assert.equal(life.raisedAt, history.at(-1)?.openedAt);
        if (life.ackUntil !== undefined)
          assert.ok(life.state === 1 && life.mask === undefined, 'only such an expiry counts');
        if (life.isLatched) assert.ok(history.some(isOpen), 'only active alarms are latched');
        if (life.pendingSince !== undefined) assert.ok(!history.some(isOpen), 'an active alarm has no running delay');
        assert.ok(life.lastChange >= before.lastChange);
        assert.equal(
          step.isChanged,
          life.state !== before.state || step.occurrences.length > 0 || isVisibleChange(before, life),
        );
      });
    }),
    runs,
  );
});

function isVisibleChange(before: AlarmLife, after: AlarmLife): boolean {
  return before.mask !== after.mask || before.isLatched !== after.isLatched;
}

test('a temporary alarm is removed exactly when it is back to normal and acknowledged', () => {
  fc.assert(
    fc.property(anyRules, anything, (rules, sequence) => {
      runSequence(rules, sequence, (before, step, history) => {
        if (step.kind === 'refused') return;
        const isOver = history.length > 0 && history.every((entry) => !isOpen(entry) && !isWaiting(entry));
        const wasOver = before.raisedAt !== undefined && before.state === 0 && before.pendingSince === undefined;
        const expected = step.life.rules.temporary && isOver && step.life.pendingSince === undefined && !wasOver;
        assert.equal(step.isRemoved, expected);
        if (step.isRemoved) assert.equal(step.nextDue, undefined);
      });
    }),
    runs,
  );
});

/** `age`: how long ago its source saw it; without one it has no timestamp. */
type Arriving = { readonly wait: number; readonly isRaised: boolean; readonly age: number | undefined };
const arriving: fc.Arbitrary<Arriving> = fc.record({
  wait: fc.integer({ min: 0, max: 3 }),
  isRaised: fc.boolean(),
  age: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined }),
});

test('in whatever order reports arrive, the alarm ends as the newest of them says', () => {
  fc.assert(
    fc.property(fc.array(arriving, { minLength: 1, maxLength: 12 }), (sequence) => {
      let now = 1_000_000;
      let life = newLife(
        { transitory: false, reactivatable: false, resettable: true, temporary: false, alarmDelay: 0 },
        now,
      );
      let newest = { time: 0, isRaised: false };
      for (const [index, { wait, isRaised, age = index === 0 ? 0 : undefined }] of sequence.entries()) {
        now += wait;
        const sourceTime = age === undefined ? undefined : now - age;
        const isOld = sourceTime !== undefined && isOutdated(life, sourceTime, now);
        assert.equal(isOld, (sourceTime ?? now) < newest.time);
        if (!isOld) newest = { time: sourceTime ?? now, isRaised };
        const timed = sourceTime === undefined ? {} : { sourceTime };
        const command: AlarmCommand = isOld ? { kind: 'stale' } : { kind: 'report', isRaised, ...timed };
        const { outcome } = advance(life, command, now);
        if (outcome.kind === 'accepted') life = outcome.life;
        assert.equal((life.state & 1) === 1, newest.isRaised);
      }
    }),
    runs,
  );
});

test('a masked alarm is not announced and runs no alarm actions; the end of the mask runs them in state 3', () => {
  fc.assert(
    fc.property(anyRules, anything, (rules, sequence) => {
      runSequence(rules, sequence, (before, step) => {
        if (step.kind === 'refused') return;
        assert.equal(step.isAnnounced, step.actions.includes('alarm'));
        if (step.life.mask !== undefined) assert.ok(!step.isAnnounced);
        const hasEnded = before.mask !== undefined && step.life.mask === undefined;
        if (hasEnded) assert.deepEqual(step.actions, step.life.state === 3 ? ['alarm'] : []);
        if (before.mask === undefined && step.life.mask !== undefined) assert.equal(step.runningCalls, 'end');
      });
    }),
    runs,
  );
});

test('an alarm that is never masked is announced exactly once for each occurrence', () => {
  const unmasked = timedCommands(fc.oneof({ arbitrary: report, weight: 4 }, late, unmask, others), jumping, {
    withNewRules: true,
  });
  fc.assert(
    fc.property(anyRules, unmasked, (rules, sequence) => {
      runSequence(rules, sequence, (_, step) => {
        if (step.kind === 'refused') return;
        const opened = step.occurrences.filter(({ kind }) => kind === 'open').length;
        assert.equal(step.isAnnounced ? 1 : 0, opened);
      });
    }),
    runs,
  );
});

/** Computes independently of the state machine when a condition that held for its delay should be raised. */
function expectedRaises(reports: readonly { at: number; isRaised: boolean }[], delayMs: number): number[] {
  const raises: number[] = [];
  let since: number | undefined;
  for (const { at, isRaised } of [...reports, { at: Number.POSITIVE_INFINITY, isRaised: false }]) {
    if (isRaised) since ??= at;
    else {
      if (since !== undefined && at - since >= delayMs) raises.push(since + delayMs);
      since = undefined;
    }
  }
  return raises;
}

test('a delay is exact, and a late timer changes when an alarm is raised but never whether', () => {
  fc.assert(
    fc.property(
      timedCommands(report, forward, { withNewRules: false }),
      fc.integer({ min: 0, max: 4 }),
      (sequence, alarmDelay) => {
        const rules = { transitory: false, reactivatable: false, resettable: true, temporary: false, alarmDelay };
        let now = 1_000_000;
        const reports = sequence.map(({ wait, command }) => {
          now += wait;
          const reported = command(now);
          return { at: now, isRaised: reported.kind === 'report' && reported.isRaised };
        });
        const expected = expectedRaises(reports, alarmDelay * 1000);
        assert.deepEqual(raisesOf(rules, reports, true), expected);
        assert.equal(raisesOf(rules, reports, false).length, expected.length);
      },
    ),
    runs,
  );
});

/** Returns the raise times, with a timer that is on time or with none before the very end. */
function raisesOf(
  rules: AlarmRules,
  reports: readonly { at: number; isRaised: boolean }[],
  isOnTime: boolean,
): number[] {
  const raises: number[] = [];
  let life = newLife(rules, 0);
  const apply = (steps: readonly (Transition | Refusal)[]): void => {
    for (const step of steps) {
      assert.equal(step.kind, 'accepted');
      if (step.kind !== 'accepted') return;
      life = step.life;
      raises.push(...step.occurrences.filter(({ kind }) => kind === 'open').map(({ at }) => at));
    }
  };
  const wake = (until: number): void => {
    const due = life.pendingSince === undefined ? until : life.pendingSince + rules.alarmDelay * 1000;
    if (isOnTime && due < until) apply(dueTransitions(life, due));
  };
  for (const { at, isRaised } of reports) {
    wake(at);
    const { due, outcome } = advance(life, { kind: 'report', isRaised }, at);
    apply([...due, outcome]);
  }
  wake(Number.POSITIVE_INFINITY);
  apply(dueTransitions(life, 10_000_000_000));
  return raises;
}
