// A history of tens or hundreds of thousands of entries: roll-ups equal a recount, lists are exact, and every list
// query uses indexes. With fewer entries PostgreSQL would rightly scan the small tables.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { Client } from 'pg';
import { commonWord, rareWord, wordOfAll } from '../../../bench/seed/plant.ts';
import { seedStore } from '../../../bench/seed/seed-store.ts';
import { dayMs } from '../../../bench/seed/year.ts';
import { countSeries } from '../../../src/operations/history/count-series.ts';
import type { HistoryFilter, HistoryListing } from '../../../src/operations/history/filter.ts';
import { listInterventions } from '../../../src/operations/history/list-interventions.ts';
import { listHistories } from '../../../src/operations/history/list-occurrences.ts';
import { listStatistics } from '../../../src/operations/history/list-statistics.ts';
import { clientConfig } from '../../../src/store/postgres/prepared-connection.ts';
import type { Query } from '../../../src/store/store.ts';
import { fc } from '../../harness/fast-check.ts';
import { naiveHistory } from '../../harness/history/naive-history.ts';
import { recount } from '../../harness/history/recount.ts';
import { listsAgree, someListings } from '../../harness/history/some-listings.ts';
import { adminPassword, migratedStore, startOn } from '../../harness/site/app.ts';
import { fakeClock } from '../../harness/site/clock.ts';
import { soak } from '../../harness/soak.ts';
import { type Plan, plansOnPostgres, plansOnSqlite } from '../../harness/stores/plans.ts';
import type { StoreName } from '../../harness/stores/stores.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';

// With fewer, PostgreSQL rightly reads small tables from one end to the other.
const entries = { sqlite: soak(200_000), postgres: soak(800_000) };
const plant = { tags: 1_000, users: 2, spanMs: 45 * dayMs };
const listingCount = 16;
const now = fakeClock().now();

async function seeded(t: TestContext, kind: StoreName) {
  const environment = await migratedStore(t, kind);
  const [folder, databaseUrl] = [environment.TOCSIN_DATA_DIR ?? '', environment.TOCSIN_DATABASE_URL];
  await seedStore({ folder, databaseUrl, rows: entries[kind], ...plant, now, adminPassword });
  return { environment, folder, databaseUrl };
}

const queries = [listHistories, listStatistics, listInterventions] as readonly Query<HistoryListing, unknown>[];
const periods = {
  'a week': { from: now - 30 * dayMs - 1_234_567, to: now - 23 * dayMs - 76_543 },
  'all the time': { from: now - 45 * dayMs, to: now },
  'any time': {},
} as const;
const filters: readonly HistoryFilter[] = [
  {},
  { stationId: [3] },
  { dataServerId: [7] },
  { tagGroupId: [9] },
  { userId: 5 },
  { stationId: [3], userId: 5 },
  { stationId: [1], dataServerId: [2], tagGroupId: [2] },
  { stationId: [2, 3] },
  { dataServerId: [6, 7], tagGroupId: [9] },
  { alarmId: [17] },
  { alarmId: [17, 18], stationId: [1] },
  { stationId: [3], priority: [1, 2] },
];

type Named = readonly [name: string, listing: HistoryListing];

/** Each filter over each period, also for a caller bound to some stations, and with searches. */
function everyListing(): readonly Named[] {
  const all = Object.keys(periods) as (keyof typeof periods)[];
  return [
    ...filters.flatMap((filter) => all.map((period) => listing(filter, period))),
    ...filters.map((filter) => listing(filter, 'a week', '', [2, 3])),
    ...filters.map((filter) => listing(filter, 'a week', '', [], 'number')),
    ...filters.flatMap((filter) =>
      [rareWord, `level ${commonWord}`, wordOfAll].map((search) => listing(filter, 'a week', search)),
    ),
  ];
}

function listing(
  filter: HistoryFilter,
  period: keyof typeof periods,
  search = '',
  stationIds: number[] = [],
  sortBy: HistoryListing['sortBy'] = 'id',
): Named {
  const order = stationIds.length === 0 ? 'asc' : 'desc';
  const asked = {
    caller: { stationIds },
    filter: { ...filter, ...periods[period] },
    search,
    sortBy,
    order,
    now,
  } as const;
  return [
    `${period} ${JSON.stringify(filter)} "${search}" ${stationIds} ${sortBy}`,
    { ...asked, limit: 50, offset: 0 },
  ];
}

type Asked = readonly [name: string, query: Query<never, unknown>, input: object];

/** Series of a week for each filter: from the counts, and from entries. */
function everySeries(): readonly Asked[] {
  return filters.flatMap((filter) => {
    const [name, { caller, filter: period, search }] = listing(filter, 'a week');
    const how = [
      { every: '1h', isByPriority: false },
      { every: '10m', isByPriority: true },
    ];
    return how.map((one): Asked => {
      const input = { caller, filter: period, search, ...one, timeZone: 'Europe/Paris' };
      return [`${name} ${JSON.stringify(one)}`, countSeries as Query<never, unknown>, input];
    });
  });
}

type Explain = (query: Query<never, unknown>, input: never) => Promise<readonly Plan[]>;

/** Fails on a full scan of the history entries or of the roll-ups. */
async function refuseScans(explain: Explain): Promise<void> {
  const lists = everyListing().flatMap(([name, listing]) =>
    queries.map((query): Asked => [name, query as Query<never, unknown>, listing]),
  );
  for (const [name, query, input] of [...lists, ...everySeries()]) {
    for (const { text, steps } of await explain(query, input as never)) {
      const scans = steps.filter((step) => /^(SCAN|(Parallel )?Seq Scan) (alarm_histories|\w+_counts)\b/.test(step));
      assert.deepEqual(scans, [], `${query.name} ${name}: ${text}`);
    }
  }
}

const explaining: Record<StoreName, (at: Awaited<ReturnType<typeof seeded>>) => Promise<void>> = {
  async sqlite({ folder }) {
    const db = new DatabaseSync(join(folder, 'tocsin.db'));
    await refuseScans((query, listing) => plansOnSqlite(db, query, listing));
    // A server never runs ANALYZE, so the plans without statistics are the ones it uses.
    db.exec('DELETE FROM sqlite_stat1');
    db.close();
    const unprepared = new DatabaseSync(join(folder, 'tocsin.db'));
    await refuseScans((query, listing) => plansOnSqlite(unprepared, query, listing));
    unprepared.close();
  },
  async postgres({ databaseUrl = '' }) {
    const client = new Client(clientConfig(databaseUrl));
    await client.connect();
    for (const mode of ['custom', 'generic'] as const) {
      await refuseScans((query, listing) => plansOnPostgres(client, query, listing, mode));
    }
    await refuseSetsGoneThroughAnew(client);
    await client.end();
  },
};

/**
 * With little work_mem PostgreSQL materializes a set it considers large and scans it once per entry, which takes
 * minutes.
 */
async function refuseSetsGoneThroughAnew(client: Client): Promise<void> {
  await client.query(`set work_mem = '64kB'`);
  for (const query of [listHistories, listStatistics] as readonly Query<HistoryListing, unknown>[]) {
    const [name, common] = listing({}, 'all the time', wordOfAll);
    for (const { text, steps } of await plansOnPostgres(client, query, common))
      assert.ok(!steps.includes('Materialize'), `${query.name} ${name}: ${text}`);
  }
}

testOnStores('a large history has correct roll-ups, exact lists and only indexed queries', async (t, kind) => {
  const store = await seeded(t, kind);
  const tables = await tablesOf(store.environment);
  for (const [name, { rows, wrong, missing }] of Object.entries(await recount(tables))) {
    assert.ok(rows >= 1_000, `hardly any ${name}: ${rows}`);
    assert.deepEqual({ wrong, missing }, { wrong: [], missing: [] }, name);
  }
  const app = await startOn(t, store.environment);
  const naive = await naiveHistory(tables, 'Europe/Paris');
  const some = (await tables.all('alarm_histories')).filter(({ id }) => id % 997 === 0);
  await tables.close();
  const search = fc.constantFrom(commonWord, rareWord, wordOfAll, `low ${wordOfAll}`, 'ticket 7', 'low cellar 1');
  await listsAgree(app, naive, someListings(some, { count: listingCount, seed: 7, search }));
  await app.stop();
  await explaining[kind](store);
});
