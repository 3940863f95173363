// Opens the store that the settings name; wiring, the only place outside the drivers that knows which there are.

import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { exitCodes, StartError } from './errors.ts';
import { openPostgresStore } from './store/postgres/postgres-store.ts';
import { makeFolder } from './store/sqlite/database-file.ts';
import { type FolderLock, lockFolder } from './store/sqlite/folder-lock.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';
import type { Store } from './store/store.ts';

/** Beside this file, with its ending: .ts in a checkout, .js in a bundle. */
const ownWorker = new URL(`./store-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

type StoreNeeds = {
  readonly clock: Clock;
  /** The module that SQLite's threads run; src/store-worker.ts, or a bundle of it, unless named. */
  readonly workerModule?: URL | undefined;
  /** Whether this process serves alone on its data folder: on SQLite only one may, and keeps others off. */
  readonly exclusive: boolean;
  readonly onTrouble: (error: unknown) => void;
  /** Something about the data that whoever runs the server should know. */
  readonly onNotice: (sentence: string) => void;
  /** Storage failed for good in this process. */
  readonly onBroken: (reason: string) => void;
};

export function openStore(config: Pick<Config, 'dataDir' | 'databaseUrl'>, needs: StoreNeeds): Promise<Store> {
  const now = (): number => needs.clock.now();
  if (config.databaseUrl !== undefined) {
    return openPostgresStore({
      url: config.databaseUrl,
      now,
      onTrouble: needs.onTrouble,
      onNotice: needs.onNotice,
      ...(needs.exclusive ? { highWaterFolder: config.dataDir } : {}),
    });
  }
  return openSqliteStore({
    folder: config.dataDir,
    workerModule: needs.workerModule ?? ownWorker,
    now,
    onBroken: needs.onBroken,
    onNotice: needs.onNotice,
    exclusive: needs.exclusive,
  });
}

/**
 * Holds the data folder of a node of a PostgreSQL. The database has everything that matters, so a node serves also without a folder. Where it cannot be written, the keeper of
 * the high-water mark tells. Two would spoil that mark, so only the first keeps it.
 */
export function holdFolder(folder: string, onNotice: (sentence: string) => void): FolderLock | 'taken' | undefined {
  try {
    makeFolder(folder);
    return lockFolder(folder);
  } catch (error) {
    if (!(error instanceof StartError && error.exitCode === exitCodes['already-running'])) return undefined;
    onNotice(
      `Another Tocsin runs on the data folder ${folder} and keeps its high-water mark; this one keeps none, and after a crash waits for its leases to end. Give it a folder of its own with TOCSIN_DATA_DIR.`,
    );
    return 'taken';
  }
}
