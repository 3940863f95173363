// Opens the store that the settings name; the only code outside the drivers that knows the drivers.

import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { exitCodes, StartError } from './errors.ts';
import { schema } from './migrations/schema.ts';
import { openPostgresStore } from './store/postgres/postgres-store.ts';
import { narrowFiles } from './store/private-file.ts';
import type { SchemaChange } from './store/schema.ts';
import { makeFolder } from './store/sqlite/database-file.ts';
import { type FolderLock, lockFolder } from './store/sqlite/folder-lock.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';
import type { Store } from './store/store.ts';
import type { BackupEnd } from './store/threads/thread-messages.ts';
import { type StartWorker, threadsOf } from './store/threads/worker-thread.ts';

/** Beside this file, with the same extension: .ts in a checkout, .js in a bundle. */
const ownWorker = new URL(`./store-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

export type StoreNeeds = {
  readonly clock: Clock;
  /** Starts the store's threads; by default they run src/store-worker.ts or its bundle. */
  readonly startStoreWorker?: StartWorker | undefined;
  /** Whether this process is the only server on its data folder: on SQLite it then locks the folder. */
  readonly exclusive: boolean;
  readonly schemaChange: SchemaChange;
  readonly onTrouble: (error: unknown) => void;
  /** Called with what was found wrong with the database; undefined: a check of all of it found nothing. */
  readonly onChecked?: (problem: string | undefined) => void;
  /** Called with notices to the administrator about the data. */
  readonly onNotice: (sentence: string) => void;
  /** Called when storage failed for good in this process. */
  readonly onBroken: (reason: string) => void;
};

export function openStore(config: Pick<Config, 'dataDir' | 'databaseUrl'>, needs: StoreNeeds): Promise<Store> {
  const now = (): number => needs.clock.now();
  const startWorker = needs.startStoreWorker ?? threadsOf(ownWorker);
  if (config.databaseUrl !== undefined) {
    return openPostgresStore({
      url: config.databaseUrl,
      schema,
      startWorker,
      now,
      schemaChange: needs.schemaChange,
      onTrouble: needs.onTrouble,
      onBroken: needs.onBroken,
      onNotice: needs.onNotice,
      ...(needs.exclusive ? { highWaterFolder: config.dataDir } : {}),
    });
  }
  return openSqliteStore({
    folder: config.dataDir,
    schema,
    startWorker,
    now,
    schemaChange: needs.schemaChange,
    onBroken: needs.onBroken,
    ...(needs.onChecked === undefined ? {} : { onChecked: needs.onChecked }),
    onNotice: needs.onNotice,
    exclusive: needs.exclusive,
  });
}

/** A backup on a thread of its own. */
type RunningBackup = { readonly done: Promise<BackupEnd>; readonly stop: () => void };

/** Writes a backup beside the server, and reads it again. */
export function startBackup(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  file: string,
  startWorker: StartWorker = threadsOf(ownWorker),
): RunningBackup {
  const worker = startWorker({ role: 'backup', file, folder: dataDir, url: databaseUrl });
  const { promise, resolve } = Promise.withResolvers<BackupEnd>();
  const fail = (problem: string): void => resolve({ problem, isDatabase: false });
  worker.on('message', (message) => {
    if (message.kind === 'backed-up') resolve(message);
  });
  worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error)));
  worker.once('exit', () => fail('the thread that wrote it ended'));
  return { done: promise, stop: () => worker.postMessage('close') };
}

/**
 * Locks the data folder of a PostgreSQL node. The database holds all essential data, so a node also serves without the
 * lock: if the folder cannot be written, the high-water writer reports it. Two writers would corrupt the high-water
 * mark, so only the lock holder writes it.
 */
export function holdFolder(folder: string, onNotice: (sentence: string) => void): FolderLock | 'taken' | undefined {
  try {
    makeFolder(folder);
    narrowFiles(folder, onNotice);
    return lockFolder(folder);
  } catch (error) {
    if (!(error instanceof StartError && error.exitCode === exitCodes['already-running'])) return undefined;
    onNotice(
      `Another Tocsin runs on the data folder ${folder} and keeps its high-water mark; this one keeps none, and after a crash waits for its leases to end. Give it a folder of its own with TOCSIN_DATA_DIR.`,
    );
    return 'taken';
  }
}
