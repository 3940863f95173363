// Section 11 of the interface: the few refusals of the intakes, and strict handling, which refuses every warning.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

const intakes = [
  ['/alarms', '{"path":"a"}', false],
  ['/alarms/batch', '[{"path":"a"}]', true],
  ['/tags/values', '[{"path":"a","value":"1"}]', true],
  ['/call/users', '{"userIds":[999]}', false],
  ['/call/groups', '{"callGroupIds":[999]}', false],
] as const;

function post(site: Site, path: string, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const authorization = `Bearer ${site.token}`;
  return fetch(`${site.app.url}/api/v1${path}`, { method: 'POST', headers: { authorization, ...headers }, body: text });
}

testOnAnyStore(
  'refused are only: no or bad token, missing scope, no JSON, too deep, a forbidden name, no object, too large',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const reader = await site.keyFor(['alarms:read']);
    for (const [path, body, isList] of intakes) {
      const status = async (sent: string, headers?: Record<string, string>) =>
        (await post(site, path, sent, headers)).status;
      assert.equal(await status(body), 200, path);
      assert.equal(await status(body, { authorization: 'Bearer nobody' }), 401, path);
      assert.equal(await status(body, { authorization: `Bearer ${reader}` }), 403, path);
      assert.equal(await status(body.slice(0, -1)), 400, path);
      const within = (json: string) => (isList ? `[${json}]` : json);
      const unusable = isList ? 200 : 400;
      assert.equal(await status(within(`{"x":${'['.repeat(40)}${']'.repeat(40)}}`)), unusable, path);
      for (const key of ['__proto__', 'constructor', 'prototype'])
        assert.equal(await status(within(`{"${key}":1}`)), unusable, path);
      for (const other of ['5', '"a"', 'null', isList ? '{}' : '[]']) assert.equal(await status(other), 400, path);
      const large = `${body.slice(0, -1)},"x":"${'x'.repeat(8 * 2 ** 20)}"${body.slice(-1)}`;
      assert.equal(await status(large), 413, path);
    }
    assert.equal((await site.request('POST', '/alarms', { priority: 1 })).status, 400, 'neither path nor message');
  },
);

testOnAnyStore('intakes are authorised by bearer token alone, never by a cookie', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const [path, body] of intakes) {
    const cookie = `access_token=${site.token}; Authorization=Bearer ${site.token}`;
    const method = 'POST';
    assert.equal((await fetch(`${site.app.url}/api/v1${path}`, { method, headers: { cookie }, body })).status, 401);
  }
});

testOnAnyStore(
  'a `wait` that cannot be used refuses no call, and is answered no sooner than asked',
  async (t, kind) => {
    const site = await startSite(t, kind);
    for (const wait of ['?wait=900', '?wait=-1', '?wait=soon', '?WAIT=1&wait=x']) {
      const answer = await post(site, `/call/users${wait}`, { userIds: [999] });
      assert.deepEqual([answer.status, await answer.text()], [200, 'false'], wait);
      assert.equal(answer.headers.get('tocsin-warnings'), 'wait: cannot be used and was read as 120');
      const strict = await post(site, `/call/users${wait}`, { userIds: [999] }, { prefer: 'handling=strict' });
      assert.equal(strict.status, 400, wait);
    }
    assert.equal((await post(site, '/call/users?wait=5&wait=0', { userIds: [999] })).status, 200, 'the last counts');
  },
);

testOnAnyStore(
  '`Prefer: handling=strict` turns every warning of a call into a refusal, and nobody is called',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const group = await site.create('/callgroups', { name: 'Shift' });
    for (const [path, named] of [
      ['/call/users', { userIds: [ana.id] }],
      ['/call/groups', { callGroupIds: [group] }],
    ] as const)
      for (const [wrong, status] of [
        [{ msgText: 5 }, 400],
        [{ msgAudio: 'no audio' }, 400],
        [{ msgFile: 'missing.wav' }, 422],
      ] as const) {
        const answer = await post(site, path, { ...named, ...wrong }, { prefer: 'handling=strict' });
        assert.equal(answer.status, status, JSON.stringify(wrong));
        assert.equal(answer.headers.get('preference-applied'), 'handling=strict');
        const { errors } = (await answer.json()) as { errors: { field: string }[] };
        assert.deepEqual(
          errors.map(({ field }) => field),
          Object.keys(wrong),
        );
      }
    await ana.isNotCalled();
    assert.equal((await site.list('/call/histories')).paging.total, 0);
    assert.equal((await site.alarms.list()).paging.total, 0);
  },
);

testOnAnyStore('under strict handling a key that was used for another body is refused', async (t, kind) => {
  const site = await startSite(t, kind);
  const strict = { prefer: 'handling=strict', 'idempotency-key': 'k1' };
  const first = { userIds: [999], msgText: 'one' };
  for (const [path, one, other] of [
    ['/alarms', { path: 'a', alarmMessage: 'one' }, { path: 'a', alarmMessage: 'two' }],
    ['/call/users', first, { ...first, msgText: 'two' }],
  ] as const) {
    for (let n = 0; n < 2; n++) assert.equal((await post(site, path, one, strict)).status, 200, path);
    assert.equal((await post(site, path, other, strict)).status, 422, path);
  }
  const again = await post(site, '/alarms/batch', [{ path: 'a', alarmMessage: 'two' }], { 'idempotency-key': 'k1' });
  assert.equal(again.status, 200);
  assert.equal((await site.alarms.list()).items[0]?.message, 'two', 'the key of a list is another one');
});

testOnAnyStore('`code` in statistics stays within 0 … 2147483647', async (t, kind) => {
  const site = await startSite(t, kind);
  const codes = { '5': 5, '2147483647': 2147483647, '2147483648': 0, '4294967295': 0, '-1': 0, 'E 7': 0 };
  for (const text of Object.keys(codes)) await site.alarms.send({ path: `code ${text}`, alarmShortMessage: text });
  const { items } = await site.list('/alarms/statistics');
  assert.deepEqual(Object.fromEntries(items.map((row) => [String(row.tagName).slice(5), row.code])), codes);
});
