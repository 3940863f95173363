// A query over up to a million events runs on a worker thread and does not block the event loop.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { schema } from '../../../src/migrations/schema.ts';
import { openSqliteStore } from '../../../src/store/sqlite/sqlite-store.ts';
import { testThreads } from '../../harness/server/built-server.ts';
import { freshStore } from '../../harness/site/app.ts';
import { soak } from '../../harness/soak.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';
import { scanEvents } from '../../harness/stores/test-operations.ts';

const rows = soak(1_000_000);
const scans = 3;

function fillLog(file: string): void {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA synchronous = OFF; INSERT INTO events (kind, at, actor, data)
    WITH RECURSIVE steps (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM steps WHERE n < ${rows})
    SELECT 'test.filled', n, 'test', '{"n":' || n || ',"text":"a line of the log as long as they usually are"}' FROM steps`);
  db.close();
}

/** Returns the duration of `work`, how often the event loop's timers ran meanwhile, and their maximum delay, in ms. */
async function watched(work: () => Promise<unknown>): Promise<{ tookMs: number; turns: number; worstMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const begin = performance.now();
  await work();
  delay.disable();
  return { tookMs: performance.now() - begin, turns: delay.count, worstMs: delay.max / 1e6 };
}

async function openStore(t: TestContext, folder: string) {
  const store = await openSqliteStore({
    folder,
    schema,
    startWorker: testThreads,
    now: Date.now,
    onBroken: () => {},
    exclusive: true,
    schemaChange: 'make-or-upgrade',
  });
  t.after(() => store.close());
  return store;
}

test('the event loop is not blocked while a query scans the whole event log', {
  skip: storesUnderTest().includes('sqlite') ? false : 'needs SQLite',
}, async (t) => {
  const folder = (await freshStore(t, 'sqlite')).TOCSIN_DATA_DIR ?? '';
  await (await openStore(t, folder)).close();
  fillLog(join(folder, 'tocsin.db'));
  const store = await openStore(t, folder);
  let found = 0;
  const scanning = await watched(async () => {
    for (let n = 0; n < scans; n++) found = await store.read(scanEvents, { text: '%nowhere%' });
  });
  const idle = await watched(() => new Promise((resolve) => setTimeout(resolve, scanning.tookMs)));
  assert.equal(found, rows);
  t.diagnostic(
    `${scans} scans of ${rows} events took ${scanning.tookMs.toFixed(0)} ms; the loop was late by at most ${scanning.worstMs.toFixed(1)} ms, idle ${idle.worstMs.toFixed(1)} ms`,
  );
  // A blocked loop would turn once per scan. The maximum delay is not asserted: it depends on the load of the machine.
  assert.ok(scanning.turns >= scans * 3, `${scanning.turns} turns within ${scanning.tookMs} ms`);
});
