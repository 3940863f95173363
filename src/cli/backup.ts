// `tocsin backup FILE`: writes the whole store to one file, also while a server runs.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, type Environment, readConfig } from '../config.ts';
import { schema } from '../migrations/schema.ts';
import type { Snapshot } from '../store/backup/format.ts';
import { writeBackup } from '../store/backup/write-backup.ts';
import { withPostgresSnapshot } from '../store/postgres/export-rows.ts';
import { withSqliteSnapshot } from '../store/sqlite/export-rows.ts';
import { version } from '../version.ts';
import { readArguments } from './arguments.ts';
import { counted, number, secondsSince, showProgress } from './progress.ts';

export async function backUp(words: readonly string[], environment: Environment): Promise<void> {
  const { positionals } = readArguments(words, 1, 'backup FILE', {});
  const file = resolve(positionals[0] ?? '');
  const begin = performance.now();
  const counts = await withSnapshot(readConfig(environment), async ({ batches, ...facts }) => {
    const progress = showProgress('Backing up');
    const header = { ...facts, createdAt: new Date().toISOString(), tocsin: version };
    const written = await writeBackup(file, header, counted(batches, progress));
    progress.end();
    return written;
  });
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const tables = Object.entries(counts).map(([table, count]) => `${table} ${number(count)}`);
  console.log(
    `Backed up ${number(rows)} rows to ${file} (${number(statSync(file).size)} bytes) in ${secondsSince(begin)}: ${tables.join(', ')}.`,
  );
}

function withSnapshot<T>(config: Config, use: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  if (config.databaseUrl !== undefined) return withPostgresSnapshot(config.databaseUrl, schema, use);
  return withSqliteSnapshot(config.dataDir, schema, use, (sentence) => console.error(sentence));
}
