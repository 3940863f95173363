// Opens the store for one CLI command, possibly beside a running server, and closes it afterwards.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config, Environment } from '../config.ts';
import { readConfig } from '../config.ts';
import { StartError } from '../errors.ts';
import { openStore } from '../open-store.ts';
import { isStoreEmpty } from '../operations/access/queries.ts';
import { databaseFileName, refuseLostDatabase } from '../store/sqlite/database-file.ts';
import type { Store } from '../store/store.ts';

export async function withStore<T>(environment: Environment, work: (store: Store) => Promise<T>): Promise<T> {
  const config = readConfig(environment);
  refuseMissingFile(config);
  const store = await openStore(config, {
    clock: { now: () => Date.now() },
    exclusive: false,
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
  const place = databaseUrl === undefined ? `the folder ${resolve(dataDir)} (TOCSIN_DATA_DIR)` : 'the database';
  return new StartError(
    `There is nothing in ${place} yet: start Tocsin once with "npm start", or name the place of the server that runs.`,
    'bad-usage',
  );
}
