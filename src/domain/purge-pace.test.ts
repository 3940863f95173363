// Tests of the pace at which old records are removed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstPace, nextPass, type PurgePace } from './purge-pace.ts';

const minute = 60_000;
const day = 86_400_000;
const start = Date.UTC(2026, 10, 15);

/** Runs a pass every minute of `forMs` with a clock that is wrong by `byMs`; returns the newest removal, if any. */
function run(pace: PurgePace, from: number, forMs: number, byMs = 0): { pace: PurgePace; removed: number | undefined } {
  let removed: number | undefined;
  let current = pace;
  for (let at = from; at < from + forMs; at += minute) {
    const pass = nextPass(current, at + byMs);
    current = pass.pace;
    if (pass.asOf !== undefined) removed = Math.max(removed ?? 0, pass.asOf);
  }
  return { pace: current, removed };
}

test('ordinary passes remove as of now', () => {
  const { pace, removed } = run(firstPace(start, start), start, day);
  assert.equal(removed, start + day - minute);
  assert.equal(pace.isTold, false);
});

for (const days of [1, 31, 11 * 365]) {
  test(`a clock that is ${days} days ahead for less than a day removes nothing early, whenever it is put right`, () => {
    const before = run(firstPace(start, start), start, day).pace;
    const wrong = run(before, start + day, 23 * 60 * minute, days * day);
    assert.equal(wrong.removed, undefined);
    assert.equal(wrong.pace.isTold, days > 7);
    const after = run(wrong.pace, start + 2 * day, 2 * 60 * minute);
    assert.equal(after.pace.isTold, false);
    assert.equal(after.removed, start + 2 * day + 119 * minute);
  });
}

test('a clock that is set again and again does not shorten the wait', () => {
  let pace = firstPace(start, start);
  for (let n = 1; n < 200; n++) {
    const pass = nextPass(pace, start + n * minute + n * day);
    assert.equal(pass.asOf, undefined);
    pace = pass.pace;
  }
});

test('a clock that stays wrong loses seven days a day', () => {
  const { pace } = run(firstPace(start, start), start, 10 * day, 4_000 * day);
  assert.equal(pace.asOf, start + 7 * 9 * day, 'nine waits of a day ended in ten days');
});

test('after three months off, removal has caught up within three weeks, by at most seven days a day', () => {
  const on = start + 90 * day;
  let pace = firstPace(start, start);
  for (let n = 0; n < 21; n++) {
    const { pace: next } = run(pace, on + n * day, day);
    assert.ok(next.asOf - pace.asOf <= 8 * day, 'a portion, and the day itself when it has caught up');
    pace = next;
  }
  assert.equal(pace.asOf, on + 21 * day - minute);
  assert.equal(pace.isTold, false);
});

test('a machine that is off every night keeps up', () => {
  let pace = firstPace(start, start);
  for (let n = 0; n < 60; n++) pace = run(pace, start + n * day, 8 * 60 * minute).pace;
  assert.ok(start + 60 * day - pace.asOf < 8 * day);
});

test('a step of the clock while passes wait begins the wait anew', () => {
  const waiting = run(firstPace(start, start), start + 2 * 60 * minute, 23 * 60 * minute).pace;
  assert.equal(run(waiting, start + 25 * 60 * minute, 23 * 60 * minute, 31 * day).removed, undefined);
});

test('a weekend off waits for a day and is worth no alarm', () => {
  const on = start + 2.5 * day;
  const waiting = run(firstPace(start, start), on, 23 * 60 * minute);
  assert.deepEqual([waiting.removed, waiting.pace.isTold], [undefined, false]);
  const { removed } = run(waiting.pace, on + 23 * 60 * minute, 2 * 60 * minute);
  assert.equal(removed, on + 25 * 60 * minute - minute);
});

test('a clock that was behind changes nothing', () => {
  const behind = run(firstPace(start, start), start, day, -9_000 * day);
  assert.equal(behind.pace.asOf, start);
  assert.equal(run(behind.pace, start + 10 * minute, minute).removed, start + 10 * minute);
});
