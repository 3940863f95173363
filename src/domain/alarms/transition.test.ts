// Tests every rule of the alarm state machine in transition.ts, as a sequence of commands or a table row; delays and masks
// have a file of their own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ack,
  alarm,
  define,
  delayElapsed,
  mask,
  maskExpired,
  off,
  on,
  plain,
  reset,
  unclear,
  unmask,
} from '../../../test/harness/site/alarm-commands.ts';
import type { AlarmCommand, Transition } from './alarm.ts';
import { newLife } from './alarm.ts';
import { advance, isOutdated, transition } from './transition.ts';

const into: readonly (readonly AlarmCommand[])[] = [[], [on, ack], [on, off], [on]];
const table: readonly [command: AlarmCommand, ...outcomeInState: [string, string, string, string]][] = [
  [
    on,
    'raised 3, open@50, run alarm, announce',
    'updated 1, unchanged',
    'raised 3, open@50, run alarm, announce',
    'updated 3, unchanged',
  ],
  [
    off,
    'defined 0, unchanged',
    'returned 0, close@50, run reset, calls cancel-delayed',
    'defined 2, unchanged',
    'returned 2, close@50, run reset, calls cancel-delayed',
  ],
  [
    ack,
    'refused: nothing-to-acknowledge',
    'refused: already-acknowledged',
    'acknowledged 0, acknowledge@50, run ack, calls end',
    'acknowledged 1, acknowledge@50, run ack, calls end',
  ],
  [reset, 'refused: not-active', 'refused: not-latched', 'refused: not-active', 'refused: not-latched'],
  [
    mask,
    'masked 0, calls end, due@9000',
    'masked 1, calls end, due@9000',
    'masked 2, calls end, due@9000',
    'masked 3, calls end, due@9000',
  ],
  [unmask, 'refused: not-masked', 'refused: not-masked', 'refused: not-masked', 'refused: not-masked'],
  [maskExpired, 'not-due 0, unchanged', 'not-due 1, unchanged', 'not-due 2, unchanged', 'not-due 3, unchanged'],
  [delayElapsed, 'not-due 0, unchanged', 'not-due 1, unchanged', 'not-due 2, unchanged', 'not-due 3, unchanged'],
  [define, 'defined 0, unchanged', 'defined 1, unchanged', 'defined 2, unchanged', 'defined 3, unchanged'],
  [unclear, 'defined 0, unchanged', 'value-unclear 1, unchanged', 'defined 2, unchanged', 'value-unclear 3, unchanged'],
];

for (const [command, ...outcomes] of table) {
  for (const [state, expected] of outcomes.entries()) {
    const what = command.kind === 'report' ? `report ${command.isRaised}` : command.kind;
    test(`in state ${state}, ${what}: ${expected}`, () => {
      const subject = alarm();
      for (const [index, earlier] of into[state]!.entries()) subject.at(10 + index, earlier);
      assert.equal(subject.life.state, state);
      assert.equal(subject.at(50, command), expected);
    });
  }
}

const maskedTable: readonly [command: AlarmCommand, ...outcomeInState: [string, string, string, string]][] = [
  [
    on,
    'raised 3, open@50, due@9000',
    'updated 1, unchanged, due@9000',
    'raised 3, open@50, due@9000',
    'updated 3, unchanged, due@9000',
  ],
  [
    off,
    'defined 0, unchanged, due@9000',
    'returned 0, close@50, run reset, calls cancel-delayed, due@9000',
    'defined 2, unchanged, due@9000',
    'returned 2, close@50, run reset, calls cancel-delayed, due@9000',
  ],
  [
    ack,
    'refused: nothing-to-acknowledge',
    'refused: already-acknowledged',
    'acknowledged 0, acknowledge@50, run ack, calls end, due@9000',
    'acknowledged 1, acknowledge@50, run ack, calls end, due@9000',
  ],
  [unmask, 'unmasked 0', 'unmasked 1', 'unmasked 2', 'unmasked 3, run alarm, announce'],
  [
    maskExpired,
    'not-due 0, unchanged, due@9000',
    'not-due 1, unchanged, due@9000',
    'not-due 2, unchanged, due@9000',
    'not-due 3, unchanged, due@9000',
  ],
];

for (const [command, ...outcomes] of maskedTable) {
  for (const [state, expected] of outcomes.entries()) {
    const what = command.kind === 'report' ? `report ${command.isRaised}` : command.kind;
    test(`masked in state ${state}, ${what}: ${expected}`, () => {
      const subject = alarm();
      for (const [index, earlier] of [...into[state]!, mask].entries()) subject.at(10 + index, earlier);
      assert.equal(subject.at(50, command), expected);
    });
  }
}

test('a reactivatable alarm closes the open occurrence and begins another, also when it was acknowledged', () => {
  const subject = alarm({ reactivatable: true });
  subject.at(1, on);
  assert.equal(subject.at(2, on), 'reactivated 3, close@2, open@2, run alarm, announce');
  subject.at(3, ack);
  assert.equal(subject.at(4, on), 'reactivated 3, close@4, open@4, run alarm, announce');
  assert.equal(subject.life.raisedAt, 4);
});

test('a transitory alarm is back to normal at once, but is announced and called for each time', () => {
  const subject = alarm({ transitory: true });
  assert.equal(subject.at(1, on), 'raised 2, open@1, close@1, run alarm, run reset, announce');
  assert.equal(subject.at(2, on), 'raised 2, open@2, close@2, run alarm, run reset, announce');
  assert.equal(subject.at(3, off), 'defined 2, unchanged');
  assert.equal(subject.at(4, ack), 'acknowledged 0, acknowledge@4, run ack, calls end');
});

test('an active alarm that was redefined as transitory ends with the next report', () => {
  const subject = alarm();
  subject.at(1, on);
  subject.redefine({ transitory: true });
  assert.equal(subject.at(2, on), 'reactivated 2, close@2, open@2, close@2, run alarm, run reset, announce');
});

test('a latched alarm stays active after the return of its source, until an operator resets it', () => {
  const subject = alarm({ resettable: false });
  subject.at(1, on);
  assert.equal(subject.at(2, reset), 'refused: still-active');
  assert.equal(subject.at(3, off), 'latched 3');
  assert.equal(subject.at(4, off), 'updated 3, unchanged');
  assert.equal(subject.at(5, ack), 'acknowledged 1, acknowledge@5, run ack, calls end');
  assert.equal(subject.at(6, reset), 'reset 0, close@6, run reset, calls cancel-delayed');
});

test('a latched alarm whose source reports again cannot be reset until it has returned again', () => {
  const subject = alarm({ resettable: false });
  for (const [index, command] of [on, off].entries()) subject.at(index, command);
  assert.equal(subject.at(5, on), 'updated 3');
  assert.equal(subject.at(6, reset), 'refused: still-active');
  subject.at(7, off);
  assert.equal(subject.at(8, reset), 'reset 2, close@8, run reset, calls cancel-delayed');
});

test('a transitory alarm that latches waits for its reset', () => {
  const subject = alarm({ transitory: true, resettable: false });
  assert.equal(subject.at(1, on), 'raised 3, open@1, run alarm, announce');
  assert.equal(subject.at(2, on), 'updated 3, unchanged');
  assert.equal(subject.at(3, reset), 'reset 2, close@3, run reset, calls cancel-delayed');
});

test('a latched alarm redefined as resettable can be reset, or ends with the next return', () => {
  for (const [command, expected] of [
    [reset, 'reset 2, close@9, run reset, calls cancel-delayed'],
    [off, 'returned 2, close@9, run reset, calls cancel-delayed'],
  ] as const) {
    const subject = alarm({ resettable: false });
    for (const [index, earlier] of [on, off].entries()) subject.at(index, earlier);
    subject.redefine({ resettable: true });
    assert.equal(subject.at(9, command), expected);
  }
});

test('a temporary alarm is removed once it is back to normal and acknowledged, in either order', () => {
  const first = alarm({ temporary: true });
  assert.equal(first.at(1, off), 'defined 0, unchanged');
  for (const command of [on, ack]) assert.doesNotMatch(first.at(2, command), /removed/);
  assert.equal(first.at(3, off), 'returned 0, close@3, run reset, calls cancel-delayed, removed');
  const second = alarm({ temporary: true });
  for (const command of [on, off]) assert.doesNotMatch(second.at(2, command), /removed/);
  assert.equal(second.at(3, ack), 'acknowledged 0, acknowledge@3, run ack, calls end, removed');
});

test('a temporary alarm that is removed while masked has nothing due', () => {
  const subject = alarm({ temporary: true });
  for (const command of [on, mask, off]) subject.at(1, command);
  assert.equal(subject.at(3, ack), 'acknowledged 0, acknowledge@3, run ack, calls end, removed');
});

test('a temporary alarm about to be raised again is not removed, until its delay ends early', () => {
  const subject = alarm({ temporary: true });
  for (const command of [on, off]) subject.at(1, command);
  subject.redefine({ alarmDelay: 5 });
  subject.at(2, on);
  assert.equal(subject.at(3, ack), 'acknowledged 0, acknowledge@3, run ack, calls end, due@5002');
  assert.equal(subject.at(4, off), 'delay-ended-early 0, unchanged, removed');
});

test('a temporary alarm that was never raised stays', () => {
  const subject = alarm({ temporary: true, alarmDelay: 5 });
  subject.at(1, on);
  assert.equal(subject.at(2, off), 'delay-ended-early 0, unchanged');
});

test('a report older than the last one of its source changes nothing', () => {
  const subject = alarm();
  subject.at(100, { ...on, sourceTime: 90 });
  assert.equal(subject.at(101, { ...off, sourceTime: 89 }), 'stale 3, unchanged');
  assert.match(subject.at(102, { ...off, sourceTime: 90 }), /^returned/);
  assert.match(subject.at(103, on), /^raised/);
});

test('timestamps of a source whose clock is ahead still order its reports', () => {
  const subject = alarm();
  subject.at(100, { ...off, sourceTime: 20_100 });
  assert.equal(subject.at(101, { ...on, sourceTime: 10_100 }), 'stale 0, unchanged');
  assert.equal(subject.at(102, { ...on, sourceTime: 90 }), 'stale 0, unchanged');
  subject.at(103, { ...off, sourceTime: 1_000_000 });
  assert.equal(subject.at(104, { ...on, sourceTime: 999_999 }), 'stale 0, unchanged');
});

test('reports of a source whose clock was far ahead are accepted once its clock is corrected', () => {
  const subject = alarm();
  subject.at(100, { ...on, sourceTime: 1_000_000 });
  assert.match(subject.at(101, { ...off, sourceTime: 101 }), /^returned/);
  assert.equal(subject.at(102, { ...on, sourceTime: 99 }), 'stale 2, unchanged');
});

test('reports of a source and a server whose common clock was set back are accepted', () => {
  const subject = alarm();
  subject.at(1_000_000, { ...on, sourceTime: 1_000_000 });
  assert.match(subject.at(500, { ...off, sourceTime: 500 }), /^returned 2, close@1000000/);
});

test('a repeat with the same timestamp changes nothing of the alarm, and nothing needs to be written', () => {
  const subject = alarm();
  subject.at(100, { ...on, sourceTime: 90 });
  const { life } = subject;
  assert.equal(subject.at(200, { ...on, sourceTime: 90 }), 'updated 3, unchanged');
  assert.equal(subject.life, life);
});

test('a report with a timestamp is outdated by a later one without, which arrived when it was seen', () => {
  const subject = alarm();
  assert.equal(isOutdated(subject.life, 99, 100), false);
  subject.at(100, on);
  assert.deepEqual(
    [99, 100].map((time) => isOutdated(subject.life, time, 300)),
    [true, false],
  );
  assert.equal(subject.at(300, { kind: 'stale' }), 'stale 3, unchanged');
});

test('repeats without timestamps that change nothing write nothing, unless the alarm has reports with timestamps', () => {
  const subject = alarm();
  subject.at(100, on);
  const { life } = subject;
  subject.at(200, on);
  assert.equal(subject.life, life);
  subject.at(300, { ...on, sourceTime: 290 });
  subject.at(400, on);
  assert.deepEqual(
    [399, 400].map((time) => isOutdated(subject.life, time, 500)),
    [true, false],
  );
});

test('the first report without a timestamp is noted though it changes nothing', () => {
  const subject = alarm();
  subject.at(100, off);
  assert.equal(isOutdated(subject.life, 99, 200), true);
});

test('arrivals noted before the clock of the server was set back outdate nothing', () => {
  const subject = alarm();
  subject.at(1_000_000, on);
  assert.equal(isOutdated(subject.life, 499, 500), false);
});

test('history times do not go backwards when the clock does', () => {
  const subject = alarm({}, 10);
  subject.at(1_000, on);
  assert.equal(subject.at(400, off), 'returned 2, close@1000, run reset, calls cancel-delayed');
  assert.equal(subject.life.lastChange, 1_000);
});

test('lastChange is not updated by repeated reports', () => {
  const subject = alarm();
  subject.at(5, on);
  for (const command of [on, define, reset]) subject.at(9, command);
  assert.equal(subject.life.lastChange, 5);
});

test('an acknowledgement records the user and the comment', () => {
  const { life } = transition(newLife(plain, 0), on, 1) as Transition;
  const { occurrences } = transition(life, ack, 2) as Transition;
  assert.deepEqual(occurrences, [{ kind: 'acknowledge', at: 2, by: 'user:3', comment: 'on my way' }]);
});

test('an alarm that was acknowledged after each of very many reports chatters for no longer than a minute', () => {
  const rules = { transitory: true, reactivatable: false, resettable: true, temporary: false, alarmDelay: 0 };
  let life = newLife(rules, 0);
  const next = (command: AlarmCommand, at: number): void => {
    const { outcome } = advance(life, command, at);
    assert.ok(outcome.kind === 'accepted');
    life = outcome.life;
  };
  for (let n = 0; n < 1_000; n++) {
    next({ kind: 'report', isRaised: true }, 0);
    next({ kind: 'acknowledge', by: 'user:1', comment: '' }, 0);
  }
  assert.ok((life.chatterUntil ?? 0) <= 61_000);
});
