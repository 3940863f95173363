// Many heavy list requests do not delay alarms: writes, token checks and due alarms do not queue behind them.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { ownThreads } from '../../harness/server/built-server.ts';
import { startTestApp, type TestApp } from '../../harness/site/app.ts';
import { storesUnderTest } from '../../harness/stores/stores.ts';

const lists = 16;
const skip = storesUnderTest().includes('sqlite') ? false : 'needs SQLite';

function fillHistory(app: TestApp): void {
  const db = new DatabaseSync(join(app.environment.TOCSIN_DATA_DIR ?? '', 'tocsin.db'), { timeout: 5_000 });
  const steps = 'WITH RECURSIVE steps (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM steps WHERE n < 60000)';
  db.exec(`INSERT INTO history_texts (id, alarm_id, tag_name, message) ${steps} SELECT n, n % 1000, 'tag', 'message' FROM steps;
    INSERT INTO history_text_words (word, text_id) ${steps} SELECT word, n FROM steps, (SELECT 'tag' AS word UNION SELECT 'message');
    INSERT INTO history_series (id, alarm_id, station_id, data_server_id, first_raised, noted_raise, longest_gap)
      ${steps} SELECT n, n % 1000, 1, 1, n, n, 0 FROM steps WHERE n <= 1000;
    INSERT INTO alarm_histories (alarm_id, station_id, data_server_id, priority, code, raised_at, comment, text_id, nth, series_id)
      ${steps} SELECT n % 1000, 1, 1, 3, 0, n, '', n, n, (n - 1) % 1000 + 1 FROM steps;
    INSERT INTO history_counts VALUES (0, 0, 1, 1, 0, 60000, 1, 60000), (1, 0, 1, 1, 0, 60000, 1, 60000),
      (2, 0, 1, 1, 0, 60000, 1, 60000), (3, 0, 1, 1, 0, 60000, 1, 60000)`);
  db.close();
}

test('alarms are stored while heavy lists are read', { skip }, async (t) => {
  const app = await startTestApp(t, 'sqlite', { startStoreWorker: ownThreads });
  const token = await app.signIn();
  fillHistory(app);
  let listed = 0;
  const reading = Array.from({ length: lists }, async () => {
    const { status } = await app.request('GET', '/api/v1/alarms/statistics?search=tag%20message', { token });
    assert.equal(status, 200);
    listed++;
  });
  for (let n = 0; n < 5; n++) {
    // Expires the cached principal of the token, so that each alarm needs a short query and a write.
    app.clock.advance(5_000);
    const { status } = await app.request('POST', '/api/v1/alarms', { token, body: { path: `tag ${n}` } });
    assert.equal(status, 200);
  }
  assert.ok(listed < lists / 2, `the alarms waited until ${listed} of ${lists} lists were read`);
  await Promise.all(reading);
});

test('the alarms, the people and the plant are listed while searches read the history', { skip }, async (t) => {
  const app = await startTestApp(t, 'sqlite', { startStoreWorker: ownThreads });
  const token = await app.signIn();
  fillHistory(app);
  let searched = 0;
  const reading = Array.from({ length: lists }, async () => {
    const { status } = await app.request('GET', '/api/v1/alarms/histories?search=tag%20message&limit=1000', { token });
    assert.equal(status, 200);
    searched++;
  });
  for (const path of ['alarms', 'users', 'stations'])
    assert.equal((await app.request('GET', `/api/v1/${path}`, { token })).status, 200);
  assert.ok(searched < lists / 2, `the lists waited until ${searched} of ${lists} searches were done`);
  await Promise.all(reading);
});
