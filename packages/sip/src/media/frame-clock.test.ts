// The beat keeps to its deadlines when timers are late, makes up in pairs, and gives up what is too old.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { FrameClock } from './frame-clock.ts';

/** A clock with a time of its own; `advance` runs the timers that are due in steps of a millisecond, `stall` none. */
function clockOf(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const time = { now: 1000.4 };
  return {
    clock: new FrameClock(() => time.now),
    advance(ms: number): void {
      for (let passed = 0; passed < ms; passed += 0.5) {
        time.now += 0.5;
        if (passed % 1 === 0) t.mock.timers.tick(1);
      }
    },
    stall(ms: number): void {
      time.now += ms;
    },
  };
}

test('a second has fifty frames, however late each timer is', (t) => {
  const { clock, advance, stall } = clockOf(t);
  const beats: number[] = [];
  clock.subscribe((now) => beats.push(now));
  for (let n = 0; n < 100; n++) {
    stall(3.5);
    advance(16.5);
  }
  advance(20);
  assert.ok(beats.length === 100 || beats.length === 101, `${beats.length} frames in 2,020 ms`);
  assert.equal(new Set(beats).size, beats.length, 'no two frames at once');
});

test('a timer that fires a moment before its deadline does not cost a frame', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const reads = [0, 0, 19.99, 20.01];
  const clock = new FrameClock(() => reads.shift() ?? 20.5);
  let frames = 0;
  clock.subscribe(() => {
    frames++;
  });
  t.mock.timers.tick(20);
  t.mock.timers.tick(1);
  assert.equal(frames, 1);
});

test('a process that was held up makes up for it by two frames at a time', (t) => {
  const { clock, advance, stall } = clockOf(t);
  const perBeat = new Map<number, number>();
  clock.subscribe((now) => perBeat.set(now, (perBeat.get(now) ?? 0) + 1));
  advance(100);
  stall(200);
  advance(400);
  const counts = [...perBeat.values()];
  assert.equal(Math.max(...counts), 2);
  const total = counts.reduce((sum, count) => sum + count, 0);
  assert.ok(total >= 34 && total <= 35, `${total} frames in 700 ms`);
});

test('a process that stood still for a second goes on from now', (t) => {
  const { clock, advance, stall } = clockOf(t);
  let frames = 0;
  clock.subscribe(() => {
    frames++;
  });
  advance(100);
  stall(60_000);
  advance(200);
  assert.ok(frames >= 14 && frames <= 16, `${frames} frames`);
});
