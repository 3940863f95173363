// Tests clock-step.ts: the reaction to each clock change, and that slewing back shifts five minutes by at most 1.5 s.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aheadAt,
  clockDecision,
  recordsSince,
  referenceAt,
  timeNow,
  timeWhenReferenceShows,
  windowStart,
  withAhead,
  withForwardStep,
} from './clock-step.ts';

const none = { aheadMs: 0, since: 0 };
const hour = 3_600_000;

const cases = [
  ['in step with its reference', 1_000_000, 1_000_000, none, { kind: 'slew', byMs: 0 }],
  ['a little behind', 1_000_000, 1_000_020, none, { kind: 'slew', byMs: 20 }],
  ['further behind than one slew corrects', 1_000_000, 1_001_500, none, { kind: 'slew', byMs: 50 }],
  ['ahead', 1_001_500, 1_000_000, none, { kind: 'slew', byMs: -50 }],
  ['set ahead', 1_000_000, 1_000_000 + hour, none, { kind: 'forward', setMs: hour, byMs: hour, aheadMs: 0 }],
  ['set back', hour * 3, hour * 2, none, { kind: 'back', setMs: hour, byMs: 0, aheadMs: hour }],
  [
    'set back, and now ahead again',
    hour * 3,
    hour * 3,
    { aheadMs: hour, since: hour * 3 },
    { kind: 'forward', setMs: hour, byMs: 0, aheadMs: 0 },
  ],
  [
    'set back, and ahead by more',
    hour * 3,
    hour * 4,
    { aheadMs: hour, since: hour * 4 },
    { kind: 'forward', setMs: 2 * hour, byMs: hour, aheadMs: 0 },
  ],
] as const;

for (const [name, now, reference, ahead, decision] of cases) {
  test(`a clock ${name}`, () => assert.deepEqual(clockDecision(now, reference, ahead, 10), decision));
}

test('a reference that took too long to read is ignored', () => {
  assert.deepEqual(clockDecision(1_000_000, 1_003_080, none, 6_160), { kind: 'unsure' });
  assert.equal(clockDecision(1_000_000, 1_003_080, none, 500).kind, 'forward');
});

test('the lead over the reference is slewed back slowly, down to zero', () => {
  const ahead = { aheadMs: 60_000, since: 0 };
  assert.equal(aheadAt(ahead, 0), 60_000);
  assert.equal(aheadAt(ahead, 300_000), 58_500);
  assert.equal(aheadAt(ahead, 10 * 86_400_000), 0);
  assert.equal(aheadAt(ahead, -5), 60_000);
});

test('a window over records keeps its length when the clock is set ahead within it, also twice', () => {
  const steps = withForwardStep(withForwardStep([], { at: 3_700_000, byMs: 3_600_000 }), {
    at: 4_000_000,
    byMs: 200_000,
  });
  const now = 4_100_000;
  // 100 s until the first step, 100 s to the second, 100 s since.
  assert.equal(timeNow(0, steps), now - 300_000);
  assert.equal(timeNow(3_750_000, steps), now - 150_000);
  assert.equal(timeNow(4_050_000, steps), 4_050_000);
  assert.equal(windowStart(now, 50_000, steps), 4_050_000);
  assert.equal(windowStart(now, 150_000, steps), 3_750_000);
  assert.equal(windowStart(now, 300_000, steps), 0);
});

test('an instant of the reference is waited for exactly while the clocks are ahead of it, and not by the lead of now', () => {
  const ahead = { aheadMs: 2 * hour, since: 8 * hour };
  for (const reference of [8 * hour, 8 * hour + 1, 10 * hour, 100 * hour, 500 * hour]) {
    const at = timeWhenReferenceShows(reference, ahead);
    assert.ok(referenceAt(at, ahead) >= reference, `${reference}`);
    assert.ok(referenceAt(at - 1, ahead) < reference, `${reference}: a millisecond earlier it does not show it`);
  }
  assert.ok(timeWhenReferenceShows(10 * hour, ahead) < 12 * hour - 35_000);
  assert.equal(timeWhenReferenceShows(9 * hour, none), 9 * hour);
});

test('a step of the day before is forgotten', () => {
  const old = { at: 1_000, byMs: 500 };
  assert.deepEqual(withForwardStep([old], { at: 90_000_000, byMs: 10_000 }), [{ at: 90_000_000, byMs: 10_000 }]);
});

/** A lead is slewed by the time of the reference, which is not exactly that of ours. */
function inSeconds(spans: ReturnType<typeof recordsSince>): typeof spans {
  const rounded = (at: number): number => Math.floor(at / 1000) * 1000;
  return spans.map(({ from, to }) => ({ from: rounded(from), to: to === undefined ? undefined : rounded(to) }));
}

test('records are told apart by what the reference showed when they were made, also when it was set back twice', () => {
  assert.deepEqual(recordsSince(7 * hour, []), [{ from: 7 * hour, to: undefined }]);
  // At ten it is set back to eight, and at eleven by our clock, when it shows nine and 18 s are slewed, to seven.
  const first = { at: 10 * hour, aheadMs: 2 * hour, since: 8 * hour };
  const second = { at: 11 * hour, aheadMs: 4 * hour, since: 7 * hour };
  const known = withAhead(withAhead([], first), second);
  assert.deepEqual(recordsSince(7 * hour, known), [{ from: 7 * hour, to: undefined }]);
  assert.deepEqual(inSeconds(recordsSince(9.5 * hour, [first])), [
    { from: 9.5 * hour, to: 10 * hour },
    { from: 11.5 * hour - 27_000, to: undefined },
  ]);
  assert.deepEqual(inSeconds(recordsSince(8.5 * hour, known)), [
    { from: 8.5 * hour, to: 10 * hour },
    { from: 10.5 * hour - 9_000, to: 11 * hour },
    { from: 12.5 * hour - 27_000, to: undefined },
  ]);
  const forward = { at: 20 * hour, aheadMs: 0, since: 20 * hour };
  assert.deepEqual(recordsSince(19 * hour, [forward, first]), [{ from: 20 * hour, to: undefined }]);
});

test('how far the clocks were ahead is remembered for a day, and before it what was so when that began', () => {
  const at = (hours: number) => ({ at: hours * hour, aheadMs: hours, since: 0 });
  const known = [1, 5, 20, 26].reduce((list, hours) => withAhead(list, at(hours)), withAhead([], at(0)));
  assert.deepEqual(
    known.map(({ aheadMs }) => aheadMs),
    [26, 20, 5, 1],
  );
});
