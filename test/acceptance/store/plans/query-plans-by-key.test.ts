// Changes of alarms find their rows by index, whatever statistics PostgreSQL has: a cached plan lives as long as its
// connection.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { findRecordsByTag } from '../../../../src/operations/alarms/queries.ts';
import { selectPiece } from '../../../../src/operations/alarms/rename.ts';
import { selectInSeries } from '../../../../src/operations/history/unacknowledged.ts';
import { selectSharedPaths } from '../../../../src/operations/plant/move-tags.ts';
import { byKeyOnly, clientConfig } from '../../../../src/store/postgres/prepared-connection.ts';
import type { Query } from '../../../../src/store/store.ts';
import { migratedStore, startOn } from '../../../harness/site/app.ts';
import { plansOnPostgres } from '../../../harness/stores/plans.ts';
import { storesUnderTest } from '../../../harness/stores/stores.ts';

const byTag: Query<readonly (readonly [number, string])[], unknown> = { name: 'byTag', run: findRecordsByTag };
const unacknowledged: Query<number, unknown> = {
  name: 'unacknowledged',
  run: (tx, seriesId) => tx.all(selectInSeries, { seriesId, since: 1, after: 0, upTo: 1_000, limit: 10 }),
};
const sharedPaths: Query<number, unknown> = {
  name: 'sharedPaths',
  run: (tx, fewer) => tx.all(selectSharedPaths, { fewer, more: 2 }),
};
const toRename: Query<number, unknown> = {
  name: 'toRename',
  run: (tx, dataServerId) => tx.all(selectPiece, { dataServerId, afterId: 7 }),
};

const skip = storesUnderTest().includes('postgres') ? false : 'needs PostgreSQL';

test('postgres: alarms are found by index with and without table statistics', { skip }, async (t) => {
  const environment = await migratedStore(t, 'postgres');
  const app = await startOn(t, environment);
  const token = await app.signIn();
  const client = new Client(clientConfig(environment.TOCSIN_DATABASE_URL ?? ''));
  await client.connect();
  await client.query(byKeyOnly);
  const goesBy = async <A>(query: Query<A, unknown>, args: A, index: RegExp, when: string) => {
    const steps = (await plansOnPostgres(client, query, args, 'generic')).flatMap((plan) => plan.steps);
    assert.ok(
      steps.some((step) => index.test(step)),
      `${query.name}, ${when}: ${steps.join('\n')}`,
    );
  };
  const goByKeys = async (when: string) => {
    await goesBy(byTag, [[1, 'Line 1']], /alarms_by_path .*data_server_id = .*md5/, when);
    await goesBy(sharedPaths, 1, /alarms_by_path .*data_server_id = .*md5/, when);
    await goesBy(toRename, 1, /alarms_by_path .*data_server_id = .*md5.* > /, when);
    await goesBy(unacknowledged, 1, /alarm_histories_by_series .*series_id = .*raised_at/, when);
  };
  await goByKeys('empty');
  const body = Array.from({ length: 600 }, (_, n) => ({ path: `Line ${n}`, alarmMessage: 'stopped' }));
  await app.request('POST', '/api/v1/alarms/batch', { token, body });
  await goByKeys('with 600 alarms, not counted');
  for (const table of ['data_servers', 'alarms', 'history_series', 'alarm_histories', 'history_texts']) {
    await client.query(`analyze ${table}`);
    await goByKeys(`with 600 alarms, ${table} counted`);
  }
  await client.end();
});
