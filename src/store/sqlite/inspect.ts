// Looks at a SQLite database for `tocsin doctor` without leaving a trace.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ApiKeyEntry, listApiKeys } from '../../operations/access/queries.ts';
import { newestVersion } from '../migrations/migrations.ts';
import {
  asStartError,
  checkDatabase,
  databaseFileName,
  openUntouched,
  refuseLostDatabase,
  schemaVersion,
} from './database-file.ts';
import { PreparedConnection } from './prepared-connection.ts';

export type SqliteFacts = {
  readonly file: string;
  readonly bytes: number;
  readonly schemaVersion: number;
  /** Empty where the schema is not the one our queries are for. */
  readonly keys: readonly ApiKeyEntry[];
};

/** Undefined when there is no database yet; throws a StartError when the server would refuse the one there is. */
export async function examineSqlite(folder: string): Promise<SqliteFacts | undefined> {
  const file = join(folder, databaseFileName);
  if (!existsSync(file)) {
    refuseLostDatabase(file);
    return undefined;
  }
  try {
    checkDatabase(file, openUntouched);
    return await read(file);
  } catch (error) {
    throw asStartError(error, folder);
  }
}

async function read(file: string): Promise<SqliteFacts> {
  const db = openUntouched(file);
  try {
    const version = schemaVersion(db);
    const connection = new PreparedConnection(db);
    const page = { limit: 1_000, offset: 0, order: 'asc' } as const;
    const keys = version === newestVersion ? (await listApiKeys.run(connection.tx, page)).items : [];
    return { file, bytes: statSync(file).size, schemaVersion: version, keys };
  } finally {
    db.close();
  }
}
