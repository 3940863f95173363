// kill -9 while calls are due: every one of them is made, none is made twice, and calling goes on within fifteen seconds.

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
    test(`${kind}, ${nodes} of them: kills while calls are due lose none`, async (t) => {
      const store: Record<string, string> = { ...(await freshStore(t, kind)), TOCSIN_LOG_LEVEL: 'silent' };
      const environments = [store];
      if (nodes === 2) environments.push({ ...(await freshStore(t, 'sqlite')), ...databaseOf(store) });
      const counts = await killDuringCalls({ environments, calls, kills, restMs });
      assert.equal(counts.missed, 0);
      assert.equal(counts.extraAttempts, 0);
      // The simulator honours the attempt as a key: what was under way reaches a phone once.
      assert.equal(counts.extraMessages, 0);
      // How long servers are away is up to the machine; on a slow one a call meets several kills.
      assert.ok(counts.longestWaitMs < 15_000, `a call waited for ${counts.longestWaitMs} ms`);
      t.diagnostic(`the latest call was delivered ${counts.latestMs} ms after it fell due`);
    });
  }
}

/** A second node has a folder of its own, and the database of the first. */
function databaseOf({ TOCSIN_DATABASE_URL = '' }: Readonly<Record<string, string>>) {
  return { TOCSIN_DATABASE_URL, TOCSIN_LOG_LEVEL: 'silent' };
}
