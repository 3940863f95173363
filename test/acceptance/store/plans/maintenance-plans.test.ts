// What maintenance does every minute in the writer finds its rows by an index, however many calls, causes and recordings are kept.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { Client } from 'pg';
import { warnOfExpiringKeys } from '../../../../src/operations/access/key-warnings.ts';
import { sealAudit, trimAudit } from '../../../../src/operations/audit/seal.ts';
import { purgeCalls } from '../../../../src/operations/calls/purge.ts';
import { trimHistory } from '../../../../src/operations/history/purge.ts';
import { purgeExpired } from '../../../../src/operations/system/purge.ts';
import { beginPurge } from '../../../../src/operations/system/purge-pace.ts';
import { byKeyOnly, clientConfig } from '../../../../src/store/postgres/prepared-connection.ts';
import { sqlStatement } from '../../../../src/store/statement.ts';
import { table, target } from '../../../../src/store/statement-tables.ts';
import type { Operation, Tx } from '../../../../src/store/store.ts';
import { scansOf } from '../../../harness/growing-tables.ts';
import { migratedStore, startOn } from '../../../harness/site/app.ts';
import { plansOnPostgres, plansOnSqlite } from '../../../harness/stores/plans.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

type Maintained = readonly [name: string, run: (tx: Tx) => Promise<unknown>];

function at<I>(operation: Operation<I, unknown>, input: I): Maintained {
  return [operation.name, (tx) => operation.run(tx, Date.now(), input)];
}

/** As recordings were looked for before their times had an index: every one was read, with its sound, once a minute. */
const planted: Maintained = ['planted', (tx) => tx.run(inOrderOfIds, { before: 1 })];
const inOrderOfIds = sqlStatement<{ before: number }>(
  (args) => sql`delete from ${target('call_messages')} where id in (select id from ${table('call_messages')}
    where num < ${args.before} order by id limit 500)`,
);

const maintenance: readonly Maintained[] = [
  at(warnOfExpiringKeys, {}),
  at(beginPurge, { startedAt: 1 }),
  at(purgeExpired, { asOf: 1, eventsBefore: 1 }),
  at(trimHistory, { before: 1 }),
  at(purgeCalls, { before: 1, recordingsBefore: 1, phonesBefore: 1 }),
  at(sealAudit, {}),
  at(trimAudit, { before: 1 }),
];

testOnStores('maintenance reads no table of history, calls or recordings from end to end', async (t, kind) => {
  const environment = await migratedStore(t, kind);
  const app = await startOn(t, environment);
  const token = await app.signIn();
  await app.request('POST', '/api/v1/alarms', { token, body: { path: 'Line 1' } });
  await app.stop();
  const explained: (readonly [string, readonly string[]])[] = [];
  if (kind === 'sqlite') {
    const db = new DatabaseSync(join(environment.TOCSIN_DATA_DIR ?? '', 'tocsin.db'));
    t.after(() => db.close());
    for (const [name, run] of [...maintenance, planted])
      explained.push([name, scansOf(await plansOnSqlite(db, { name, run }, {}), 'sqlite')]);
  } else {
    const client = new Client(clientConfig(environment.TOCSIN_DATABASE_URL ?? ''));
    await client.connect();
    t.after(() => client.end());
    await client.query(byKeyOnly);
    for (const [name, run] of [...maintenance, planted])
      explained.push([name, scansOf(await plansOnPostgres(client, { name, run }, {}, 'generic'), 'postgres')]);
  }
  const wrong = explained.filter(([, found]) => found.length > 0);
  assert.deepEqual(
    wrong.filter(([name]) => name !== 'planted'),
    [],
  );
  assert.equal(wrong.length, 1, 'a statement that reads a table from end to end is found');
});
