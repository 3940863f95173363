// Executes SQL on the database of a running server over a connection of its own, to simulate faults.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { TestApp } from '../site/app.ts';
import { until } from '../until.ts';

export async function executeSql({ environment }: TestApp, sql: string): Promise<void> {
  const url = environment.TOCSIN_DATABASE_URL;
  if (url === undefined) {
    const db = new DatabaseSync(join(environment.TOCSIN_DATA_DIR ?? '', 'tocsin.db'), { timeout: 0 });
    try {
      await until(
        async () => beginsNow(db),
        (hasBegun) => hasBegun,
      );
      db.exec(sql);
      db.exec('COMMIT');
    } finally {
      db.close();
    }
    return;
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}

/**
 * Begins a transaction unless another connection writes. Waiting inside SQLite would stop a writer that runs in this
 * thread.
 */
function beginsNow(db: DatabaseSync): boolean {
  try {
    db.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return false;
    throw error;
  }
}

/** Makes updates fail, as a fault in the code would. Returns the SQL of a trigger `poison` on the rows for which the condition on `new` holds. */
export function poisonUpdates(kind: string, table: string, condition: string): string {
  return kind === 'sqlite'
    ? `create trigger poison before update on ${table} when ${condition} begin select raise(abort, 'poisoned'); end`
    : `create function poison() returns trigger as $$ begin raise exception 'poisoned'; end $$ language plpgsql;
      create trigger poison before update on ${table} for each row when (${condition}) execute function poison()`;
}
