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
import { freshStore, startOn } from '../../../harness/site/app.ts';
import { type Plan, plansOnPostgres, plansOnSqlite } from '../../../harness/stores/plans.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

/** Tables that grow with what happens. The others have as many rows as somebody has entered, or as the last minutes brought. */
const growing =
  /\b(alarm_histories|history_\w+|intervention_counts|call_\w+|calls|conversations|phone_messages|inbound_messages|intake_refusals|command_runs|audit_\w+|events|idempotency_keys|sessions|alarm_descriptions|sign_in_\w+)\b/;

/** Read from their oldest end, with a limit before any condition. */
const fromTheOldest: readonly RegExp[] = [
  /from "?events"? where "?position"? is not null (and "at" < .* )?order by "?position"?/s,
  /from "alarm_histories" where "reset_at" is not null order by "id" limit/,
];

/** Indexes of rows that are open or wait, which are few, and the end of one. */
const fewRows = /_open\w*|audit_entries_unsealed|audit_entries_by_seal/;

const scans = {
  sqlite: (step: string) => /^SCAN (?!CONSTANT|json_each|oldest)/.test(step),
  postgres: (step: string) => /Seq Scan/.test(step) || (/Index/.test(step) && !/ \(/.test(step)),
};

function scansOf(plans: readonly Plan[], isScan: (step: string) => boolean): readonly string[] {
  return plans.flatMap(({ text, steps }) =>
    fromTheOldest.some((known) => known.test(text))
      ? []
      : steps
          .filter((step) => isScan(step) && growing.test(step) && !fewRows.test(step))
          .map((step) => `${step}: ${text}`),
  );
}

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
  const environment = await freshStore(t, kind);
  const app = await startOn(t, environment);
  const token = await app.signIn();
  await app.request('POST', '/api/v1/alarms', { token, body: { path: 'Line 1' } });
  await app.stop();
  const explained: (readonly [string, readonly string[]])[] = [];
  if (kind === 'sqlite') {
    const db = new DatabaseSync(join(environment.TOCSIN_DATA_DIR ?? '', 'tocsin.db'));
    t.after(() => db.close());
    for (const [name, run] of [...maintenance, planted])
      explained.push([name, scansOf(await plansOnSqlite(db, { name, run }, {}), scans.sqlite)]);
  } else {
    const client = new Client(clientConfig(environment.TOCSIN_DATABASE_URL ?? ''));
    await client.connect();
    t.after(() => client.end());
    await client.query(byKeyOnly);
    for (const [name, run] of [...maintenance, planted])
      explained.push([name, scansOf(await plansOnPostgres(client, { name, run }, {}, 'generic'), scans.postgres)]);
  }
  const wrong = explained.filter(([, found]) => found.length > 0);
  assert.deepEqual(
    wrong.filter(([name]) => name !== 'planted'),
    [],
  );
  assert.equal(wrong.length, 1, 'a statement that reads a table from end to end is found');
});
