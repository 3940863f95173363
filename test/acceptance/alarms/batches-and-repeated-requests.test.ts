// Batches of alarms, tag values, bulk acknowledgement, repeated requests with an idempotency key, and the timeline.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { reportAlarm } from '../../../src/operations/alarms/intake/report.ts';
import type { DatabaseKind } from '../../../src/store/statement.ts';
import { startTestApp } from '../../harness/site/app.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

type Problem = { readonly code: string; readonly errors?: readonly { field: string }[] };

async function signedIn(t: TestContext, kind: DatabaseKind) {
  const app = await startTestApp(t, kind);
  const token = await app.signIn();
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    app.request(method, `/api/v1/${path}`, { token, body, headers });
  const total = async (path: string) => ((await ask('GET', path)).body as { paging: { total: number } }).paging.total;
  return { app, ask, total };
}

testOnStores('a batch stores its valid items and returns an error for each other item, in order', async (t, kind) => {
  const { ask, total } = await signedIn(t, kind);
  const answer = await ask('POST', 'alarms/batch', [
    { path: 'a' },
    { path: 'b', priority: 'high', raised: false },
    { path: 'a', raised: false },
    { path: 'c', stationId: 99 },
    7,
    { alarmMessage: 'no path' },
    {},
  ]);
  assert.equal(answer.status, 200, answer.text);
  const [first, wrongType, again, unknown, number, noPath, empty] = answer.body as [
    number,
    number,
    number,
    number,
    Problem,
    number,
    Problem,
  ];
  assert.deepEqual([first, wrongType, again, unknown, noPath], [1, 2, 1, 3, 4]);
  assert.match(
    answer.headers.get('tocsin-warnings') ?? '',
    /^\[1\]\.priority: .*; \[3\]\.stationId: station 99 does not exist$/,
  );
  assert.equal(number.code, 'invalid-input');
  assert.equal(empty.errors?.[0]?.field, 'path');
  assert.equal(await total('alarms?alarmState=2&dataServerId=1'), 1, 'raised and returned, in the order of the list');
  assert.equal((await ask('POST', 'alarms/batch', Array(1_001).fill({ path: 'x' }))).status, 413);
  assert.deepEqual((await ask('POST', 'alarms/batch', [])).body, []);
});

testOnAnyStore(
  'of list items with a NUL, a lone surrogate, a repeated or forbidden key only the last is refused, without the others',
  async (t, kind) => {
    const { app, ask } = await signedIn(t, kind);
    const token = await app.signIn();
    const items = [
      '{"path":"a","value":"90"}',
      '{"path":"b","value":"a\\u0000b"}',
      '{"path":"c","value":"\\ud800"}',
      '{"path":"d","value":"1","__proto__":{}}',
      '{"path":"e","path":"f","value":"1"}',
      '{"path":"g","value":"1","priority":1.0}',
      '{"path":"h","value":"[{,\\"x\\"]","alarmMesage":"typo"}',
    ];
    const text = `[ ${items.join(' , ')} ]`;
    const answer = await app.request('POST', '/api/v1/alarms/batch', { token, body: text });
    const codes = (answer.body as (number | Problem)[]).map((item) => (typeof item === 'number' ? item : item.code));
    assert.deepEqual(codes, [1, 2, 3, 'invalid-input', 4, 5, 6]);
    const { requestId, ...whole } = (answer.body as (Problem & { requestId: string })[])[3] ?? assert.fail();
    assert.match(requestId, /^[0-9a-f-]{36}$/);
    assert.deepEqual(whole, {
      type: '/docs#error-invalid-input',
      title: 'A field is malformed or out of bounds',
      status: 400,
      detail: '__proto__ is a name that is not allowed.',
      code: 'invalid-input',
      errors: [{ field: '__proto__', message: 'is a name that is not allowed' }],
    });
    assert.equal(answer.headers.get('tocsin-ignored-fields'), '[6].alarmMesage');
    assert.equal((await app.request('POST', '/api/v1/alarms/batch', { token, body: '[{"path":"a"},' })).status, 400);
    assert.equal((await ask('POST', 'alarms/batch', { path: 'no list' })).status, 400);
    const values = [
      { path: 'a', value: '91' },
      { path: 'a', value: 12 },
      { path: 'a', value: '92', time: 'yesterday' },
      { path: 'a' },
      { path: 'h', value: '7' },
    ];
    const reported = await ask('POST', 'tags/values', values);
    const [, , , withoutValue] = reported.body as (number | Problem)[];
    assert.deepEqual(
      (reported.body as (number | Problem)[]).map((item) => (typeof item === 'number' ? item : item.code)),
      [1, 1, 1, 'invalid-input', 6],
    );
    assert.equal((withoutValue as Problem).errors?.[0]?.field, 'value');
    assert.match(reported.headers.get('tocsin-warnings') ?? '', /^\[1\]\.value: .*; \[2\]\.time: /);
    assert.equal(((await ask('GET', 'alarms/1')).body as { value: string }).value, '92');
  },
);

testOnAnyStore('a tag value is compared with the condition; an older value changes nothing', async (t, kind) => {
  const { ask, app } = await signedIn(t, kind);
  await ask('POST', 'alarms', { path: 'temp', value: '20', eventCondition: { value: '>=80' } });
  const at = (seconds: number) => new Date(app.clock.now() + seconds * 1_000).toISOString();
  const report = (value: string, time?: string) =>
    ask('POST', 'tags/values', [{ path: 'temp', value, ...(time && { time }) }]);
  const seen = async () => {
    const { state, value } = (await ask('GET', 'alarms/1')).body as { state: number; value: string };
    return [state, value];
  };
  assert.deepEqual(await seen(), [0, '20']);
  assert.deepEqual((await report('93', at(-10))).body, [1]);
  assert.deepEqual(await seen(), [3, '93']);
  await report('10', at(-20));
  assert.deepEqual(await seen(), [3, '93'], 'older than what is known');
  await report('10', at(-5));
  assert.deepEqual(await seen(), [2, '10']);
  const [unknown] = (await ask('POST', 'tags/values', [{ path: 'nowhere', value: '1' }])).body as [Problem];
  assert.deepEqual([unknown.code, unknown.errors?.[0]?.field], ['unprocessable', 'path']);
});

testOnAnyStore(
  'without a condition too, a value with an older time changes nothing and is recorded',
  async (t, kind) => {
    const { ask, app } = await signedIn(t, kind);
    const id = (await ask('POST', 'alarms', { path: 'level', raised: false })).body;
    for (const [value, secondsAgo] of [
      ['9', 10],
      ['1', 20],
    ] as const) {
      const time = new Date(app.clock.now() - secondsAgo * 1_000).toISOString();
      assert.deepEqual((await ask('POST', 'tags/values', [{ path: 'level', value, time }])).body, [id]);
    }
    assert.equal(((await ask('GET', `alarms/${id}`)).body as { value: string }).value, '9');
    const timeline = (await ask('GET', `alarms/${id}/timeline`)).body as readonly { event: string }[];
    assert.equal(timeline.filter(({ event }) => event === 'stale').length, 1, JSON.stringify(timeline));
  },
);

testOnStores('a bulk acknowledgement returns one result per alarm', async (t, kind) => {
  const { ask, total } = await signedIn(t, kind);
  for (const path of ['a', 'b', 'c']) await ask('POST', 'alarms', { path });
  await ask('POST', 'alarms/2/acknowledge');
  const answer = (await ask('POST', 'alarms/acknowledge', { ids: [1, 2, 99, 3], comment: 'seen' })).body as [
    number,
    Problem,
    Problem,
    number,
  ];
  assert.deepEqual([answer[0], answer[1].code, answer[2].code, answer[3]], [1, 'already-done', 'not-found', 3]);
  assert.equal(await total('alarms?alarmState=1'), 3);
  const d = (await ask('POST', 'alarms', { path: 'd' })).body;
  const twice = await ask('POST', 'alarms/acknowledge', { ids: [d, d] });
  assert.deepEqual(
    [(twice.body as readonly unknown[])[0], (twice.body as [number, Problem])[1].code],
    [d, 'already-done'],
  );
});

testOnAnyStore('a request repeated with its idempotency key returns the first response, once', async (t, kind) => {
  const { ask, app, total } = await signedIn(t, kind);
  const send = (body: object, key = 'k1') => ask('POST', 'alarms', body, { 'idempotency-key': key });
  const body = { alarmMessage: 'no path: each is a new alarm' };
  const answers = await Promise.all([send(body), send(body), send(body)]);
  assert.deepEqual(
    answers.map(({ text }) => text),
    ['1', '1', '1'],
  );
  const another = [await send({ alarmMessage: 'another' }), await send({ alarmMessage: 'another' })];
  assert.deepEqual(
    another.map(({ text }) => text),
    ['2', '2'],
    'another body is another request, and has an outcome of its own',
  );
  assert.match(another[0]?.headers.get('tocsin-warnings') ?? '', /^Idempotency-Key: was used for another body/);
  assert.equal((await send(body)).text, '1');
  assert.equal((await send(body, 'k2')).text, '3');
  const inVain = { ...body, alarmActions: [{ type: 'Whistle' }] };
  const warnings = [await send(inVain, 'k3'), await send(inVain, 'k3')].map(({ headers }) =>
    headers.get('tocsin-warnings'),
  );
  assert.match(warnings[0] ?? '', /Whistle/);
  assert.equal(warnings[1], warnings[0]);
  const long = `${'x'.repeat(300)}é`;
  assert.deepEqual([(await send(body, long)).text, (await send(body, long)).text], ['6', '6']);
  assert.equal((await send(body, `${long}.`)).text, '7', 'keys that differ at their end alone are two');
  assert.deepEqual([(await send(body, '')).text, (await send(body, '')).text], ['8', '9'], 'an empty key is none');
  assert.equal(await total('alarms?search=path'), 7);
  app.clock.advance(86_400_000 - 1);
  assert.equal((await send(body)).text, '1', 'for a day');
});

testOnAnyStore('a batch repeated with its idempotency key returns the first response, once', async (t, kind) => {
  const { ask, total } = await signedIn(t, kind);
  const send = (items: readonly object[]) => ask('POST', 'alarms/batch', items, { 'idempotency-key': 'k1' });
  const items = Array.from({ length: 302 }, () => ({ alarmMessage: 'no path: each is a new alarm' }));
  const first = (await send(items)).body as readonly unknown[];
  assert.deepEqual((await send(items)).body, first);
  assert.equal(await total('alarms'), 302);
  const longer = [...items, { alarmMessage: 'one more' }];
  const others = (await send(longer)).body as readonly unknown[];
  assert.equal(new Set([...first, ...others]).size, 302 + 303, 'another body is another request');
  assert.deepEqual((await send(longer)).body, others);
  assert.deepEqual((await send(items)).body, first);
  const alone = await ask('POST', 'alarms', items[0], { 'idempotency-key': 'k1' });
  assert.equal(alone.status, 200, 'a key of one address says nothing about another');
});

testOnAnyStore('in one batch, an alarm without a path gets a path that no other item uses', async (t, kind) => {
  const { ask } = await signedIn(t, kind);
  const newest = (await ask('POST', 'alarms', { path: 'first' })).body as number;
  const paths = Array.from({ length: 12 }, (_, more) => ({ path: `alarm/${newest + more}` }));
  const answer = await ask('POST', 'alarms/batch', [
    { alarmMessage: 'no path' },
    { alarmMessage: 'nor here' },
    ...paths,
  ]);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(new Set(answer.body as number[]).size, 14);
});

testOnAnyStore('a condition or delay that is probably a mistake is accepted with a warning', async (t, kind) => {
  const { ask } = await signedIn(t, kind);
  const doubts = async (body: object) =>
    (await ask('POST', 'alarms', { path: 'a', ...body })).headers.get('tocsin-warnings');
  const condition = (value: string) => doubts({ eventCondition: { value } });
  assert.match((await condition('>=abc')) ?? '', /^eventCondition.value: compares with "abc", which is no number/);
  assert.match((await condition('&1.5')) ?? '', /no whole number/);
  assert.match((await condition('==80')) ?? '', /is taken for the text "==80"/);
  for (const fine of ['>=80', '80', 'open', '!=open', '', '&4']) assert.equal(await condition(fine), null, fine);
  const call = (parameter: string) => doubts({ alarmActions: [{ type: 'CallUser', id: 1, parameter, flags: 2 }] });
  assert.match((await call('5m')) ?? '', /^alarmActions\[0\].parameter: is no delay in whole seconds/);
  for (const fine of ['', '60', ' 60 ']) assert.equal(await call(fine), null, fine);
});

testOnAnyStore('a key stored with the body hash of an earlier version is still accepted', async (t, kind) => {
  const { ask, app } = await signedIn(t, kind);
  const nothing = {
    stationId: undefined,
    dataServerId: undefined,
    tagGroupId: undefined,
    path: undefined,
    priority: undefined,
    value: undefined,
    raised: undefined,
  };
  const { id } = await app.store.write(reportAlarm, {
    ...nothing,
    caller: { actor: 'user:1', stationIds: [] },
    change: { alarm: { message: 'hot' } },
    once: { key: 'k1', bodyHash: 'the SHA-256 that earlier versions kept'.padEnd(64) },
  });
  const send = () => ask('POST', 'alarms', { alarmMessage: 'hot' }, { 'idempotency-key': 'k1' });
  assert.equal((await send()).text, String(id));
});

testOnAnyStore('the timeline lists each event of the alarm with its actor and time', async (t, kind) => {
  const { ask, app } = await signedIn(t, kind);
  await ask('POST', 'alarms', { path: 'a' });
  app.clock.advance(1_000);
  await ask('POST', 'alarms/1/acknowledge', { comment: 'mine' });
  await ask('POST', 'alarms/1/comments', { comment: 'a valve' });
  await ask('POST', 'alarms', { path: 'a', raised: false });
  type Line = { event: string; actor: string; time: string };
  const lines = await until(
    async () => (await ask('GET', 'alarms/1/timeline')).body as Line[],
    (list) => list.length >= 4,
  );
  assert.deepEqual(
    lines.map(({ event }) => event),
    ['raised', 'acknowledged', 'commented', 'returned'],
  );
  assert.deepEqual([lines[1]?.actor, lines[1]?.time], ['user:1', '2026-11-15T13:00:01.000+01:00']);
  assert.equal((await ask('GET', 'alarms/9/timeline')).status, 404);
});

testOnAnyStore('single alarms are stored between the parts of a batch of long texts', async (t, kind) => {
  const { ask } = await signedIn(t, kind);
  const words = Array.from({ length: 1_100 }, (_, n) => `w${n.toString(36)}x`);
  const batch = Array.from({ length: 200 }, (_, n) => ({
    path: `heavy/${n}`,
    alarmMessage: words.map((word) => `${word}${n}`).join(' '),
  }));
  let isOver = false;
  const sent = ask('POST', 'alarms/batch', batch).finally(() => {
    isOver = true;
  });
  const single: number[] = [];
  for (let n = 0; !isOver; n++)
    single.push((await ask('POST', 'alarms', { path: `single/${n}`, priority: 1 })).body as number);
  const { status, body } = await sent;
  assert.equal(status, 200);
  const ids = body as number[];
  assert.deepEqual(
    ids,
    ids.toSorted((one, other) => one - other),
  );
  const between = single.filter((id) => id > (ids[0] ?? 0) && id < (ids.at(-1) ?? 0));
  assert.ok(between.length >= 3, `${between.length} of ${single.length} single alarms came between`);
});
