// Runs the store conformance suite on PostgreSQL.

import { schema } from '../../src/migrations/schema.ts';
import { openPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { testThreads } from '../harness/server/built-server.ts';
import { freshPostgresDatabase, storesUnderTest } from '../harness/stores/stores.ts';
import { storeConformance } from './store.ts';

if (storesUnderTest().includes('postgres')) {
  storeConformance('postgres', async (t, clock) => {
    const url = await freshPostgresDatabase(t);
    return async () => {
      const store = await openPostgresStore({
        url,
        schema,
        startWorker: testThreads,
        now: clock.now,
        schemaChange: 'make-or-upgrade',
        onTrouble: () => {},
      });
      t.after(() => store.close());
      return store;
    };
  });
}
