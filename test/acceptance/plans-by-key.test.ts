// What takes an alarm finds it by its tag, whatever PostgreSQL knows of its tables: a plan lives as long as its connection.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { findKeptByTag } from '../../src/store/alarms.ts';
import { byKeyOnly, clientConfig } from '../../src/store/postgres/connection.ts';
import type { Query } from '../../src/store/store.ts';
import { freshStore, startOn } from '../harness/app.ts';
import { plansOnPostgres } from '../harness/plans.ts';

const byTag: Query<readonly (readonly [number, string])[], unknown> = { name: 'byTag', run: findKeptByTag };

test('postgres: an alarm is found by its whole tag, though nobody has counted the tables yet', async (t) => {
  const environment = await freshStore(t, 'postgres');
  const app = await startOn(t, environment);
  const token = await app.signIn();
  const client = new Client(clientConfig(environment.TOCSIN_DATABASE_URL ?? ''));
  await client.connect();
  await client.query(byKeyOnly);
  const isFoundWhole = async (when: string) => {
    const steps = (await plansOnPostgres(client, byTag, [[1, 'Line 1']], 'generic')).flatMap((plan) => plan.steps);
    assert.ok(
      steps.some((step) => /alarms_by_path .*data_server_id = .*md5/.test(step)),
      `${when}: ${steps.join('\n')}`,
    );
  };
  await isFoundWhole('empty');
  const body = Array.from({ length: 600 }, (_, n) => ({ path: `Line ${n}`, alarmMessage: 'stopped' }));
  await app.request('POST', '/api/v1/alarms/batch', { token, body });
  await isFoundWhole('with 600 alarms, not counted');
  for (const table of ['data_servers', 'alarms']) {
    await client.query(`analyze ${table}`);
    await isFoundWhole(`with 600 alarms, ${table} counted`);
  }
  await client.end();
});
