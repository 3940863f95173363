// Tests flood.ts: where floods begin and end, and that looking only where hours are full finds the same.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFloods, floodPlaces, inFlood } from './flood.ts';

const tenMs = 600_000;
const spansOf = (counts: readonly number[], from = 0) =>
  counts.map((alarms, index) => ({ start: from + index * tenMs, alarms }));

test('a flood begins with ten and ends below five', () => {
  assert.deepEqual(inFlood([9, 10, 5, 4, 9, 12]), [false, true, true, false, false, true]);
  assert.deepEqual(findFloods(spansOf([9, 10, 5, 4, 9, 12])), [
    { from: tenMs, to: 3 * tenMs, alarms: 15 },
    { from: 5 * tenMs, to: 6 * tenMs, alarms: 12 },
  ]);
});

test('a gap between spans ends a flood', () => {
  const spans = [...spansOf([10, 6]), ...spansOf([6, 11], 10 * tenMs)];
  assert.deepEqual(findFloods(spans), [
    { from: 0, to: 2 * tenMs, alarms: 16 },
    { from: 11 * tenMs, to: 12 * tenMs, alarms: 11 },
  ]);
});

test('looking where hours have ten alarms finds every flood', () => {
  let seed = 11;
  const chance = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  for (let round = 0; round < 300; round++) {
    const counts = Array.from({ length: 6 * 24 }, () => (chance(5) === 0 ? chance(16) : chance(7)));
    const spans = spansOf(counts);
    const hours = Array.from({ length: 24 }, (_, hour) => ({
      start: hour * 6 * tenMs,
      alarms: counts.slice(hour * 6, hour * 6 + 6).reduce((sum, count) => sum + count, 0),
    }));
    const found = floodPlaces(hours).flatMap(({ from, to }) =>
      findFloods(spans.filter(({ start }) => start >= from && start < to)),
    );
    assert.deepEqual(found, findFloods(spans));
  }
});
