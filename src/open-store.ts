// Opens the store that the settings name; wiring, the only place outside the drivers that knows which there are.

import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import { openPostgresStore } from './store/postgres/postgres-store.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';
import type { Store } from './store/store.ts';

type StoreNeeds = {
  readonly clock: Clock;
  /** Whether this process serves: on SQLite only one may at a time. */
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
    // Beside this file, with its ending: .ts in a checkout, .js when built.
    workerModule: new URL(`./store-worker${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
    now,
    onBroken: needs.onBroken,
    onNotice: needs.onNotice,
    exclusive: needs.exclusive,
  });
}
