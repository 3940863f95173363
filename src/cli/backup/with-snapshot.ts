// Reads a consistent snapshot of the database that the settings name, for a backup.

import type { Config } from '../../config.ts';
import { schema } from '../../migrations/schema.ts';
import type { Snapshot } from '../../store/backup/format.ts';
import { withPostgresSnapshot } from '../../store/postgres/export-rows.ts';
import { withSqliteSnapshot } from '../../store/sqlite/export-rows.ts';

export function withSnapshot<T>(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  use: (snapshot: Snapshot) => Promise<T>,
  onNotice: (sentence: string) => void,
): Promise<T> {
  if (databaseUrl !== undefined) return withPostgresSnapshot(databaseUrl, schema, use);
  return withSqliteSnapshot(dataDir, schema, use, onNotice);
}
