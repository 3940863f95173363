// Generates random requests for lists of the history, and compares the responses with those of a naive implementation.

import assert from 'node:assert/strict';
import { fc } from '../fast-check.ts';
import type { TestApp } from '../site/app.ts';
import type { Row } from '../site/site-caller.ts';
import type { RowOf } from '../stores/table-rows.ts';
import type { HistoryAsked, NaiveHistory } from './naive-history.ts';
import { type Every, everyNames, seriesOf } from './recount-series.ts';

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
): readonly Listing[] {
  const entry = fc.constantFrom(...entries);
  const instant = fc
    .tuple(entry, fc.constantFrom(0, 1, -1, 3_600_000, -1_234_567))
    .map(([{ raised_at }, by]) => raised_at + by);
  // Narrow filters are rare, so that most lists have items to compare.
  const sometimes = <T>(arbitrary: fc.Arbitrary<T>, freq = 1) => fc.option(arbitrary, { nil: undefined, freq });
  /** One or two different ids of entries. */
  const some = (idOf: (one: Entry) => number) =>
    sometimes(fc.array(entry.map(idOf), { minLength: 1, maxLength: 2 }).map((ids) => [...new Set(ids)]));
  const listing = fc.record({
    stationId: some(({ station_id }) => station_id),
    dataServerId: some(({ data_server_id }) => data_server_id),
    tagGroupId: some(({ tag_group_id }) => tag_group_id ?? 1),
    priority: some(({ priority }) => priority),
    alarmId: sometimes(
      fc.uniqueArray(
        entry.map(({ alarm_id }) => alarm_id),
        { minLength: 1, maxLength: 3 },
      ),
      4,
    ),
    userId: sometimes(entry.map(({ ack_user_id }) => ack_user_id ?? 1)),
    period: fc.tuple(instant, instant),
    open: fc.constantFrom('neither', 'from', 'to'),
    search: sometimes(search),
    offset: fc.constantFrom(0, 0, 3, 40),
    limit: fc.constantFrom(0, 5, 50),
    isDescending: fc.boolean(),
    isSortedByValue: fc.boolean(),
    isFull: fc.boolean(),
    every: fc.constantFrom(...everyNames),
  });
  return fc.sample(listing, { numRuns: count, seed }).map(({ period, open, ...asked }): Listing => {
    const [from = 0, to = 0] = period.toSorted((a, b) => a - b);
    return {
      ...asked,
      ...(open === 'from' ? {} : { from }),
      ...(open === 'to' ? {} : { to: Math.max(to, from + 1) }),
    };
  });
}

type ListName = 'histories' | 'statistics' | 'interventions';

/** A request for any of the lists; each has values of its own to sort by. */
type Listing = Omit<HistoryAsked, 'sort' | 'view'> & {
  readonly isDescending: boolean;
  readonly isSortedByValue: boolean;
  readonly isFull: boolean;
  /** The length of the spans of its series. */
  readonly every: Every;
};

const valuesOf = {
  histories: ['id'],
  statistics: ['failureNumber', 'failureTotalTime'],
  interventions: ['interventionNumber'],
} as const;

function askedOf(list: ListName, { isDescending, isSortedByValue, isFull, every: _, ...asked }: Listing): HistoryAsked {
  const values = valuesOf[list];
  const key = isSortedByValue ? (values[(asked.limit ?? 0) % values.length] ?? 'id') : 'id';
  const view = isFull && list === 'histories' ? { view: 'full' as const } : {};
  return { ...asked, sort: `${isDescending ? '-' : '+'}${key}`, ...view };
}

/** Requests each list from the server and compares it with the naive one. */
export async function listsAgree(app: TestApp, naive: NaiveHistory, listings: readonly Listing[]): Promise<void> {
  const token = await app.signIn();
  let found = 0;
  for (const listing of listings) {
    for (const list of ['histories', 'statistics', 'interventions'] as const) {
      const asked = askedOf(list, listing);
      const path = pathOf(list, asked);
      const answer = await app.request('GET', path, { token });
      assert.equal(answer.status, 200, answer.text);
      const { items, paging } = answer.body as { items: unknown[]; paging: { total: number } };
      const expected = naive[list](asked, app.clock.now());
      assert.deepEqual({ items, total: paging.total }, expected, path);
      found += items.length;
    }
    await seriesAgrees(app, naive, listing, token);
  }
  assert.ok(found > listings.length, `only ${found} items in ${listings.length} listings`);
}

/** Requests the series of the period; short spans of a long period are refused. */
async function seriesAgrees(app: TestApp, naive: NaiveHistory, listing: Listing, token: string): Promise<void> {
  const {
    every,
    isSortedByValue: isByPriority,
    alarmId,
    stationId,
    dataServerId,
    tagGroupId,
    priority,
    userId,
    search,
  } = listing;
  const filter = { alarmId, stationId, dataServerId, tagGroupId, priority, userId, search };
  const to = listing.to ?? app.clock.now() + 1;
  // Without a beginning, all of the time that entries may have.
  const from = listing.from ?? to - 1_000 * 86_400_000;
  const asked = { ...filter, from, to };
  const path = `${pathOf('series', asked)}&every=${every}${isByPriority ? '&by=priority' : ''}`;
  const answer = await app.request('GET', path, { token });
  const how = { every, isByPriority };
  if (answer.status === 200)
    assert.deepEqual(seriesOf((answer.body as { items: readonly Row[] }).items, how), naive.series(asked, how), path);
  else assert.match(answer.text, /spans, at most/, path);
}

function pathOf(list: string, asked: HistoryAsked): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) {
    if (value === undefined) continue;
    const isInstant = name === 'from' || name === 'to';
    query.append(name, isInstant ? new Date(Number(value)).toISOString() : String(value));
  }
  return `/api/v1/alarms/${list}?${query}`;
}
