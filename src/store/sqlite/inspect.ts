// Reads facts about a SQLite database for `tocsin doctor` without changing any file.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newestVersion, type Schema } from '../schema.ts';
import type { ReadTx } from '../store.ts';
import {
  asStartError,
  checkDatabase,
  databaseFileName,
  openUntouched,
  refuseLostDatabase,
  schemaVersion,
} from './database-file.ts';
import { refuseWithoutWal } from './open-marker.ts';
import { PreparedConnection } from './prepared-connection.ts';

type SqliteFacts<T> = {
  readonly file: string;
  readonly bytes: number;
  readonly schemaVersion: number;
  /** The result of `query`; undefined when the schema is not the version that queries are written for. */
  readonly result: T | undefined;
};

/**
 * Runs `query` on the database in the folder. Returns undefined when there is no database yet; throws a StartError when
 * the server would refuse it.
 */
export async function inspectSqlite<T>(
  folder: string,
  schema: Schema,
  query: (tx: ReadTx) => Promise<T>,
): Promise<SqliteFacts<T> | undefined> {
  const file = join(folder, databaseFileName);
  if (!existsSync(file)) {
    refuseLostDatabase(file);
    return undefined;
  }
  try {
    refuseWithoutWal(file);
    checkDatabase(file, schema, { open: openUntouched });
    return await read(file, schema, query);
  } catch (error) {
    throw asStartError(error, folder);
  }
}

async function read<T>(file: string, schema: Schema, query: (tx: ReadTx) => Promise<T>): Promise<SqliteFacts<T>> {
  const db = openUntouched(file);
  try {
    const version = schemaVersion(db);
    const result = version === newestVersion(schema) ? await query(new PreparedConnection(db).tx) : undefined;
    return { file, bytes: statSync(file).size, schemaVersion: version, result };
  } finally {
    db.close();
  }
}
