// Which requests are sent again, after which pauses, and with which key.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { persistentFetch } from './persistent-fetch.ts';

type Answer = number | { readonly status: number; readonly retryAfter: string } | 'lost';

/** A `fetch` that gives these answers one after another, the last one for ever, and what it was asked. */
function answering(t: TestContext, answers: readonly Answer[]) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const keys: (string | null)[] = [];
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    keys.push(new Headers(init?.headers).get('Idempotency-Key'));
    const answer = answers[Math.min(keys.length, answers.length) - 1] ?? 200;
    if (answer === 'lost') throw new TypeError('fetch failed');
    if (typeof answer === 'number') return new Response('{}', { status: answer });
    return new Response('{}', { status: answer.status, headers: { 'Retry-After': answer.retryAfter } });
  };
  return { keys, fetch };
}

/** Lets pending promises run, then the time. */
async function pass(t: TestContext, ms: number): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  t.mock.timers.tick(ms);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

const alarms = 'http://localhost:8080/tocsin/api/v1/alarms';

test('a POST that makes something is repeated with one key, whether it was refused for now or got lost', async (t) => {
  const { keys, fetch } = answering(t, [503, 'lost', 200]);
  const response = persistentFetch({ fetch })(alarms, { method: 'POST', body: '{}' });
  await pass(t, 500);
  await pass(t, 1_000);
  assert.equal((await response).status, 200);
  assert.equal(keys.length, 3);
  assert.match(keys[0] ?? '', /^[\da-f-]{36}$/);
  assert.equal(new Set(keys).size, 1);
});

test("the caller's own Idempotency-Key is kept, and two requests have two keys", async (t) => {
  const { keys, fetch } = answering(t, [200]);
  const send = persistentFetch({ fetch });
  await send(alarms, { method: 'POST', headers: { 'Idempotency-Key': 'mine' } });
  await send(`${alarms}/7/comments`, { method: 'POST' });
  await send(`${alarms}/batch`, { method: 'POST' });
  await send(alarms);
  assert.equal(keys[0], 'mine');
  assert.equal(new Set(keys).size, 4);
  assert.equal(keys[3], null);
});

test('Retry-After in seconds is waited for', async (t) => {
  const { keys, fetch } = answering(t, [{ status: 503, retryAfter: '7' }, 200]);
  const response = persistentFetch({ fetch })(alarms);
  await pass(t, 6_999);
  assert.equal(keys.length, 1);
  await pass(t, 1);
  assert.equal((await response).status, 200);
});

test('Retry-After as a date is waited for', async (t) => {
  const { keys, fetch } = answering(t, [{ status: 429, retryAfter: new Date(Date.now() + 30_000).toUTCString() }, 200]);
  const response = persistentFetch({ fetch })(alarms);
  await pass(t, 20_000);
  assert.equal(keys.length, 1);
  await pass(t, 10_000);
  assert.equal((await response).status, 200);
});

test('a Retry-After beyond the time there is gives the refusal at once', async (t) => {
  const { keys, fetch } = answering(t, [{ status: 429, retryAfter: '900' }]);
  assert.equal((await persistentFetch({ fetch })(alarms)).status, 429);
  assert.equal(keys.length, 1);
});

test('refusals that would be the same again are not repeated', async (t) => {
  for (const status of [400, 401, 404, 409, 412, 422]) {
    const { keys, fetch } = answering(t, [status, 200]);
    assert.equal((await persistentFetch({ fetch })(alarms)).status, status);
    assert.equal(keys.length, 1);
    t.mock.timers.reset();
  }
});

test('what could have another effect the second time is repeated only when nothing was done', async (t) => {
  const once = [
    { method: 'POST', url: `${alarms}/7/acknowledge`, headers: {} },
    { method: 'DELETE', url: `${alarms}/7`, headers: {} },
    { method: 'PUT', url: `${alarms}/7`, headers: { 'If-Match': '"3"' } },
  ];
  for (const { method, url, headers } of once) {
    const { keys, fetch } = answering(t, [503, 'lost', 200]);
    const response = persistentFetch({ fetch })(url, { method, headers }).catch((error: Error) => error.message);
    await pass(t, 500);
    assert.equal(await response, 'fetch failed');
    assert.deepEqual(keys, [null, null]);
    t.mock.timers.reset();
  }
});

test('an aborted request ends in its pause', async (t) => {
  const { keys, fetch } = answering(t, [503]);
  const abort = new AbortController();
  const response = persistentFetch({ fetch })(alarms, { signal: abort.signal }).catch((error: Error) => error.name);
  await pass(t, 0);
  abort.abort();
  assert.equal(await response, 'AbortError');
  assert.equal(keys.length, 1);
});

test('a request object is treated by its own method: an acknowledgement that got lost is not sent twice', async (t) => {
  const { keys, fetch } = answering(t, ['lost', 200]);
  const send = persistentFetch({ fetch });
  await assert.rejects(send(new Request(`${alarms}/7/acknowledge`, { method: 'POST' })));
  assert.equal(keys.length, 1);
  const made = send(new Request(alarms, { method: 'post', body: '{}', headers: { 'X-Own': '1' } }));
  assert.equal((await made).status, 200);
  assert.match(keys[1] ?? '', /^[\da-f-]{36}$/);
});

test('the answer of another fetch, of a class of its own, is an answer', async (t) => {
  const { keys, fetch } = answering(t, [200]);
  const foreign = async (...request: Parameters<typeof fetch>) => {
    const { status, headers } = await fetch(...request);
    return { status, headers, body: null } as Response;
  };
  assert.equal((await persistentFetch({ fetch: foreign })(alarms, { method: 'POST' })).status, 200);
  assert.equal(keys.length, 1);
});

test('a body that is a stream is sent once, and its refusal is the outcome', async (t) => {
  const { keys, fetch } = answering(t, [503, 200]);
  const body = new Response('{}').body;
  assert.equal((await persistentFetch({ fetch })(alarms, { method: 'POST', body })).status, 503);
  assert.equal(keys.length, 1);
});

test('Retry-After as a date counts from the time of the server', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const headers = { Date: 'Wed, 18 Nov 2020 10:00:00 GMT', 'Retry-After': 'Wed, 18 Nov 2020 10:00:07 GMT' };
  let sent = 0;
  const fetch = async () => new Response('{}', sent++ === 0 ? { status: 503, headers } : {});
  const response = persistentFetch({ fetch })(alarms);
  await pass(t, 6_999);
  assert.equal(sent, 1);
  await pass(t, 1);
  assert.equal((await response).status, 200);
});
