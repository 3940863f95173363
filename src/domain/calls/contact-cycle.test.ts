// The contact cycle of one person: next number, tries, intervals, and its end.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aCallContext, aNumber, aPerson } from '../../../test/harness/simulation/call-contexts.ts';
import type { StoredSchedule } from '../on-call/schedule.ts';
import type { ContactNumber } from '../people/person.ts';
import type { AttemptOutcome } from './call.ts';
import {
  afterAttempt,
  afterSilence,
  attemptNow,
  type CycleStep,
  newCycle,
  reasonForNextAttempt,
} from './contact-cycle.ts';
import { isUsable } from './usable-numbers.ts';

const contact = { userId: 1, groupId: 7, level: 0, isRelief: false };
const reached: AttemptOutcome = { kind: 'reached' };
const lost: AttemptOutcome = { kind: 'failed', retry: 'later', reason: 'no answer' };
const never: AttemptOutcome = { kind: 'failed', retry: 'never', reason: 'bad number' };

const contextWith = (numbers: readonly ContactNumber[], change: Parameters<typeof aCallContext>[1] = {}) =>
  aCallContext({ people: [aPerson(1, { numbers })] }, change);

/** Prints `phase number due reason`, and the attempt as `#count number`. */
function printStep({ cycle, attempt }: CycleStep): string {
  const due = cycle.due === undefined ? '-' : cycle.due / 1000;
  const made = attempt === undefined ? '' : ` #${attempt.attempt} ${attempt.number?.id ?? '-'}`;
  return `${cycle.phase} ${cycle.numberId ?? '-'} ${due} ${cycle.reason}${made}`;
}

/** Runs a new cycle: outcomes, `silence` for no answer, `time` for the end of a pause; one second per step. */
function runCycle(
  numbers: readonly ContactNumber[],
  inputs: readonly (AttemptOutcome | 'silence' | 'time')[],
): string[] {
  const context = contextWith(numbers);
  let step = attemptNow(newCycle(-1, contact), 'raised', context, 0);
  const lines = [printStep(step)];
  for (const [index, input] of inputs.entries()) {
    const now = (index + 1) * 1000;
    if (input === 'silence') step = afterSilence(step.cycle, context, now);
    else if (input === 'time') step = attemptNow(step.cycle, 'unanswered', context, now);
    else step = afterAttempt(step.cycle, input, context, now);
    lines.push(printStep(step));
  }
  return lines;
}

test('a number is tried countTry times at its retry interval, then the next number', () => {
  const numbers = [aNumber(1, { countTry: 2, timeToRetrySeconds: 60 }), aNumber(2)];
  assert.deepEqual(runCycle(numbers, [lost, 'time', lost, lost]), [
    'attempting 1 - raised #1 1',
    'pausing 1 61 no answer',
    'attempting 1 - unanswered #2 1',
    'attempting 2 - no answer #3 2',
    'failed 2 - no answer',
  ]);
});

test('a number whose channel is down is kept until the channel works, and uses up no try', () => {
  const down: AttemptOutcome = { kind: 'failed', retry: 'channel-up', reason: 'no provider works' };
  assert.deepEqual(runCycle([aNumber(1, { countTry: 1 }), aNumber(2, { countTry: 1 })], [down, down, 'time', lost]), [
    'attempting 1 - raised #1 1',
    'attempting 2 - no provider works #2 2',
    'held 2 62 no provider works',
    'attempting 2 - unanswered #3 2',
    'failed 2 - no answer',
  ]);
});

test('a number that failed permanently is not tried again', () => {
  assert.deepEqual(runCycle([aNumber(1, { countTry: 9 }), aNumber(2)], [never, never]), [
    'attempting 1 - raised #1 1',
    'attempting 2 - bad number #2 2',
    'failed 2 - bad number',
  ]);
});

test('a number that was reached without an answer is repeated countAck times, then the next number', () => {
  assert.deepEqual(
    runCycle([aNumber(1, { countAck: 1 }), aNumber(2)], [reached, 'silence', reached, 'silence', lost]),
    [
      'attempting 1 - raised #1 1',
      'reached 1 121 reached, awaiting acknowledgement',
      'attempting 1 - reached, but not acknowledged #2 1',
      'reached 1 123 reached, awaiting acknowledgement',
      'attempting 2 - reached, but not acknowledged #3 2',
      'failed 2 - no answer',
    ],
  );
});

test('a number that is not final rings only if no final one can be used', () => {
  const sms = aNumber(1, { channel: 'sms', final: false });
  assert.deepEqual(runCycle([sms, aNumber(2)], [reached]), [
    'attempting 2 - raised #1 2',
    'reached 2 121 reached, awaiting acknowledgement',
  ]);
  assert.deepEqual(runCycle([sms, aNumber(2, { valid: false })], [reached]), [
    'attempting 1 - raised #1 1',
    'reached 1 121 reached, awaiting acknowledgement',
  ]);
});

test('a number is used for the alarms of its priorities', () => {
  const numbers = [aNumber(1, { priorities: { from: 1, to: 1 } }), aNumber(2, { priorities: { from: 3, to: 9 } })];
  assert.deepEqual(runCycle(numbers, []), ['attempting 2 - raised #1 2']);
});

test('a number with acksWhenReached acknowledges the call when it is reached', () => {
  assert.deepEqual(runCycle([aNumber(1, { acksWhenReached: true })], [reached]), [
    'attempting 1 - raised #1 1',
    'acknowledged 1 - being reached counts as acknowledged',
  ]);
});

test('the cycle of a person without a usable number fails at once, with a row that gives the reason', () => {
  const table: readonly [readonly ContactNumber[], boolean, string][] = [
    [[], true, 'failed - - has no number #0 -'],
    // The stand-in of a person without another number rings only in the simulator.
    [[aNumber(1, { isStandIn: true })], true, 'attempting 1 - raised #1 1'],
    [[aNumber(1, { isStandIn: true })], false, 'failed - - has no number #0 -'],
    [[aNumber(1, { valid: false })], true, 'failed - - no number can be used now #0 -'],
    [[aNumber(1, { verified: false }), aNumber(2)], true, 'attempting 2 - raised #1 2'],
  ];
  for (const [numbers, hasSimulator, expected] of table) {
    const context = contextWith(numbers, { policy: { hasSimulator } });
    assert.equal(printStep(attemptNow(newCycle(-1, contact), 'raised', context, 0)), expected);
  }
  const nobody = aCallContext({ people: [] });
  assert.equal(
    printStep(attemptNow(newCycle(-1, contact), 'raised', nobody, 0)),
    'failed - - does not exist any more #0 -',
  );
});

test('a cycle at the cap is held until the oldest attempt leaves the window', () => {
  const table: readonly [recent: readonly number[], mostUrgent: number, expected: string][] = [
    [[90_000], 2, 'attempting 1 - raised #1 1'],
    [[80_000, 90_000], 2, 'held 1 140 throttled until 1970-01-01T00:02:20.000Z #0 -'],
    [[70_000, 80_000, 90_000], 3, 'held 1 140 throttled until 1970-01-01T00:02:20.000Z #0 -'],
    [[10_000, 90_000], 2, 'attempting 1 - raised #1 1'],
    [[80_000, 90_000], 1, 'attempting 1 - raised #1 1'],
  ];
  for (const [recent, mostUrgent, expected] of table) {
    const context = contextWith([aNumber(1)], {
      policy: { cap: { attempts: 2, windowMs: 60_000 } },
      causes: { areAny: true, isAsking: true, mostUrgent, isUntilAcknowledged: true },
      recentAttempts: new Map([[1, recent]]),
    });
    assert.equal(printStep(attemptNow(newCycle(-1, contact), 'raised', context, 100_000)), expected);
  }
});

test('a hold that continues writes no second row', () => {
  const context = contextWith([aNumber(1)], {
    policy: { cap: { attempts: 1, windowMs: 60_000 } },
    recentAttempts: new Map([[1, [90_000]]]),
  });
  const held = attemptNow(newCycle(-1, contact), 'raised', context, 100_000);
  const again = attemptNow(held.cycle, 'another alarm', context, 101_000);
  assert.deepEqual([held.attempt?.attempt, again.attempt, again.cycle.phase], [0, undefined, 'held']);
});

test('a cycle is held while its line is in use: no try is counted, one row is written, the line is checked every minute', () => {
  const numbers = [aNumber(1, { countTry: 1 })];
  const waits = 'waits: their line is in use by another call of ours';
  const table: readonly [inUse: string, change: Partial<ContactNumber>, expected: string][] = [
    ['person 1', {}, `held 1 160 ${waits} #0 -`],
    ['number +3310001', {}, `held 1 160 ${waits} #0 -`],
    ['number +3310002', {}, 'attempting 1 - raised #1 1'],
    ['person 2', {}, 'attempting 1 - raised #1 1'],
    ['person 1', { channel: 'simulator' }, `held 1 160 ${waits} #0 -`],
    // The simulated phones of all people have the same address.
    ['number +3310001', { channel: 'simulator' }, 'attempting 1 - raised #1 1'],
    ['person 1', { channel: 'sms' }, 'attempting 1 - raised #1 1'],
  ];
  for (const [inUse, change, expected] of table) {
    const context = contextWith([aNumber(1, change)], { linesInUse: new Set([inUse]) });
    assert.equal(printStep(attemptNow(newCycle(-1, contact), 'raised', context, 100_000)), expected, inUse);
  }
  const inUse = contextWith(numbers, { linesInUse: new Set(['person 1']) });
  const held = attemptNow(newCycle(-1, contact), 'raised', inUse, 0);
  const still = attemptNow(held.cycle, reasonForNextAttempt(held.cycle), inUse, 60_000);
  assert.equal(printStep(still), `held 1 120 ${waits}`);
  const free = attemptNow(still.cycle, reasonForNextAttempt(still.cycle), contextWith(numbers), 70_000);
  assert.equal(printStep(free), 'attempting 1 - their line is free again #1 1');
  assert.equal(free.cycle.tries, 0);
});

test('a number is usable if it is valid, verified, not locked and within its schedule', () => {
  const night: StoredSchedule = {
    id: 9,
    name: 'night',
    timeZone: 'UTC',
    holidays: { dates: [], icalUrl: undefined, icalDates: [] },
    weekly: [{ teamId: 5, days: ['sun'], from: '20:00', to: '24:00' }],
    rotations: [],
    overrides: [
      {
        id: 1,
        swapId: undefined,
        teamId: undefined,
        userId: undefined,
        from: '2026-11-15T22:00',
        to: '2026-11-15T23:00',
        reason: '',
        lock: true,
      },
    ],
  };
  const hour = (hours: number) => Date.UTC(2026, 10, 15, hours);
  const table: readonly [change: Partial<ContactNumber>, at: number, isUsable: boolean][] = [
    [{}, hour(12), true],
    [{ valid: false }, hour(12), false],
    [{ verified: false }, hour(12), false],
    [{ scheduleId: 9 }, hour(12), false],
    [{ scheduleId: 9 }, hour(20), true],
    [{ scheduleId: 9 }, hour(22), false],
    [{ scheduleId: 99 }, hour(12), true],
    [{ id: 4 }, hour(12), false],
    [{ priorities: { from: 9, to: 1 } }, hour(12), false],
  ];
  const context = { ...aCallContext({ schedules: [night] }), lockedNumbers: new Set([4]) };
  for (const [change, at, expected] of table)
    assert.equal(isUsable(aNumber(1, change), context, at), expected, JSON.stringify(change));
});
