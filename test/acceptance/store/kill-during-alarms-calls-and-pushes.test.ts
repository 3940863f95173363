// Kills the server with SIGKILL at random while alarms are raised and acknowledged, groups are called and a hub client
// listens: every promise that was answered is kept, and no alarm, call or push is invented or repeated.

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '../../../packages/sip/test/harness/ports.ts';
import { databaseFileName } from '../../../src/store/sqlite/database-file.ts';
import { chanceOf } from '../../harness/chance.ts';
import { brokenPromises, checkHistory } from '../../harness/kills/kill-checker.ts';
import { KillLoad } from '../../harness/kills/kill-load.ts';
import { startServer } from '../../harness/server/server-process.ts';
import { migratedStore } from '../../harness/site/app.ts';
import { soak } from '../../harness/soak.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';

const kills = { sqlite: soak(30), postgres: Math.max(3, soak(10)) };
/** How many requests are answered from a start to the next kill: at least the first, fewer than the second. */
const answers = [1, 120] as const;
/** How many people are called by pager between two kills; one in three more by text, and one in three in a group. */
const peoplePerKill = 9;

testOnStores('SIGKILL loses and repeats no alarm, acknowledgement, call or push', async (t, kind) => {
  const seed = Number(process.env.SEED ?? randomInt(1_000_000));
  const chance = chanceOf(seed);
  t.diagnostic(`SEED=${seed}`);
  const port = String(await freePort());
  const environment: Record<string, string> = {
    ...(await migratedStore(t, kind)),
    TOCSIN_PORT: port,
    TOCSIN_LOG_LEVEL: 'silent',
  };
  let server = await startServer(environment);
  t.after(() => server.end('SIGKILL'));
  const load = new KillLoad(server.url, chance);
  await load.prepare(peoplePerKill * kills[kind]);
  load.begin();
  for (let kill = 0; kill < kills[kind]; kill++) {
    await load.untilAnswered(chance.int(...answers));
    await server.end('SIGKILL');
    load.noteKill();
    if (kind === 'sqlite') assert.equal(quickCheck(environment.TOCSIN_DATA_DIR ?? ''), 'ok');
    server = await startServer(environment);
  }
  await load.untilAnswered(chance.int(...answers));
  const findings = checkHistory(load.history, await load.end());
  t.diagnostic(
    Object.entries(findings)
      .map(([name, count]) => `${name} ${count}`)
      .join(', '),
  );
  assert.deepEqual(brokenPromises(findings), []);
  // A run in which nothing happened proves nothing.
  const { ok, pushes, attempts } = findings;
  assert.ok(ok > 0 && pushes > 0 && attempts > 0);
});

function quickCheck(folder: string): unknown {
  const db = new DatabaseSync(join(folder, databaseFileName));
  try {
    return db.prepare('PRAGMA quick_check').get()?.quick_check;
  } finally {
    db.close();
  }
}
