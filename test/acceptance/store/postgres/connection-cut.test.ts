// Terminates the PostgreSQL connections repeatedly while alarms are sent: requests get 503, no acknowledged alarm is
// lost, no process ends.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { startTestApp } from '../../../harness/site/app.ts';
import { storesUnderTest } from '../../../harness/stores/stores.ts';
import { until } from '../../../harness/until.ts';

const cuts = 40;
const clients = 8;
const skip = storesUnderTest().includes('postgres') ? false : 'needs PostgreSQL';

test('alarms sent during terminated connections get 200 or 503, and none with 200 is lost', { skip }, async (t) => {
  const app = await startTestApp(t, 'postgres');
  const token = await app.signIn();
  const admin = new Client({ connectionString: app.environment.TOCSIN_DATABASE_URL });
  await admin.connect();
  t.after(() => admin.end());
  const answered = new Map<number, string>();
  const statuses = new Map<number, number>();
  let isOver = false;
  let sent = 0;
  const writers = Array.from({ length: clients }, async () => {
    while (!isOver) {
      const path = `tag ${sent++}`;
      const answer = await app.request('POST', '/api/v1/alarms', { token, body: { path } });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.status === 200) answered.set(answer.body as number, path);
    }
  });
  for (let n = 0; n < cuts; n++) {
    const before = sent;
    await until(
      async () => sent,
      (count) => count > before + 5,
    );
    await admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
  }
  isOver = true;
  await Promise.all(writers);
  t.diagnostic(`${cuts} cuts; answers by status: ${JSON.stringify(Object.fromEntries(statuses))}`);
  assert.deepEqual(
    [...statuses.keys()].filter((status) => status !== 200 && status !== 503),
    [],
  );
  await until(
    async () => (await app.request('GET', '/health/ready')).status,
    (status) => status === 200,
  );
  for (const [id, path] of answered) {
    const { body } = await app.request('GET', `/api/v1/alarms/${id}`, { token });
    assert.equal((body as { path: string }).path, path, `alarm ${id} was answered and is lost`);
  }
  assert.equal((await app.request('POST', '/api/v1/alarms', { token, body: { path: 'after' } })).status, 200);
});
