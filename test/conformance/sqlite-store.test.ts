// Runs the store conformance suite on SQLite.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schema } from '../../src/migrations/schema.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { testThreads } from '../harness/server/built-server.ts';
import { storesUnderTest } from '../harness/stores/stores.ts';
import { storeConformance } from './store.ts';

if (storesUnderTest().includes('sqlite')) {
  storeConformance('sqlite', async (t, clock) => {
    const folder = await mkdtemp(join(tmpdir(), 'tocsin-test-'));
    t.after(() => t.after(() => rm(folder, { recursive: true, force: true })));
    let exclusive = true;
    return async () => {
      const store = await openSqliteStore({
        folder,
        schema,
        startWorker: testThreads,
        now: clock.now,
        onBroken: () => {},
        exclusive,
        schemaChange: exclusive ? 'make-or-upgrade' : 'none',
      });
      exclusive = false;
      t.after(() => store.close());
      return store;
    };
  });
}
