// Counting the deliveries under way, in the transaction that takes attempts, visits open attempts alone, however long the history is.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { getCallingSize } from '../../../../src/operations/calls/engine/decide-calls.ts';
import { hasDueAttempts } from '../../../../src/operations/calls/queries.ts';
import { selectInUse } from '../../../../src/operations/providers/queries.ts';
import { byKeyOnly, clientConfig } from '../../../../src/store/postgres/prepared-connection.ts';
import type { Query } from '../../../../src/store/store.ts';
import { migratedStore, startOn } from '../../../harness/site/app.ts';
import { type Plan, plansOnPostgres, plansOnSqlite } from '../../../harness/stores/plans.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

const inUse: Query<Record<string, never>, unknown> = {
  name: 'inUse',
  run: (tx) => tx.all(selectInUse, { hidden: '[]' }),
};

/** The indexes that hold open rows alone. */
const ofOpenRows = /call_attempts_(leased|due|open)|call_causes_open/;

function visitsOpenRowsAlone(plans: readonly Plan[]): void {
  const ofCalls = plans.filter(({ text }) => /call_attempts|call_causes/.test(text));
  assert.ok(ofCalls.length > 0, 'nothing of calls is read');
  for (const { text, steps } of ofCalls) {
    // PostgreSQL names the index of a bitmap in a step of its own.
    const reads = steps.filter(
      (step) => /call_attempts|call_causes/.test(step) && !step.startsWith('Bitmap Heap Scan'),
    );
    assert.ok(reads.length > 0, text);
    for (const step of reads) assert.match(step, ofOpenRows, text);
  }
}

testOnStores('deliveries under way and due work are found by the indexes of open rows', async (t, kind) => {
  const environment = await migratedStore(t, kind);
  await startOn(t, environment);
  if (kind === 'sqlite') {
    const db = new DatabaseSync(join(environment.TOCSIN_DATA_DIR ?? '', 'tocsin.db'), { readOnly: true });
    t.after(() => db.close());
    visitsOpenRowsAlone(await plansOnSqlite(db, inUse, {}));
    visitsOpenRowsAlone(await plansOnSqlite(db, hasDueAttempts, { now: 1 }));
    visitsOpenRowsAlone(await plansOnSqlite(db, getCallingSize, { atMost: 1 }));
    return;
  }
  const client = new Client(clientConfig(environment.TOCSIN_DATABASE_URL ?? ''));
  await client.connect();
  t.after(() => client.end());
  await client.query(byKeyOnly);
  visitsOpenRowsAlone(await plansOnPostgres(client, inUse, {}, 'generic'));
  visitsOpenRowsAlone(await plansOnPostgres(client, hasDueAttempts, { now: 1 }, 'generic'));
  visitsOpenRowsAlone(await plansOnPostgres(client, getCallingSize, { atMost: 1 }, 'generic'));
});
