// Nothing is refused unseen: what intakes refuse over HTTP is kept and announced, and every refusal is logged and counted.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { type Site, startSite } from '../../harness/site/site.ts';
import { detail, type Row } from '../../harness/site/site-caller.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

type Sent = { readonly path?: string; readonly body: unknown; readonly headers?: Record<string, string> };

async function send(site: Site, token: string, { path = '/alarms', body, headers = {} }: Sent): Promise<number> {
  return (await site.app.request('POST', `/api/v1${path}`, { token, body, headers })).status;
}

async function keptOf(site: Site, count: number): Promise<readonly Row[]> {
  return until(
    async () => (await site.list('/intake/refusals?limit=100')).items,
    (rows) => rows.length >= count,
  );
}

const states = async (site: Site): Promise<readonly unknown[]> =>
  (await site.alarms.fromTocsin()).map(({ path, state }) => [path, state]);

testOnAnyStore(
  'what an intake refuses is kept with its body, and announced until an alarm is taken',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const token = await site.keyFor(['alarms:write', 'calls:send']);
    assert.equal(await send(site, token, { body: '{"path":"pump"' }), 400);
    assert.equal(await send(site, token, { body: { priority: 1 } }), 400);
    assert.equal(await send(site, token, { path: '/call/users', body: { userIds: [], msgText: 'x' } }), 422);
    const kept = await keptOf(site, 3);
    assert.deepEqual(
      kept.map(({ route, code, body }) => [route, code, body]),
      [
        ['POST /api/v1/alarms', 'malformed-json', '{"path":"pump"'],
        ['POST /api/v1/alarms', 'invalid-input', '{"priority":1}'],
        ['POST /api/v1/call/users', 'unprocessable', '{"userIds":[],"msgText":"x"}'],
      ],
    );
    assert.match(String(kept[0]?.address), /127\.0\.0\.1/);
    const path = `system/intake-refused/${kept[0]?.caller}`;
    await until(
      () => states(site),
      (rows) => JSON.stringify(rows) === JSON.stringify([[path, 3]]),
    );
    assert.equal(await send(site, token, { body: { path: 'pump' } }), 200);
    await until(
      () => states(site),
      (rows) => JSON.stringify(rows) === JSON.stringify([[path, 2]]),
    );
  },
);

testOnAnyStore('the body of a caller without the right is kept too; that of an unknown one is not', async (t, kind) => {
  const site = await startSite(t, kind);
  const reader = await site.keyFor(['alarms:read']);
  const revoked = await site.keyFor(['alarms:write']);
  const { items } = await site.list('/auth/keys');
  await site.ask('DELETE', `/auth/keys/${items.at(-1)?.id}`);
  assert.equal(await send(site, 'tock_nobody', { body: { path: 'of nobody' } }), 401);
  assert.equal(await send(site, revoked, { body: { path: 'of the dead key' } }), 401);
  assert.equal(await send(site, revoked, { body: { path: 'x'.repeat(70_000) } }), 401, 'not 413');
  assert.equal(await send(site, reader, { body: { path: 'of the reader' } }), 403);
  const kept = await keptOf(site, 3);
  assert.deepEqual(
    kept.map(({ code, body, bodyLength }) => [code, String(body).slice(0, 30), bodyLength]),
    [
      ['not-signed-in', '{"path":"of the dead key"}', 26],
      ['not-signed-in', `{"path":"${'x'.repeat(21)}`, 70_011],
      ['scope-missing', '{"path":"of the reader"}', 24],
    ],
  );
  const { items: taken } = await site.list('/alarms?view=full');
  assert.deepEqual(
    taken.filter(({ system }) => system !== true),
    [],
  );
});

testOnAnyStore('of a body that is too large the first 64 KiB are kept', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  const body = JSON.stringify({ path: 'pump', alarmMessage: 'x'.repeat(300_000) });
  assert.equal(await send(site, token, { body }), 413);
  const packed = gzipSync(body);
  const headers = { authorization: `Bearer ${token}`, 'content-encoding': 'gzip' };
  const unpacked = await fetch(`${site.app.url}/api/v1/alarms`, { method: 'POST', headers, body: packed });
  assert.equal(unpacked.status, 413);
  const streamed = await fetch(`${site.app.url}/api/v1/alarms`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new Blob([body]).stream(),
    duplex: 'half',
  });
  assert.equal(streamed.status, 413);
  const [declared, gzipped, chunked] = await keptOf(site, 3);
  for (const row of [declared, chunked]) assert.equal(row?.body, body.slice(0, 64 * 1024));
  assert.deepEqual([declared?.code, declared?.bodyLength], ['body-too-large', body.length]);
  assert.deepEqual([gzipped?.body, gzipped?.bodyEncoding], [packed.toString('base64'), 'base64']);
  const retried = await site.request('POST', `/intake/refusals/${declared?.id}/retry`, { confirm: true });
  assert.deepEqual([retried.status, /beginning/.test(detail(retried))], [422, true]);
});

testOnAnyStore('refused items of a list are kept; under strict handling nothing is', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  const values = [{ path: 'not defined', value: '1' }];
  assert.equal(await send(site, token, { path: '/tags/values', body: values }), 200);
  assert.equal(await send(site, token, { path: '/alarms/batch', body: [{ path: 'pump' }, { priority: 1 }] }), 200);
  const strict = { prefer: 'handling=strict' };
  assert.equal(await send(site, token, { body: { path: 'pump', priority: 'high' }, headers: strict }), 400);
  assert.equal(await send(site, token, { path: '/alarms/batch', body: [{ priority: 1 }] }), 200);
  const kept = await keptOf(site, 3);
  assert.deepEqual(
    kept.map(({ route, code, body }) => [route, code, body]),
    [
      ['POST /api/v1/tags/values', 'unprocessable', JSON.stringify(values)],
      ['POST /api/v1/alarms/batch', 'invalid-input', '[{"priority":1}]'],
      ['POST /api/v1/alarms/batch', 'invalid-input', '[{"priority":1}]'],
    ],
  );
  const announced = await until(
    () => site.alarms.fromTocsin(),
    (rows) => rows.length > 0,
  );
  assert.equal(announced.length, 1, 'only the list of which nothing was taken is announced');
  assert.match(String(announced[0]?.message), /refused at POST \/api\/v1\/alarms\/batch/);
});

testOnAnyStore('an alarm whose connection breaks in its body is kept, and so are later refusals', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  const socket = connect(Number(new URL(site.app.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const head = `POST /api/v1/alarms HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: 500\r\n\r\n`;
  await new Promise((sent) => socket.write(`${head}{"path":"cut off`, sent));
  socket.destroy();
  const [cutOff] = await keptOf(site, 1);
  assert.deepEqual([cutOff?.address, cutOff?.route], ['127.0.0.1', 'POST /api/v1/alarms']);
  assert.ok('{"path":"cut off'.startsWith(String(cutOff?.body)), 'what had been read of it');
  assert.equal(await send(site, token, { body: '{"path":"pump"' }), 400);
  assert.deepEqual(
    (await keptOf(site, 2)).map(({ code }) => code),
    ['invalid-input', 'malformed-json'],
  );
});

testOnAnyStore('a refusal whose reason names a field with a NUL character is kept', async (t, kind) => {
  const site = await startSite(t, kind);
  const token = await site.keyFor(['alarms:write']);
  assert.equal(await send(site, token, { body: '{"a\\u0000b":{"__proto__":1}}' }), 400);
  const [kept] = await keptOf(site, 1);
  assert.match(String(kept?.reason), /^a\ufffdb\.__proto__ /);
});

testOnAnyStore('every refusal is counted, and logged once a minute for each caller and code', async (t, kind) => {
  const site = await startSite(t, kind);
  const { app } = site;
  const token = await site.keyFor(['alarms:write']);
  const linesOf = () => app.logLines.filter(({ msg }) => msg === 'requests were refused') as readonly Row[];
  for (let n = 0; n < 3; n++) assert.equal((await site.as(token).request('GET', '/users')).status, 403);
  await until(
    async () => linesOf(),
    (lines) => lines.length === 1,
  );
  for (let n = 0; n < 2; n++) assert.equal((await site.as(token).request('GET', '/users')).status, 403);
  assert.equal((await site.request('GET', '/nothing')).status, 404);
  await until(
    async () => linesOf(),
    (lines) => lines.length === 2,
  );
  app.clock.advance(60_000);
  await app.poll();
  const lines = await until(
    async () => linesOf(),
    (all) => all.length === 3,
  );
  assert.deepEqual(
    lines.map(({ level, code, route, count }) => [level, code, route, Number(count) > 0]),
    [
      [40, 'scope-missing', 'GET /api/v1/users', true],
      [40, 'not-found', 'none', true],
      [40, 'scope-missing', 'GET /api/v1/users', true],
    ],
  );
  assert.equal(
    lines.reduce((sum, { code, count }) => sum + (code === 'scope-missing' ? Number(count) : 0), 0),
    5,
  );
  const metrics = (await app.request('GET', '/metrics', { token: site.token })).text;
  assert.match(metrics, /tocsin_refusals_total\{route="GET \/api\/v1\/users",code="scope-missing"\} 5/);
  assert.match(metrics, /tocsin_refusals_total\{route="none",code="not-found"\} 1/);
});
