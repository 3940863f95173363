// Generates random requests for lists of the history, and compares the responses with those of a naive implementation.

import assert from 'node:assert/strict';
import type { TestApp } from './app.ts';
import { fc } from './fast-check.ts';
import type { HistoryAsked, NaiveHistory } from './naive-history.ts';
import type { RowOf } from './table-rows.ts';

type Entry = RowOf<'alarm_histories'>;

/** Returns random requests whose periods begin and end near entries; the same for the same seed and entries. */
export function someListings(
  entries: readonly Entry[],
  {
    count,
    seed,
    search = fc.constantFrom('pump', 'tank 3', 'elan see', 'low', 'nothing'),
  }: {
    count: number;
    seed: number;
    search?: fc.Arbitrary<string>;
  },
): readonly HistoryAsked[] {
  const entry = fc.constantFrom(...entries);
  const instant = fc
    .tuple(entry, fc.constantFrom(0, 1, -1, 3_600_000, -1_234_567))
    .map(([{ raised_at }, by]) => raised_at + by);
  // Narrow filters are rare, so that most lists have items to compare.
  const sometimes = <T>(arbitrary: fc.Arbitrary<T>, freq = 1) => fc.option(arbitrary, { nil: undefined, freq });
  const listing = fc.record({
    stationId: sometimes(entry.map(({ station_id }) => station_id)),
    dataServerId: sometimes(entry.map(({ data_server_id }) => data_server_id)),
    tagGroupId: sometimes(entry.map(({ tag_group_id }) => tag_group_id ?? 1)),
    userId: sometimes(entry.map(({ ack_user_id }) => ack_user_id ?? 1)),
    period: fc.tuple(instant, instant),
    open: fc.constantFrom('neither', 'from', 'to'),
    search: sometimes(search),
    offset: fc.constantFrom(0, 0, 3, 40),
    limit: fc.constantFrom(0, 5, 50),
    sort: fc.constantFrom('+id' as const, '-id' as const),
  });
  return fc.sample(listing, { numRuns: count, seed }).map(({ period, open, ...asked }) => {
    const [from = 0, to = 0] = period.toSorted((a, b) => a - b);
    return {
      ...asked,
      ...(open === 'from' ? {} : { from }),
      ...(open === 'to' ? {} : { to: Math.max(to, from + 1) }),
    };
  });
}

/** Requests each list from the server and compares it with the naive one. */
export async function listsAgree(app: TestApp, naive: NaiveHistory, listings: readonly HistoryAsked[]): Promise<void> {
  const token = await app.signIn();
  let found = 0;
  for (const asked of listings) {
    for (const list of ['histories', 'statistics', 'interventions'] as const) {
      const path = pathOf(list, asked);
      const answer = await app.request('GET', path, { token });
      assert.equal(answer.status, 200, answer.text);
      const { items, paging } = answer.body as { items: unknown[]; paging: { total: number } };
      const expected = naive[list](asked, app.clock.now());
      assert.deepEqual({ items, total: paging.total }, expected, path);
      found += items.length;
    }
  }
  assert.ok(found > listings.length, `only ${found} items in ${listings.length} listings`);
}

function pathOf(list: string, asked: HistoryAsked): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) {
    if (value === undefined) continue;
    const isInstant = name === 'from' || name === 'to';
    query.append(name, isInstant ? new Date(value).toISOString() : String(value));
  }
  return `/api/v1/alarms/${list}?${query}`;
}
