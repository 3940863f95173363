// A database that takes connections and answers nothing, as when its machine is frozen or cut off: requests are answered all the same.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startProxy } from '../../../../packages/signalr/test/harness/tcp-proxy.ts';
import { freshStore, startTestApp } from '../../../harness/site/app.ts';
import { storesUnderTest } from '../../../harness/stores/stores.ts';
import { until } from '../../../harness/until.ts';

const skip = storesUnderTest().includes('postgres') ? false : 'needs PostgreSQL';
/** Four seconds are wanted, and connections are given up after 35: a slow machine stays between the two. */
const soonMs = 20_000;

test('while the database is silent, alarms are refused and health is red within seconds; then both are well', {
  skip,
}, async (t) => {
  const { TOCSIN_DATABASE_URL = '' } = await freshStore(t, 'postgres');
  const url = new URL(TOCSIN_DATABASE_URL);
  const proxy = await startProxy(Number(url.port));
  // After the server, which is stopped later than what was started before it.
  t.after(() => t.after(() => proxy.stop()));
  url.port = String(proxy.port);
  const app = await startTestApp(t, 'postgres', { overrides: { TOCSIN_DATABASE_URL: url.href } });
  const token = await app.signIn();
  const raise = (path: string) => app.request('POST', '/api/v1/alarms', { token, body: { path } });
  assert.equal((await raise('Before')).status, 200);
  proxy.freeze();
  const begin = performance.now();
  const answers = await Promise.all([
    raise('Meanwhile'),
    app.request('GET', '/api/v1/alarms', { token }),
    app.request('GET', '/api/v1/auth/keys', { token }),
    app.request('GET', '/health/ready'),
    app.request('GET', '/health/calling'),
  ]);
  const ms = Math.round(performance.now() - begin);
  t.diagnostic(`answered after ${ms} ms`);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [503, 503, 503, 503, 503],
  );
  assert.match(answers[0]?.text ?? '', /does not answer/);
  assert.match(answers[4]?.text ?? '', /"database-unavailable"/);
  assert.ok(ms < soonMs, `answered after ${ms} ms`);
  proxy.thaw();
  await until(
    async () => (await app.request('GET', '/health/calling')).status,
    (status) => status === 200,
  );
  await until(
    async () => (await raise('After')).status,
    (status) => status === 200,
  );
  assert.equal((await app.request('GET', '/health/ready')).status, 200);
});
