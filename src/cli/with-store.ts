// Opens the store for one CLI command, possibly beside a running server, and closes it afterwards.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config, Environment } from '../config.ts';
import { readConfig } from '../config.ts';
import type { StartError } from '../errors.ts';
import { openStore, type StoreNeeds } from '../open-store.ts';
import { isStoreEmpty } from '../operations/access/queries.ts';
import { nothingIn } from '../store/schema.ts';
import { databaseFileName, refuseLostDatabase } from '../store/sqlite/database-file.ts';
import type { Store } from '../store/store.ts';

export function withStore<T>(environment: Environment, work: (store: Store) => Promise<T>): Promise<T> {
  return using(readConfig(environment), { exclusive: false, schemaChange: 'none' }, work);
}

/** Upgrades the schema of the store while no server runs on it. */
export async function upgradeStore(environment: Environment): Promise<void> {
  const config = readConfig(environment);
  // On PostgreSQL the database is locked, and not the data folder, which belongs to a node.
  await using(config, { exclusive: config.databaseUrl === undefined, schemaChange: 'upgrade' }, async () => {});
}

async function using<T>(
  config: Config,
  how: Pick<StoreNeeds, 'exclusive' | 'schemaChange'>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  refuseMissingFile(config);
  const store = await openStore(config, {
    ...how,
    clock: { now: () => Date.now() },
    onTrouble: () => {},
    onNotice: (sentence) => console.error(sentence),
    onBroken: () => {},
  });
  try {
    if (await store.read(isStoreEmpty, {})) throw nothingHere(config);
    return await work(store);
  } finally {
    await store.close();
  }
}

/** A command makes no database: it would be one in a folder that was named by mistake. */
function refuseMissingFile(config: Config): void {
  const file = join(config.dataDir, databaseFileName);
  if (config.databaseUrl !== undefined || existsSync(file)) return;
  refuseLostDatabase(file);
  throw nothingHere(config);
}

function nothingHere({ databaseUrl, dataDir }: Config): StartError {
  return nothingIn(databaseUrl === undefined ? `the folder ${resolve(dataDir)} (TOCSIN_DATA_DIR)` : 'the database');
}
