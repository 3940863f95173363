// Tests duration.ts: the printed form of a duration, and the durations of an occurrence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { durationsOf, printDuration } from './duration.ts';

const cases: readonly [ms: number, printed: string][] = [
  [0, '00:00:00'],
  [999, '00:00:00'],
  [1_000, '00:00:01'],
  [59_999, '00:00:59'],
  [3_599_999, '00:59:59'],
  [3_600_000, '01:00:00'],
  [86_400_000, '24:00:00'],
  [450_189_000, '125:03:09'],
  [4_294_967_295_000, '1193046:28:15'],
  [1_500.5, '00:00:01'],
  [-1, '00:00:00'],
];

for (const [ms, printed] of cases) test(`${ms} ms is ${printed}`, () => assert.equal(printDuration(ms), printed));

test('a printed duration reads back as the whole seconds it had', () => {
  fc.assert(
    fc.property(fc.nat({ max: 2 ** 31 - 1 }), fc.nat({ max: 999 }), (seconds, ms) => {
      const printed = printDuration(seconds * 1000 + ms);
      assert.match(printed, /^\d{2,}:[0-5]\d:[0-5]\d$/);
      const [hours = 0, minutes = 0, rest = 0] = printed.split(':').map(Number);
      assert.equal((hours * 60 + minutes) * 60 + rest, seconds);
    }),
  );
});

test('a duration of an occurrence is defined once both its ends are', () => {
  const none = { alarm: undefined, reaction: undefined, intervention: undefined };
  const of = (ackTime: number | undefined, resetTime: number | undefined) =>
    durationsOf({ alarmTime: 100, ackTime, resetTime });
  assert.deepEqual(of(undefined, undefined), none);
  assert.deepEqual(of(130, undefined), { ...none, reaction: 30 });
  assert.deepEqual(of(undefined, 170), { ...none, alarm: 70 });
  assert.deepEqual(of(130, 170), { alarm: 70, reaction: 30, intervention: 40 });
  assert.deepEqual(of(170, 170), { alarm: 70, reaction: 70, intervention: 0 });
});

test('an acknowledgement after the end of an alarm is no intervention', () => {
  const durations = durationsOf({ alarmTime: 100, ackTime: 180, resetTime: 170 });
  assert.deepEqual(durations, { alarm: 70, reaction: 80, intervention: undefined });
});
