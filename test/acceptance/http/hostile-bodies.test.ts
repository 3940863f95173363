// Bodies that are made to keep the server busy are refused before they are parsed, or are read in slices.

import assert from 'node:assert/strict';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const largest = 8 * 2 ** 20 - 10;

type Sent = { readonly status: number; readonly code: unknown; readonly text: string };

async function post(site: Site, path: string, body: Buffer | string, encoding?: string): Promise<Sent> {
  const headers = {
    authorization: `Bearer ${site.token}`,
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  };
  const answer = await fetch(`${site.app.url}/api/v1${path}`, { method: 'POST', headers, body });
  const text = await answer.text();
  return { status: answer.status, code: /"code":"([\w-]+)"/.exec(text)?.[1], text };
}

function manyKeys(count: number): string {
  return `{"path":"a",${Array.from({ length: count }, (_, n) => `"k${n}":1`).join()}}`;
}

testOnAnyStore('a body that expands more than 100 times is 413, and kept as a refusal at intakes', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const filling of ['[', ' ', '\xff']) {
    const packed = gzipSync(Buffer.alloc(largest, filling, 'latin1'));
    const { status, text } = await post(site, '/alarms/batch', packed, 'gzip');
    assert.deepEqual([status, /more than 100 times/.test(text)], [413, true], filling);
  }
  const spread = JSON.stringify({ path: 'a', alarmMessage: 'x'.repeat(5_000) });
  assert.equal((await post(site, '/alarms', gzipSync(spread), 'gzip')).status, 200, 'not more than 100 times');
  const { items } = await until(
    () => site.list('/intake/refusals'),
    (listed) => listed.items.length === 3,
  );
  assert.deepEqual(
    items.map(({ code }) => code),
    Array.from({ length: 3 }, () => 'body-too-large'),
  );
});

testOnAnyStore('an object with more than 10,000 fields is 413; one with as many is taken', async (t, kind) => {
  const site = await startSite(t, kind);
  assert.equal((await post(site, '/alarms', manyKeys(9_999))).status, 200);
  assert.deepEqual((await post(site, '/alarms', manyKeys(10_000))).status, 413);
  assert.deepEqual(
    (await post(site, '/alarms', `{${'"":0,'.repeat(10_000)}"":0}`)).status,
    413,
    'the shortest such body',
  );
  const { status, text } = await post(site, '/alarms/batch', `[${manyKeys(10_000)},{"path":"b"}]`);
  assert.equal(status, 200);
  const [first, second] = JSON.parse(text);
  assert.deepEqual([first.code, typeof second], ['body-too-large', 'number'], 'an item is refused alone');
});

testOnAnyStore('an item of a list is refused alone if it is larger than one alarm may be', async (t, kind) => {
  const site = await startSite(t, kind);
  const list = JSON.stringify([{ path: 'a', alarmMessage: 'x'.repeat(256 * 1024) }, { path: 'b' }]);
  const [first, second] = JSON.parse((await post(site, '/alarms/batch', list)).text);
  assert.deepEqual([first.code, typeof second], ['body-too-large', 'number']);
});

testOnAnyStore('sound in a call may be long, but not numbers and fields', async (t, kind) => {
  const site = await startSite(t, kind);
  const sound = JSON.stringify({ userIds: [999], msgText: 'x', msgAudio: 'A'.repeat(2_700_000) });
  assert.equal((await post(site, '/call/users', sound)).status, 200);
  assert.equal((await post(site, '/call/users', `{"userIds":[${'9,'.repeat(200_000)}9]}`)).code, 'body-too-large');
});

testOnAnyStore('alarms are taken while bodies of 8 MB are read', async (t, kind) => {
  const site = await startSite(t, kind);
  const bodies = [
    Buffer.alloc(largest, '['),
    Buffer.alloc(largest, ' '),
    Buffer.concat([Buffer.from('["'), Buffer.alloc(largest, 0xff), Buffer.from('"]')]),
    Buffer.from(`["${'\\"'.repeat(largest / 2 - 4)}"]`),
    Buffer.from(`[${manyKeys(600_000)}]`),
  ];
  let isOver = false;
  const hostile = Promise.all(bodies.map((body) => post(site, '/alarms/batch', body)));
  const over = hostile.finally(() => (isOver = true));
  let taken = 0;
  while (!isOver) {
    assert.equal((await post(site, '/alarms', `{"path":"beside ${taken}","priority":1}`)).status, 200);
    taken++;
  }
  assert.deepEqual(
    (await over).map(({ status, code }) => [status, code]),
    [
      [400, 'malformed-json'],
      [400, 'invalid-input'],
      [200, 'body-too-large'],
      [200, 'body-too-large'],
      [200, 'body-too-large'],
    ],
  );
  assert.ok(taken > 0);
});

testOnAnyStore('an empty body that claims to be packed ends no server', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const encoding of ['gzip', 'deflate', 'br'])
    for (const path of ['/auth/login', '/alarms', '/users', '/alarms/batch'])
      assert.ok((await post(site, path, '', encoding)).status < 500, `${encoding} ${path}`);
  assert.equal((await site.app.request('GET', '/health/live')).status, 200);
});

testOnAnyStore('a list of similar alarms is taken though it is packed very well', async (t, kind) => {
  const site = await startSite(t, kind);
  const alarmMessage = 'The pump has stopped, see the instructions on the wall. '.repeat(6);
  const list = Array.from({ length: 1_000 }, (_, n) => ({ path: `Pump ${n}`, alarmMessage }));
  const text = JSON.stringify(list);
  const packed = brotliCompressSync(text);
  assert.ok(text.length > 100 * packed.length, 'more than 100 times');
  assert.equal((await post(site, '/alarms/batch', packed, 'br')).status, 200);
});
