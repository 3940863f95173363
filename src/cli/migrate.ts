// `tocsin migrate`: brings the schema of the database up to date while no server runs.

import type { Environment } from '../config.ts';
import { schema } from '../migrations/schema.ts';
import { newestVersion } from '../store/schema.ts';
import { readArguments } from './arguments.ts';
import { upgradeStore } from './with-store.ts';

export async function migrateStore(words: readonly string[], environment: Environment): Promise<void> {
  readArguments(words, 0, 'migrate', {});
  await upgradeStore(environment);
  console.log(`The database has schema ${newestVersion(schema)}, with which this Tocsin works.`);
}
