// Tests that a connection empties its caches when their rows may have changed, and only then.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { schema } from '../../migrations/schema.ts';
import { updateRows } from '../row-batch.ts';
import type { CacheDefinition } from '../row-cache.ts';
import { statement } from '../statement.ts';
import type { Tx } from '../store.ts';
import { openWritable, prepareDatabase } from './database-file.ts';
import { PreparedConnection } from './prepared-connection.ts';

class Values extends Map<string, string> {
  empty(): void {
    this.clear();
  }
}

const selectValue = statement((db, args: { key: string }) =>
  db.selectFrom('meta').select('value').where('key', '=', args.key),
);
const insertValue = statement((db, args: { key: string; value: string }) =>
  db.insertInto('meta').values({ key: args.key, value: args.value }),
);
const insertEvent = statement((db, args: { kind: string }) =>
  db.insertInto('events').values({ kind: args.kind, at: 0, actor: 'cli', data: '{}' }),
);
const throughRows = updateRows('meta', { key: 'text' }, { value: 'text' });
const otherRows = updateRows('meta', { key: 'text' }, { value: 'text' });

const values: CacheDefinition<Values> = {
  filledBy: [selectValue],
  writtenThrough: [throughRows],
  make: () => new Values(),
};

async function open(t: TestContext): Promise<{ connection: PreparedConnection; file: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-caches-'));
  const { file } = await prepareDatabase(folder, schema, { schemaChange: 'make-or-upgrade' });
  const connection = new PreparedConnection(openWritable(file));
  t.after(() => {
    connection.close();
    rmSync(folder, { recursive: true });
  });
  return { connection, file };
}

/** Runs a transaction on a cache with one value, and returns whether the value is still cached. */
async function keeps(connection: PreparedConnection, work: (tx: Tx) => Promise<unknown>): Promise<boolean> {
  connection.begin('BEGIN IMMEDIATE');
  const cache = connection.tx.cache?.(values);
  cache?.set('a', '1');
  await work(connection.tx);
  await connection.commit();
  return connection.tx.cache?.(values).has('a') === true;
}

test('a statement that writes a table of the cache empties it', async (t) => {
  const { connection } = await open(t);
  assert.equal(await keeps(connection, (tx) => tx.one(selectValue, { key: 'a' })), true);
  assert.equal(await keeps(connection, (tx) => tx.run(insertEvent, { kind: 'test.happened' })), true);
  assert.equal(await keeps(connection, (tx) => tx.run(insertValue, { key: 'b', value: '2' })), false);
});

test('row statements empty the cache, except those that its owner writes through', async (t) => {
  const { connection } = await open(t);
  const rows = [{ key: 'a', value: '2' }];
  assert.equal(await keeps(connection, (tx) => tx.each(throughRows, rows)), true);
  assert.equal(await keeps(connection, (tx) => tx.each(otherRows, [])), true);
  assert.equal(await keeps(connection, (tx) => tx.each(otherRows, rows)), false);
});

test('a rollback empties the cache', async (t) => {
  const { connection } = await open(t);
  connection.begin('BEGIN IMMEDIATE');
  connection.tx.cache?.(values).set('a', '1');
  connection.rollBack('ROLLBACK');
  assert.equal(connection.tx.cache?.(values).size, 0);
});

test('the cache is emptied when another process has written, and only then', async (t) => {
  const { connection, file } = await open(t);
  const beside = new DatabaseSync(file);
  const isKept = (): boolean => {
    connection.begin('BEGIN IMMEDIATE');
    const isCached = connection.tx.cache?.(values).has('a') === true;
    connection.tx.cache?.(values).set('a', '1');
    void connection.commit();
    return isCached;
  };
  assert.deepEqual([isKept(), isKept()], [false, true]);
  beside.exec(`INSERT INTO meta (key, value) VALUES ('beside', '1')`);
  assert.deepEqual([isKept(), isKept()], [false, true]);
  beside.close();
});
