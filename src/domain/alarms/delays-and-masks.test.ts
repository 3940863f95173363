// Tests the delays and masks of the alarm state machine in transition.ts: what begins, and what its end by time does.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ack,
  alarm,
  define,
  delayElapsed,
  formatStep,
  mask,
  maskExpired,
  off,
  on,
  unclear,
  unmask,
} from '../../../test/harness/site/alarm-commands.ts';
import type { Transition } from './alarm.ts';
import { dueTransitions, transition } from './transition.ts';

test('a delay runs from the first report and is not restarted by a repeat', () => {
  const subject = alarm({ alarmDelay: 5 });
  assert.equal(subject.at(1_000, on), 'delay-started 0, unchanged, due@6000');
  assert.equal(subject.at(3_000, on), 'delay-running 0, unchanged, due@6000');
  assert.equal(subject.at(5_999, delayElapsed), 'not-due 0, unchanged, due@6000');
  assert.equal(subject.at(5_999, ack), 'refused: nothing-to-acknowledge');
  assert.deepEqual(dueTransitions(subject.life, 6_000).map(formatStep), ['raised 3, open@6000, run alarm, announce']);
  assert.equal(formatStep(transition(subject.life, delayElapsed, 6_000)), 'raised 3, open@6000, run alarm, announce');
});

test('a delay that ends early raises nothing, and the next one runs from its own report', () => {
  const subject = alarm({ alarmDelay: 5 });
  subject.at(1_000, on);
  assert.equal(subject.at(5_999, off), 'delay-ended-early 0, unchanged');
  assert.equal(subject.at(7_000, on), 'delay-started 0, unchanged, due@12000');
});

test('a condition that held for its delay is raised even if its end is reported before the timer fires', () => {
  const subject = alarm({ alarmDelay: 5 });
  subject.at(1_000, on);
  subject.at(6_000, off);
  assert.deepEqual(subject.lines.slice(1), [
    'raised 3, open@6000, run alarm, announce',
    'returned 2, close@6000, run reset, calls cancel-delayed',
  ]);
});

test('a delay changed while it runs counts from the first report', () => {
  const subject = alarm({ alarmDelay: 5 });
  subject.at(1_000, on);
  subject.redefine({ alarmDelay: 20 });
  assert.equal(subject.at(2_000, define), 'defined 0, unchanged, due@21000');
  subject.redefine({ alarmDelay: 1 });
  subject.at(3_000, define);
  assert.deepEqual(subject.lines.slice(2), ['raised 3, open@3000, run alarm, announce', 'defined 3, unchanged']);
});

test('an active alarm is reactivated without waiting for a delay', () => {
  const subject = alarm({ alarmDelay: 5, reactivatable: true });
  subject.at(0, on);
  subject.at(5_000, define);
  assert.equal(subject.at(6_000, on), 'reactivated 3, close@6000, open@6000, run alarm, announce');
});

test('the longest delay is exact', () => {
  const subject = alarm({ alarmDelay: 4_294_967_295 });
  assert.equal(subject.at(1, on), 'delay-started 0, unchanged, due@4294967295001');
});

test('a shortened delay ends with the next report, once', () => {
  const subject = alarm({ alarmDelay: 600, reactivatable: true });
  subject.at(0, on);
  subject.redefine({ alarmDelay: 1 });
  const { life, occurrences } = transition(subject.life, on, 5_000) as Transition;
  assert.deepEqual([life.state, occurrences], [3, [{ kind: 'open', at: 5_000 }]]);
  const early = transition(subject.life, off, 5_000) as Transition;
  assert.deepEqual([early.reason, early.occurrences], ['delay-ended-early', []]);
});

test('a value that cannot be compared does not end a delay', () => {
  const subject = alarm({ alarmDelay: 1 });
  subject.at(0, on);
  assert.equal(subject.at(500, unclear), 'value-unclear 0, unchanged, due@1000');
  assert.equal(subject.at(1_000, define), 'defined 3, unchanged', 'raised when the delay elapsed');
});

test('a mask needs a reason and a future end, and may be replaced', () => {
  const subject = alarm();
  assert.equal(subject.at(9_000, mask), 'refused: mask-end-past');
  assert.equal(subject.at(8_000, { ...mask, reason: ' ' }), 'refused: mask-reason-missing');
  subject.at(8_000, mask);
  assert.equal(subject.at(8_001, { ...mask, until: 8_500 }), 'masked 0, calls end, due@8500');
});

test('an alarm raised while masked is announced and called for once, when the mask ends', () => {
  const subject = alarm();
  subject.at(1, mask);
  subject.at(2, on);
  assert.deepEqual(dueTransitions(subject.life, 8_999), []);
  assert.deepEqual(dueTransitions(subject.life, 9_000).map(formatStep), ['mask-expired 3, run alarm, announce']);
  assert.equal(formatStep(transition(subject.life, maskExpired, 9_000)), 'mask-expired 3, run alarm, announce');
});

test('an expired mask does not suppress a report that arrives before its timer fires', () => {
  const subject = alarm();
  subject.at(1, mask);
  subject.at(9_000, on);
  assert.deepEqual(subject.lines.slice(1), ['mask-expired 0', 'raised 3, open@9000, run alarm, announce']);
});

test('an alarm masked after it was called for is called for again when the mask ends', () => {
  const subject = alarm();
  for (const command of [on, mask]) subject.at(1, command);
  assert.equal(subject.at(2, unmask), 'unmasked 3, run alarm, announce');
});

test('a delay and a mask end in time order; at the same instant the mask ends first', () => {
  const delayed = (since: number) => {
    const subject = alarm({ alarmDelay: 5, transitory: true });
    subject.at(1, mask);
    subject.at(since, on);
    return dueTransitions(subject.life, 20_000).map(formatStep);
  };
  assert.deepEqual(delayed(3_000), ['raised 2, open@20000, close@20000, run reset, due@9000', 'mask-expired 2']);
  const called = 'raised 2, open@20000, close@20000, run alarm, run reset, announce';
  assert.deepEqual(delayed(4_000), ['mask-expired 0, due@9000', called]);
});

test('an acknowledgement that lasts for a time expires if the alarm is still active, and the next has its own time', () => {
  const subject = alarm();
  const shortly = { ...ack, lastsMs: 5_000 };
  subject.at(1_000, on);
  assert.equal(subject.at(2_000, shortly), 'acknowledged 1, acknowledge@2000, run ack, calls end, due@7000');
  assert.deepEqual(dueTransitions(subject.life, 6_999), []);
  subject.at(8_000, on);
  assert.deepEqual(subject.lines.slice(-2), ['acknowledgement-expired 3, call again', 'updated 3, unchanged']);
  assert.match(subject.at(9_000, shortly), /due@14000$/);
  assert.equal(subject.at(10_000, off), 'returned 0, close@10000, run reset, calls cancel-delayed');
});

test('a mask cancels the expiry of an acknowledgement for good', () => {
  const subject = alarm();
  subject.at(1_000, on);
  subject.at(2_000, { ...ack, lastsMs: 60_000 });
  assert.match(subject.at(3_000, mask), /due@9000$/);
  assert.equal(subject.at(4_000, unmask), 'unmasked 1');
});
