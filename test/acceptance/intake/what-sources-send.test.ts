// Section 11 of the interface: intakes take what clients send as they are. One test per sentence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

type Sent = { readonly status: number; readonly text: string; readonly warnings: string };

/** Sends bytes as they are to an intake. */
async function send(
  site: Site,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
  path = '/alarms',
): Promise<Sent> {
  const response = await fetch(`${site.app.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.token}`, ...headers },
    body,
  });
  return {
    status: response.status,
    text: await response.text(),
    warnings: response.headers.get('tocsin-warnings') ?? '',
  };
}

async function sent(site: Site, body: object): Promise<Record<string, unknown>> {
  const { status, text } = await send(site, JSON.stringify(body));
  assert.equal(status, 200, text);
  return site.alarms.get(Number(text));
}

testOnAnyStore('any content type is taken if it parses', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'nonsense',
    'text/json',
  ])
    assert.equal((await send(site, '{"path":"a"}', { 'content-type': type })).status, 200, type);
  assert.equal((await send(site, Buffer.from('{"path":"a"}'))).status, 200, 'none');
});

testOnAnyStore('a body that is not encoded as it says is taken if it parses', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const encoding of ['utf-8', 'gzip', 'deflate', 'br', 'aws-chunked', 'gzip, gzip', ''])
    for (const [path, body] of [
      ['/alarms', '{"path":"a"}'],
      ['/alarms/batch', '[{"path":"a"}]'],
    ] as const)
      assert.equal((await send(site, body, { 'content-encoding': encoding }, path)).status, 200, encoding);
});

testOnAnyStore('a scalar of the wrong type is read as what it says', async (t, kind) => {
  const site = await startSite(t, kind);
  const alarm = await sent(site, {
    path: 5,
    priority: '2',
    value: 80,
    raised: 'TRUE',
    alarmDelay: '0',
    temporary: 0,
    eventCondition: { value: '>5', resettable: '1' },
    location: { date: '2026-05-31 08:30:00', latitude: '48.5' },
  });
  assert.deepEqual([alarm.path, alarm.priority, alarm.value, alarm.state], ['5', 2, '80', 3]);
  assert.equal((alarm.location as { latitude: number }).latitude, 48.5);
});

testOnAnyStore('a number that a computer would round is stored as the text that was sent', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const [index, value] of ['12345678901234567890', '1e400', '1e-400', '0.10000000000000000001'].entries()) {
    const path = `counter ${index}`;
    const id = Number((await send(site, `{"path":"${path}","value":${value}}`)).text);
    const shown = async () => (await site.alarms.get(id)).value;
    assert.equal(await shown(), value);
    await send(site, `[{"path":"${path}","value":1},{"path":"${path}","value":-${value}}]`, {}, '/tags/values');
    assert.equal(await shown(), `-${value}`);
  }
});

testOnAnyStore('texts that are too long are cut; two long paths never become one tag', async (t, kind) => {
  const site = await startSite(t, kind);
  const long = 'x'.repeat(2_000);
  const one = await sent(site, { path: `${long}1`, alarmMessage: 'm'.repeat(70_000) });
  const other = await sent(site, { path: `${long}2` });
  const again = await sent(site, { path: `${long}1` });
  assert.equal(again.id, one.id);
  assert.notEqual(other.id, one.id);
  assert.equal(String(one.path).length, 1_024);
  assert.equal(String(one.message).length, 65_536);
});

testOnAnyStore('NUL and lone surrogates become U+FFFD', async (t, kind) => {
  const site = await startSite(t, kind);
  const { status, text, warnings } = await send(site, '{"path":"a\\u0000b","value":"\\ud800"}');
  assert.equal(status, 200);
  assert.match(warnings, /path: .*; value: /);
  const alarm = await site.alarms.get(Number(text));
  assert.deepEqual([alarm.path, alarm.value], ['a\ufffdb', '\ufffd']);
});

testOnAnyStore(
  'a declared charset is honoured; without one, bytes that are no UTF-8 are Windows-1252',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const latin1 = Buffer.from('{"path":"Kühlung","value":"é"}', 'latin1');
    for (const headers of [
      { 'content-type': 'application/json; charset=iso-8859-1' },
      { 'content-type': 'application/json' },
    ]) {
      const { text } = await send(site, latin1, headers);
      assert.equal((await site.alarms.get(Number(text))).path, 'Kühlung');
    }
  },
);

testOnAnyStore('a byte order mark says which UTF-16 it is, declared or not', async (t, kind) => {
  const site = await startSite(t, kind);
  const little = Buffer.from('\ufeff{"path":"Kühlung"}', 'utf16le');
  for (const bytes of [little, Buffer.from(little).swap16()])
    for (const type of ['application/json', 'application/json; charset=utf-16']) {
      const { status, text } = await send(site, bytes, { 'content-type': type });
      assert.equal(status, 200, text);
      assert.equal((await site.alarms.get(Number(text))).path, 'Kühlung');
    }
});

testOnAnyStore('of a key that stands twice the last counts', async (t, kind) => {
  const site = await startSite(t, kind);
  const { status, text, warnings } = await send(site, '{"path":"a","value":"1","value":"2"}');
  assert.deepEqual([status, (await site.alarms.get(Number(text))).value], [200, '2']);
  assert.match(warnings, /^value: is given more than once/);
});

testOnAnyStore('a nested object that is broken is left out alone', async (t, kind) => {
  const site = await startSite(t, kind);
  const action = { type: 'CallGroup', id: 7 };
  const { text, warnings } = await send(
    site,
    JSON.stringify({ path: 'a', location: 'here', alarmActions: ['call somebody', action], alarmMessage: 'kept' }),
  );
  const alarm = await site.alarms.get(Number(text));
  assert.equal(alarm.message, 'kept');
  assert.equal((alarm.actions as { alarm: unknown[] }).alarm.length, 1);
  assert.match(warnings, /location: cannot be used/);
  assert.match(warnings, /alarmActions\[0\]: cannot be used/);
});

testOnAnyStore('one value in the place of a list is read as a list of it; an empty object is not', async (t, kind) => {
  const site = await startSite(t, kind);
  const actionsOf = async (id: string) =>
    ((await site.alarms.get(Number(id))).actions as { alarm: Record<string, unknown>[] }).alarm;
  const { text, warnings } = await send(
    site,
    '{"path":"a","raised":false,"alarmActions":{"Type":"CallGroup","id":"7"}}',
  );
  assert.match(warnings, /alarmActions: is no list and was read as a list of one entry/);
  const [action, ...others] = await actionsOf(text);
  assert.deepEqual([action?.type, action?.id, others], ['CallGroup', 7, []]);
  await send(site, '{"path":"a","raised":false,"alarmActions":{}}');
  assert.equal((await actionsOf(text)).length, 1, 'what is stored stays');
  const ana = await site.person('ana');
  assert.equal(await site.ask('POST', '/call/users', { userIds: ana.id, msgText: 'Come' }), true);
  await ana.isCalled(/Come/);
  await ana.hears();
});

testOnAnyStore('in lists the warnings stand beside each id when objects are asked for', async (t, kind) => {
  const site = await startSite(t, kind);
  const body = JSON.stringify([{ path: 'a' }, { path: 'b', priority: 'x' }, { value: '1' }]);
  const headers = { prefer: 'return=representation' };
  const response = await fetch(`${site.app.url}/api/v1/alarms/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.token}`, ...headers },
    body,
  });
  const [first, second, third] = (await response.json()) as Record<string, unknown>[];
  assert.equal(response.headers.get('preference-applied'), 'return=representation');
  assert.deepEqual(first, { id: 1, warnings: [] });
  assert.equal(second?.id, 2);
  assert.match(String(second?.warnings), /^priority: cannot be used/);
  assert.equal(third?.status, 400);
  const [plain] = JSON.parse((await send(site, body, {}, '/alarms/batch')).text) as unknown[];
  assert.equal(plain, 1);
});

testOnAnyStore(
  'strict handling refuses the items of a list that have warnings, and takes the others',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const body = JSON.stringify([
      { path: 'a' },
      { path: 'b', priority: 'x' },
      { path: 'c', alarmActions: [{ type: 'CallGroup', id: 9 }] },
    ]);
    const { text } = await send(site, body, { prefer: 'handling=strict' }, '/alarms/batch');
    const results = JSON.parse(text) as (number | { status: number })[];
    assert.deepEqual(
      results.map((result) => (typeof result === 'number' ? 'taken' : result.status)),
      ['taken', 400, 422],
    );
    assert.equal((await site.alarms.list()).paging.total, 1);
  },
);

testOnAnyStore('a value reaches its tag by the path that is too long too', async (t, kind) => {
  const site = await startSite(t, kind);
  const [one, other] = ['1', '2'].map((end) => 'x'.repeat(2_000) + end);
  const condition = { raised: false, eventCondition: { value: '>5' } };
  const id = await site.alarms.send({ path: one, ...condition });
  await site.alarms.send({ path: other, ...condition });
  const { text } = await send(site, JSON.stringify([{ path: one, value: '9' }]), {}, '/tags/values');
  assert.equal(text, `[${id}]`);
  assert.deepEqual(
    (await site.alarms.list()).items.map((alarm) => alarm.id),
    [id],
  );
});

testOnAnyStore('an unreadable time of a value is its arrival', async (t, kind) => {
  const site = await startSite(t, kind);
  await sent(site, { path: 'a', raised: false, eventCondition: { value: '>5' } });
  const { text, warnings } = await send(site, '[{"path":"a","value":9,"time":"noon"}]', {}, '/tags/values');
  assert.deepEqual(JSON.parse(text), [1]);
  assert.match(warnings, /\[0\]\.time: cannot be used/);
  assert.equal((await site.alarms.get(1)).state, 3);
});

test('compressed bodies are taken, and long answers are compressed when asked for', async (t) => {
  const site = await startSite(t, 'sqlite');
  const list = Buffer.from(JSON.stringify(Array.from({ length: 50 }, (_, n) => ({ path: `pump ${n}` }))));
  for (const [encoding, pack] of [
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const) {
    const { status } = await send(site, Buffer.from(pack(list)), { 'content-encoding': encoding }, '/alarms/batch');
    assert.equal(status, 200, encoding);
  }
  const headers = { authorization: `Bearer ${site.token}` };
  const read = async (accepted: string, path: string) => {
    const response = await fetch(`${site.app.url}/api/v1${path}`, {
      headers: { ...headers, 'accept-encoding': accepted },
    });
    return [response.headers.get('content-encoding'), JSON.stringify(await response.json()).length];
  };
  const [, length] = await read('identity', '/alarms?limit=50');
  for (const encoding of ['gzip', 'br', 'deflate'])
    assert.deepEqual(await read(encoding, '/alarms?limit=50'), [encoding, length]);
  assert.deepEqual(await read('gzip;q=0', '/alarms?limit=50'), [null, length]);
  assert.equal((await read('gzip', '/alarms?limit=0'))[0], null, 'short answers are sent as they are');
});

test('names of fields, parameters and path segments are matched without case', async (t) => {
  const site = await startSite(t, 'sqlite');
  const { text } = await send(site, '{"Path":"Pump","ALARMMESSAGE":"hot","Location":{"Zone":"Z"}}', {}, '/Alarms');
  const alarm = await site.alarms.get(Number(text));
  assert.deepEqual([alarm.path, alarm.message, (alarm.location as { zone: string }).zone], ['Pump', 'hot', 'Z']);
  const list = await site.request('GET', '/ALARMS?Limit=5&STATIONID=1&Search=pump&from=&stationid=');
  assert.deepEqual([list.status, (list.body as { paging: { limit: number; total: number } }).paging.limit], [200, 5]);
  const groups = await site.request('GET', '/callGroups');
  assert.equal(groups.status, 200);
  const twice = await send(site, '{"path":"a","Value":"1","value":"2"}');
  assert.equal((await site.alarms.get(Number(twice.text))).value, '2', 'of two spellings the last counts');
  assert.equal(twice.warnings, 'value: is given in two spellings: the last counts');
  const strict = await send(site, '{"path":"b","Value":"1","value":"2"}', { prefer: 'handling=strict' });
  assert.equal(strict.status, 400);
});

test('pages of allowed origins may use the interface with any header they ask for; others may not', async (t) => {
  const origin = 'https://console.example';
  const site = await startSite(t, 'sqlite', { overrides: { TOCSIN_ALLOWED_ORIGINS: origin } });
  const preflight = (from: string) =>
    fetch(`${site.app.url}/api/v1/alarms`, {
      method: 'OPTIONS',
      headers: {
        origin: from,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, x-trace-id',
      },
    });
  const allowed = await preflight(origin);
  assert.equal(allowed.status, 204);
  assert.equal(allowed.headers.get('access-control-allow-origin'), origin);
  assert.equal(allowed.headers.get('access-control-allow-headers'), 'authorization, x-trace-id');
  assert.match(allowed.headers.get('access-control-allow-methods') ?? '', /DELETE/);
  assert.equal((await preflight('https://other.example')).headers.get('access-control-allow-origin'), null);
  const headers = { origin, authorization: `Bearer ${site.token}` };
  for (const path of ['/alarms', '/alarms/99', '/nothing']) {
    const response = await fetch(`${site.app.url}/api/v1${path}`, { headers });
    assert.equal(response.headers.get('access-control-allow-origin'), origin, path);
    assert.match(response.headers.get('access-control-expose-headers') ?? '', /Tocsin-Warnings/);
  }
});

test('without a valid token every address below /api is 401, also one that does not exist', async (t) => {
  const site = await startSite(t, 'sqlite');
  for (const [method, path] of [
    ['GET', '/nothing'],
    ['DELETE', '/alarms'],
    ['GET', '/alarms/99'],
    ['GET', '/alarms/x'],
  ] as const) {
    assert.equal((await fetch(`${site.app.url}/api/v1${path}`, { method })).status, 401, path);
    assert.ok([404, 405].includes((await site.request(method, path)).status), path);
  }
});
