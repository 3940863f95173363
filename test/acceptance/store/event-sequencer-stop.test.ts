// An event sequencer that is stopped while it connects leaves no connection to the database open.

import { type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { EventSequencer } from '../../../src/store/postgres/event-sequencer.ts';
import { freshPostgresDatabase, storesUnderTest } from '../../harness/stores/stores.ts';
import { until } from '../../harness/until.ts';

const skip = storesUnderTest().includes('postgres') ? false : 'needs PostgreSQL';

async function administrator(t: TestContext, url: string): Promise<Client> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  t.after(() => admin.end());
  return admin;
}

/** Waits until nobody else is connected to the database. */
async function untilAlone(admin: Client): Promise<void> {
  await until(
    async () => {
      const { rows } = await admin.query(
        'select count(*)::int as others from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      return rows[0]?.others;
    },
    (others) => others === 0,
  );
}

test('a sequencer that is stopped while it starts leaves no connection open', { skip }, async (t) => {
  const url = await freshPostgresDatabase(t);
  const admin = await administrator(t, url);
  const sequencer = new EventSequencer(url, () => {});
  const starting = sequencer.start();
  await sequencer.stop();
  await starting;
  await untilAlone(admin);
});

test('a sequencer that is stopped while it reconnects leaves no connection open', { skip }, async (t) => {
  const url = await freshPostgresDatabase(t);
  const admin = await administrator(t, url);
  for (let n = 0; n < 10; n++) {
    const sequencer = new EventSequencer(url, () => {});
    await sequencer.start();
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    sequencer.nudge();
    await sequencer.stop();
    await untilAlone(admin);
  }
});
