// Tests time-buckets.ts: whole buckets and edges add up to exactly the period, and the buckets are few.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { soak } from '../../../test/harness/soak.ts';
import { bucketLevels, bucketsOf, coverOf, hourMs } from './time-buckets.ts';

const year = 8_766 * hourMs;
const instant = fc.integer({ min: 0, max: 60 * year });
const period = fc.tuple(
  instant,
  fc.oneof(fc.integer({ min: 1, max: 3 * hourMs }), fc.integer({ min: 1, max: 2 * year })),
);

function spansOf(from: number, to: number): (readonly [number, number])[] {
  const { whole, edges } = coverOf(from, to);
  return [
    ...whole.map(({ level, first, end }) => [first * hourMs * 8 ** level, end * hourMs * 8 ** level] as const),
    ...edges.map((edge) => [edge.from, edge.to] as const),
  ].toSorted(([a], [b]) => a - b);
}

test('whole buckets and edges cover the period without gap or overlap', () => {
  fc.assert(
    fc.property(period, ([from, length]) => {
      const spans = spansOf(from, from + length);
      assert.equal(spans[0]?.[0], from);
      assert.equal(spans.at(-1)?.[1], from + length);
      for (const [index, [start]] of spans.entries()) if (index > 0) assert.equal(start, spans[index - 1]?.[1]);
    }),
    { numRuns: soak(2_000) },
  );
});

test('a period of two years needs at most a hundred buckets', () => {
  fc.assert(
    fc.property(period, ([from, length]) => {
      const { whole } = coverOf(from, from + length);
      assert.ok(whole.reduce((sum, { first, end }) => sum + end - first, 0) <= 100);
    }),
    { numRuns: soak(2_000) },
  );
});

test('an edge lies within its hours, of which there are at most two', () => {
  fc.assert(
    fc.property(period, ([from, length]) => {
      for (const edge of coverOf(from, from + length).edges) {
        assert.ok(edge.hours.first * hourMs <= edge.from && edge.to <= edge.hours.end * hourMs);
        assert.ok(edge.hours.end - edge.hours.first <= 2);
      }
    }),
  );
});

test('an instant falls into exactly one bucket of each level', () => {
  fc.assert(
    fc.property(instant, (at) => {
      const buckets = bucketsOf(at);
      assert.deepEqual(
        buckets.map(({ level }) => level),
        bucketLevels,
      );
      for (const { level, step } of buckets) {
        const size = hourMs * 8 ** level;
        assert.ok(step * size <= at && at < (step + 1) * size);
      }
    }),
  );
});

test('an empty period has an empty cover', () => {
  assert.deepEqual(coverOf(5, 5), { whole: [], edges: [] });
});

test('an endless period is covered by few ranges, without enumerating its hours', () => {
  assert.ok(coverOf(0, Number.MAX_SAFE_INTEGER).whole.length <= 4);
});
