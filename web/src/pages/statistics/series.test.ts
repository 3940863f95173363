// Tests series.ts: pieces that the server can count, bars that a period cuts, and weeks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barsOf, everyOf, highest, joined, manageable, piecesOf, priorityTotals, type Span, total } from './series.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const span = (start: number, ...byPriority: number[]): Span => ({
  start,
  alarms: byPriority.reduce((sum, count) => sum + count, 0),
  byPriority,
});

test('short periods are drawn in tens of minutes, weeks in hours, longer ones in days', () => {
  const every = (ms: number) => everyOf({ from: 0, to: ms });
  assert.deepEqual([every(dayMs), every(7 * dayMs), every(30 * dayMs)], ['10m', '1h', '1d']);
  assert.deepEqual([manageable('10m'), manageable('1h'), manageable('1d')], [1, 6, 144]);
});

test('a period is asked for in pieces of at most 1,500 spans, which follow each other', () => {
  const pieces = piecesOf({ from: hourMs, to: 25 * dayMs }, '10m');
  assert.deepEqual([pieces[0]?.from, pieces.at(-1)?.to, pieces.length], [hourMs, 25 * dayMs, 3]);
  for (const [index, { from, to }] of pieces.entries()) {
    assert.ok((to - from) / 600_000 < 1_500);
    assert.equal(pieces[index + 1]?.from ?? 25 * dayMs, to);
  }
});

test('a span that two pieces share is one again', () => {
  const spans = joined([
    [span(0, 1, 0, 0, 0), span(hourMs, 1, 0, 2, 0)],
    [span(hourMs, 0, 1, 0, 0), span(2 * hourMs, 0, 0, 0, 1)],
  ]);
  assert.deepEqual(
    spans.map(({ alarms }) => alarms),
    [1, 4, 1],
  );
  assert.deepEqual(priorityTotals(spans), [2, 1, 2, 1]);
  assert.equal(total(spans), 6);
  assert.equal(highest(spans)?.start, hourMs);
  assert.equal(highest([span(0, 0, 0, 0, 0)]), undefined);
});

test('the first and the last bar end with the period', () => {
  const { bars, length } = barsOf([span(0, 1), span(hourMs, 2)], '1h', { from: 600_000, to: hourMs + 1 });
  assert.deepEqual(
    bars.map(({ from, to }) => [from, to]),
    [
      [600_000, hourMs],
      [hourMs, hourMs + 1],
    ],
  );
  assert.equal(length, '1h');
});

test('years are drawn in weeks, and nothing of them is lost', () => {
  const days = Array.from({ length: 730 }, (_, day) => span(day * dayMs, 1, 0, day % 2, 0));
  const { bars, length } = barsOf(days, '1d', { from: 0, to: 730 * dayMs });
  assert.deepEqual([length, bars.length, total(bars)], ['1w', 105, total(days)]);
  assert.deepEqual([bars[1]?.from, bars[1]?.to], [7 * dayMs, 14 * dayMs]);
});
