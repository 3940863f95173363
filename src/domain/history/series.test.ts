// Tests series.ts: spans follow each other, begin at whole times of the local clock, and days last 23 to 25 hours.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { soak } from '../../../test/harness/soak.ts';
import { civilClock } from '../on-call/civil-time.ts';
import { type SpanName, spanAt, spanEdges, spanLengths } from './series.ts';

const hourMs = 3_600_000;
const zones = ['UTC', 'Europe/Paris', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Sao_Paulo', 'Pacific/Apia'];
const year1955 = Date.UTC(1955, 0);
const asked = fc.record({
  every: fc.constantFrom(...(Object.keys(spanLengths) as SpanName[])),
  zone: fc.constantFrom(...zones),
  from: fc.integer({ min: year1955, max: Date.UTC(2030, 0) }),
  length: fc.integer({ min: 1, max: 100 }),
  extra: fc.nat(hourMs),
});

test('spans cover the period without gap, begin at whole local times, and hold each instant once', () => {
  fc.assert(
    fc.property(asked, ({ every, zone, from, length, extra }) => {
      const clock = civilClock(zone);
      const to = from + length * spanLengths[every] + extra;
      const edges = spanEdges(every, from, to, clock);
      const [first = 0, second = 0] = edges;
      assert.ok(first <= from && from < second, 'the first span has the beginning');
      assert.ok((edges.at(-2) ?? 0) < to && to <= (edges.at(-1) ?? 0), 'the last span has the end');
      for (const [index, edge] of edges.entries()) {
        assert.ok(index === 0 || edge > (edges[index - 1] ?? 0));
        const isWhole = clock.civilOf(edge) % spanLengths[every] === 0;
        const isDayAfterGap = every === '1d' && clock.civilOf(edge - 1) + 1 < clock.civilOf(edge);
        assert.ok(isWhole || isDayAfterGap, `${zone} ${new Date(edge).toISOString()}`);
        if (index < edges.length - 1) assert.deepEqual([spanAt(edges, edge), spanAt(edges, edge + 1)], [index, index]);
      }
    }),
    { numRuns: soak(1_000) },
  );
});

test('days of Paris have 23 hours in March and 25 in October, and the hour that comes twice is two spans', () => {
  const clock = civilClock('Europe/Paris');
  const hoursOf = (year: number, month: number, day: number) => {
    const [start = 0, end = 0] = spanEdges(
      '1d',
      Date.UTC(year, month, day, 12),
      Date.UTC(year, month, day, 12, 1),
      clock,
    );
    return (end - start) / hourMs;
  };
  assert.deepEqual([hoursOf(2026, 2, 29), hoursOf(2026, 9, 25), hoursOf(2026, 10, 15)], [23, 25, 24]);
  const edges = spanEdges('1h', Date.UTC(2026, 9, 24, 22), Date.UTC(2026, 9, 25, 23), clock);
  assert.equal(edges.length - 1, 25);
});
