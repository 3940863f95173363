// Kills the server with SIGKILL while calls are due: each call is made once, and within fifteen seconds. `npm run
// bench:kills` does the same with two thousand calls.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshStore } from '../../../harness/app.ts';
import { killDuringCalls } from '../../../harness/kill-calls.ts';
import { soak } from '../../../harness/soak.ts';
import { storesUnderTest } from '../../../harness/stores.ts';

// `npm run bench:kills` does the same with two thousand calls.
const calls = 100;
const kills = soak(20);
const restMs = [300, 2_000] as const;

for (const kind of storesUnderTest()) {
  for (const nodes of kind === 'sqlite' ? [1] : [1, 2]) {
    test(`${kind}: no call is lost or repeated by SIGKILL while calls are due, with ${nodes} node(s)`, async (t) => {
      const store: Record<string, string> = { ...(await freshStore(t, kind)), TOCSIN_LOG_LEVEL: 'silent' };
      const environments = [store];
      if (nodes === 2) environments.push({ ...(await freshStore(t, 'sqlite')), ...databaseOf(store) });
      const counts = await killDuringCalls({ environments, calls, kills, restMs });
      assert.equal(counts.missed, 0);
      assert.equal(counts.extraAttempts, 0);
      // The simulator uses the attempt id as an idempotency key, so a repeated delivery reaches a phone once.
      assert.equal(counts.extraMessages, 0);
      // The time to restart depends on the machine; on a slow one, several kills can hit the same call.
      assert.ok(counts.longestWaitMs < 15_000, `a call waited for ${counts.longestWaitMs} ms`);
      t.diagnostic(`the latest call was delivered ${counts.latestMs} ms after it fell due`);
    });
  }
}

/** The second node has its own folder and the database of the first. */
function databaseOf({ TOCSIN_DATABASE_URL = '' }: Readonly<Record<string, string>>) {
  return { TOCSIN_DATABASE_URL, TOCSIN_LOG_LEVEL: 'silent' };
}
