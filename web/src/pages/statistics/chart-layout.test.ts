// Tests chart-layout.ts: names of times, heights with the manageable number, and texts that do not touch.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barsIn, heightsOf, placeTexts, timeMarks } from './chart-layout.ts';
import type { Bar, BarLength } from './series.ts';

const clock = { locale: 'en-GB', timeZone: 'Europe/Paris' };
const lengths: Readonly<Record<BarLength, number>> = {
  '10m': 600_000,
  '1h': 3_600_000,
  '1d': 86_400_000,
  '1w': 604_800_000,
};
const barsFrom = (start: string, count: number, length: BarLength): readonly Bar[] =>
  Array.from({ length: count }, (_, index) => {
    const from = Date.parse(start) + index * lengths[length];
    return { from, to: from + lengths[length], alarms: 1, byPriority: [0, 0, 1, 0] };
  });

test('hours are named by days, tens of minutes by hours, days by weeks', () => {
  const names = (start: string, count: number, length: BarLength, width = 1200) =>
    timeMarks(barsFrom(start, count, length), length, clock, width).map(({ text }) => text);
  assert.deepEqual(names('2026-11-08T23:00:00Z', 72, '1h'), ['Mon 9', 'Tue 10', 'Wed 11']);
  assert.deepEqual(names('2026-11-08T21:00:00Z', 24, '10m'), ['Mon 9']);
  assert.deepEqual(names('2026-11-08T23:00:00Z', 72, '10m'), ['Mon 9', '03:00', '06:00', '09:00']);
  assert.deepEqual(names('2026-11-03T23:00:00Z', 14, '1d'), ['9 Nov', '16 Nov']);
  assert.deepEqual(names('2026-11-08T23:00:00Z', 72, '1h', 60), ['Mon 9']);
});

test('the height of hours is in steps of six, and the manageable number is shown unless all days are far below', () => {
  assert.deepEqual(heightsOf(23, '1h'), { limit: 6, top: 24, ticks: [0, 6, 12, 18, 24] });
  assert.deepEqual(heightsOf(0, '1h'), { limit: 6, top: 12, ticks: [0, 6, 12] });
  assert.equal(heightsOf(1, '10m').top, 4);
  assert.equal(heightsOf(5, '1d').limit, undefined);
  assert.ok(heightsOf(100, '1d').top >= 144);
});

test('a time touches the bars it is in', () => {
  const bars = barsFrom('2026-11-08T23:00:00Z', 5, '1h');
  const start = bars[1]?.from ?? 0;
  assert.deepEqual(barsIn(bars, start, start + 3_600_000), [1, 1]);
  assert.deepEqual(barsIn(bars, start - 1, start + 3_600_001), [0, 2]);
  assert.equal(barsIn(bars, 0, 1), undefined);
});

test('texts are placed at the right, else at the left, else not at all', () => {
  const frame = (left: number, text: string) => ({ left, right: left + 20, text });
  const placed = placeTexts([frame(100, 'a flood'), frame(380, 'a flood'), frame(170, 'between both')], 400);
  assert.deepEqual(
    placed.map(({ item, isLeft }) => [item.left, isLeft]),
    [
      [100, false],
      [380, true],
      [170, false],
    ],
  );
  assert.deepEqual(placeTexts([frame(10, 'does not fit anywhere')], 60), []);
});
