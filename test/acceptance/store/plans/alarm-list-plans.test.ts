// Lists and counts of alarms go through the current alarms, or fewer, however many alarms are at rest.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { countAlarms } from '../../../../src/operations/alarms/lists/count-alarms.ts';
import type { AlarmFilter, AlarmSelection } from '../../../../src/operations/alarms/lists/filter.ts';
import { type AlarmOrder, listAlarms } from '../../../../src/operations/alarms/lists/list-alarms.ts';
import { clientConfig } from '../../../../src/store/postgres/prepared-connection.ts';
import type { Query } from '../../../../src/store/store.ts';
import { migratedStore, startOn } from '../../../harness/site/app.ts';
import { type Plan, plansOnPostgres, plansOnSqlite } from '../../../harness/stores/plans.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

const [atRest, current] = [4_000, 40];

const filters: readonly AlarmFilter[] = [
  {},
  { stationId: [1] },
  { stationId: [1, 2] },
  { dataServerId: [2] },
  { tagGroupId: [1, 2] },
  { id: [3, 4] },
  { afterId: 4_000 },
  { priority: [1, 2] },
  { callGroupId: [1] },
  { scenarioId: [1, 2] },
  { alarmState: 3 },
  { inactiveMasked: 1 },
  { inactiveMasked: 2 },
];

type Asked = readonly [query: Query<never, unknown>, input: object];

function everyQuery(): readonly Asked[] {
  const selections: readonly AlarmSelection[] = [
    ...filters.map((filter) => ({ caller: { stationIds: [] }, filter, search: '' })),
    ...filters.map((filter) => ({ caller: { stationIds: [1] }, filter, search: '' })),
    { caller: { stationIds: [] }, filter: {}, search: 'line 7' },
  ];
  const orders: readonly AlarmOrder[] = ['asc', 'desc', 'urgent'];
  return selections.flatMap((selection) => [
    [countAlarms as Query<never, unknown>, selection] as const,
    ...orders.map((order) => {
      return [listAlarms as Query<never, unknown>, { ...selection, order, limit: 50, offset: 0 }] as const;
    }),
  ]);
}

/** All alarms, or all of a location. */
const readsAll =
  /^(SCAN alarms(?! USING INDEX alarms_current)\b|(Parallel )?Seq Scan alarms\b)|alarms_by_(station|path|tag_group)/;

/** Fails on a plan that reads alarms at rest. */
async function refuseScans(explain: (...asked: Asked) => Promise<readonly Plan[]>): Promise<void> {
  for (const [query, input] of everyQuery()) {
    for (const { text, steps } of await explain(query, input)) {
      const scans = steps.filter((step) => readsAll.test(step));
      assert.deepEqual(scans, [], `${query.name} ${JSON.stringify(input)}: ${text}\n${steps.join('\n')}`);
    }
  }
}

testOnStores('lists and counts of alarms do not read those at rest', async (t, kind) => {
  const environment = await migratedStore(t, kind);
  const app = await startOn(t, environment);
  const token = await app.signIn();
  for (let sent = 0; sent < atRest + current; sent += 1_000) {
    const size = Math.min(1_000, atRest + current - sent);
    const body = Array.from({ length: size }, (_, n) => ({ path: `Line ${sent + n}`, raised: sent >= atRest }));
    assert.equal((await app.request('POST', '/api/v1/alarms/batch', { token, body })).status, 200);
  }
  const counts = (await app.request('GET', '/api/v1/alarms/counts', { token })).body as { total: number };
  assert.equal(counts.total, current);
  await app.stop();
  if (kind === 'sqlite') {
    const db = new DatabaseSync(join(environment.TOCSIN_DATA_DIR ?? '', 'tocsin.db'));
    await refuseScans((query, input) => plansOnSqlite(db, query, input as never));
    db.close();
    return;
  }
  const client = new Client(clientConfig(environment.TOCSIN_DATABASE_URL ?? ''));
  await client.connect();
  await client.query('analyze');
  for (const mode of ['custom', 'generic'] as const)
    await refuseScans((query, input) => plansOnPostgres(client, query, input as never, mode));
  await client.end();
});
