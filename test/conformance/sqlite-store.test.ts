// SQLite keeps the promises of the store.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { storesUnderTest } from '../harness/stores.ts';
import { storeConformance } from './store.ts';

if (storesUnderTest().includes('sqlite')) {
  storeConformance('sqlite', async (t, clock) => {
    const folder = await mkdtemp(join(tmpdir(), 'tocsin-test-'));
    t.after(() => t.after(() => rm(folder, { recursive: true, force: true })));
    let exclusive = true;
    return async () => {
      const workerModule = new URL('../harness/test-store-worker.ts', import.meta.url);
      const store = await openSqliteStore({ folder, workerModule, now: clock.now, onBroken: () => {}, exclusive });
      exclusive = false;
      t.after(() => store.close());
      return store;
    };
  });
}
