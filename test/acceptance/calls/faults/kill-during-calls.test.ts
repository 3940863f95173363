// Kills either of two nodes with SIGKILL while calls are due: each call is made once, and within fifteen seconds. `npm run
// bench:kills` does the same with two thousand calls; store/kill-during-alarms-calls-and-pushes.test.ts kills a single node.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { killDuringCalls } from '../../../harness/kills/kill-calls.ts';
import { freshStore, migratedStore } from '../../../harness/site/app.ts';
import { soak } from '../../../harness/soak.ts';
import { storesUnderTest } from '../../../harness/stores/stores.ts';

const calls = 100;
const kills = soak(20);
const restMs = [300, 2_000] as const;
const skip = storesUnderTest().includes('postgres') ? false : 'two nodes share a PostgreSQL database';

test('no call is lost or repeated by SIGKILL of one of two nodes while calls are due', { skip }, async (t) => {
  const store: Record<string, string> = { ...(await migratedStore(t, 'postgres')), TOCSIN_LOG_LEVEL: 'silent' };
  // The second node has its own folder and the database of the first.
  const { TOCSIN_DATABASE_URL = '' } = store;
  const second = { ...(await freshStore(t, 'sqlite')), TOCSIN_DATABASE_URL, TOCSIN_LOG_LEVEL: 'silent' };
  const counts = await killDuringCalls({ environments: [store, second], calls, crews: 4, kills, restMs });
  assert.equal(counts.missed, 0);
  assert.equal(counts.extraAttempts, 0);
  // The simulator uses the attempt id as an idempotency key, so a repeated delivery reaches a phone once.
  assert.equal(counts.extraMessages, 0);
  // The time to restart depends on the machine; on a slow one, several kills can hit the same call.
  assert.ok(counts.longestWaitMs < 15_000, `a call waited for ${counts.longestWaitMs} ms`);
  assert.deepEqual(counts.violations, []);
  assert.ok(counts.crewAttempts > 0, 'a crew that nobody called proves nothing');
  t.diagnostic(`the latest call was delivered ${counts.latestMs} ms after it fell due`);
});
