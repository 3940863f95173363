// Executes SQL on the database of a running server over a connection of its own, to simulate faults.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { TestApp } from './app.ts';

export async function executeSql({ environment }: TestApp, sql: string): Promise<void> {
  const url = environment.TOCSIN_DATABASE_URL;
  if (url === undefined) {
    const db = new DatabaseSync(join(environment.TOCSIN_DATA_DIR ?? '', 'tocsin.db'), { timeout: 5_000 });
    db.exec(sql);
    db.close();
    return;
  }
  const client = new pg.Client(url);
  await client.connect();
  await client.query(sql);
  await client.end();
}
