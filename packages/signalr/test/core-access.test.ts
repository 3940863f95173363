// Tests access to the hub: tokens, their expiry, refreshing and revocation, changed principals, and origins.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { HttpTransportType } from '@microsoft/signalr';
import { RequestRefused } from '../src/request.ts';
import { makeClient } from './harness/core-client.ts';
import { HandSocket, json, negotiate, refusedUpgrade } from './harness/hand-socket.ts';
import { people, type Rig, startRig } from './harness/rig.ts';
import { untilEqual } from './harness/until.ts';

const principals: Record<string, { id: string; expiresAt?: number }> = {
  ann: { id: 'user:ann' },
  bob: { id: 'user:bob' },
};

let rig: Rig;
before(async () => {
  rig = await startRig({ authenticate: people(principals), allowedOrigins: ['https://good.example'] });
});
after(() => rig.stop());

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

for (const transport of ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const) {
  it(`the client's token factory is used over ${transport}`, async () => {
    const options = { transport: HttpTransportType[transport], accessTokenFactory: () => 'ann' };
    const client = makeClient(rig.url, options);
    await client.start();
    assert.equal(await client.invoke('whoAmI'), 'user:ann');
    await client.stop();
    await assert.rejects(makeClient(rig.url, { ...options, accessTokenFactory: () => 'eve' }).start(), /401/);
  });
}

it('every request with an unknown token gets 401', async () => {
  for (const [method, path] of [
    ['POST', '/negotiate'],
    ['GET', '?id=x'],
    ['POST', '?id=x'],
    ['DELETE', '?id=x'],
    ['POST', '/refresh?id=x'],
    ['GET', '?id=x&access_token=wrong'],
  ] as const) {
    const response = await fetch(rig.url + path, { method });
    assert.deepEqual([response.status, await response.text()], [401, '']);
    assert.equal(response.headers.get('www-authenticate'), 'Bearer');
  }
  assert.equal((await refusedUpgrade(rig.url)).status, 401);
});

it('the token may be in the query', async () => {
  const hand = await HandSocket.connect(`${rig.url}?access_token=bob`);
  hand.socket.send(json.message({ type: 1, invocationId: '1', target: 'whoAmI', arguments: [] }));
  await untilEqual(() => hand.records[1], '{"type":3,"invocationId":"1","result":"user:bob"}');
  hand.socket.close();
});

it('authenticate may refuse with another status, and its failures are hidden', async (t) => {
  const errors: unknown[] = [];
  const answers = [new RequestRefused(403, 'You lack a scope.'), new Error('a secret of the server')];
  const strict = await startRig({
    authenticate: async () => {
      throw answers.shift();
    },
    onError: (error) => errors.push(error),
  });
  t.after(() => strict.stop());
  const ask = async () => {
    const response = await fetch(`${strict.url}/negotiate`, { method: 'POST' });
    return [response.status, await response.text()];
  };
  assert.deepEqual(await ask(), [403, 'You lack a scope.']);
  assert.deepEqual(await ask(), [500, '']);
  assert.equal(errors.length, 1);
});

it('only the principal that negotiated may use a connection', async () => {
  const changed = [403, 'The user associated with this connection changed.'];
  const id = await negotiate(rig.url, 'negotiateVersion=1', { headers: bearer('ann') });
  const ask = async (method: string, token: string, headers = {}) => {
    const response = await fetch(`${rig.url}?id=${id}`, { method, headers: { ...bearer(token), ...headers } });
    return [response.status, await response.text()];
  };
  assert.deepEqual(await ask('GET', 'bob'), changed, 'not opened');
  assert.deepEqual(await ask('GET', 'bob', { Accept: 'text/event-stream' }), changed);
  assert.equal((await refusedUpgrade(`${rig.url}?id=${id}`, bearer('bob'))).status, 403);
  assert.deepEqual(await ask('GET', 'ann'), [200, '']);
  for (const method of ['GET', 'POST', 'DELETE']) assert.deepEqual(await ask(method, 'bob'), changed, method);
  assert.deepEqual(await ask('DELETE', 'ann'), [202, '']);
});

it('a client whose token expires is asked to reconnect with another', async () => {
  const expiresAt = rig.clock.now() + 150;
  principals.soon = { id: 'user:ann', expiresAt };
  principals.later = { id: 'user:ann', expiresAt: expiresAt + 60_000 };
  const client = makeClient(rig.url, {
    transport: HttpTransportType.WebSockets,
    retryDelays: [0],
    accessTokenFactory: () => (rig.clock.now() < expiresAt ? 'soon' : 'later'),
  });
  let reconnected = 0;
  client.onreconnected(() => reconnected++);
  await client.start();
  rig.clock.advance(150);
  await untilEqual(() => reconnected, 1);
  assert.equal(await client.invoke('whoAmI'), 'user:ann');
  await client.stop();
});

/** Expires the token and waits until the server has acted on it. */
async function expire(token: string): Promise<void> {
  const witness = await HandSocket.connect(rig.url, bearer(token));
  rig.clock.advance(300);
  await untilEqual(() => witness.closeCode, 1000);
}

it('a token can be refreshed on a live connection', async () => {
  const begin = rig.clock.now();
  principals.brief = { id: 'user:ann', expiresAt: begin + 300 };
  principals.long = { id: 'user:ann', expiresAt: begin + 90_500 };
  const response = await fetch(`${rig.url}/negotiate?negotiateVersion=1`, { method: 'POST', headers: bearer('long') });
  const { connectionToken: id, tokenLifetimeSeconds } = (await response.json()) as Record<string, string>;
  assert.equal(tokenLifetimeSeconds, 90);
  const hand = await HandSocket.connect(`${rig.url}?id=${id}`, bearer('brief'));
  const refresh = async (query: string, token: string) => {
    const answer = await fetch(`${rig.url}/refresh${query}`, { method: 'POST', headers: bearer(token) });
    return [answer.status, await answer.json()];
  };
  assert.deepEqual(await refresh('', 'long'), [400, { error: 'missing_connection_token' }]);
  assert.deepEqual(await refresh('?id=x', 'long'), [404, { error: 'connection_not_found' }]);
  assert.deepEqual(await refresh(`?id=${id}`, 'bob'), [403, { error: 'user_changed' }]);
  assert.deepEqual(await refresh(`?id=${id}`, 'ann'), [200, {}]);
  assert.deepEqual(await refresh(`?id=${id}`, 'long'), [200, { tokenLifetimeSeconds: 90 }]);
  await expire('brief');
  hand.socket.send(json.message({ type: 1, invocationId: '1', target: 'whoAmI', arguments: [] }));
  await untilEqual(() => hand.records[1], '{"type":3,"invocationId":"1","result":"user:ann"}');
  hand.socket.close();

  const old = await negotiate(rig.url, '', { headers: bearer('long') });
  const oldHand = await HandSocket.connect(`${rig.url}?id=${old}`, bearer('long'));
  assert.deepEqual(await refresh(`?id=${old}`, 'long'), [400, { error: 'unsupported_negotiate_version' }]);
  oldHand.socket.close();
});

it('any request of a connection may bring a newer token', async () => {
  principals.old = { id: 'user:ann', expiresAt: rig.clock.now() + 200 };
  const id = await negotiate(rig.url, 'negotiateVersion=1', { headers: bearer('old') });
  const ask = (method: string, token: string, body?: string) =>
    fetch(`${rig.url}?id=${id}`, { method, headers: bearer(token), ...(body !== undefined && { body }) });
  await ask('GET', 'old');
  await ask('POST', 'ann', json.handshake());
  await expire('old');
  assert.equal(await (await ask('GET', 'ann')).text(), '{}\x1e');
  await ask('DELETE', 'ann');
});

it('revoking a token closes its connections, and no others', async () => {
  const ann = await HandSocket.connect(rig.url, bearer('ann'));
  const bob = await HandSocket.connect(rig.url, bearer('bob'));
  rig.server.closeConnectionsOf(({ id }) => id === 'user:ann');
  await untilEqual(() => ann.closeCode, 1000);
  assert.equal(ann.records.at(-1), '{"type":7,"allowReconnect":true}');
  bob.socket.send(json.message({ type: 1, invocationId: '1', target: 'whoAmI', arguments: [] }));
  await untilEqual(() => bob.records.at(-1), '{"type":3,"invocationId":"1","result":"user:bob"}');
  bob.socket.close();
});

it('pages connect only from an exactly matching origin', async () => {
  const ask = async (origin: string | undefined, method = 'POST', headers = {}) => {
    const response = await fetch(`${rig.url}/negotiate`, {
      method,
      headers: { ...bearer('ann'), ...headers, ...(origin !== undefined && { Origin: origin }) },
    });
    const allowed = response.headers.get('access-control-allow-origin');
    assert.match(response.headers.get('vary') ?? '', /Origin/);
    assert.equal(response.headers.get('access-control-allow-credentials'), allowed === null ? null : 'true');
    return [response.status, allowed];
  };
  const own = `http://127.0.0.1:${rig.port}`;
  assert.deepEqual(await ask(undefined), [200, null]);
  assert.deepEqual(await ask('https://good.example'), [200, 'https://good.example']);
  assert.deepEqual(await ask(own), [200, own]);
  for (const origin of ['https://evil.example', 'null', 'https://good.example.evil.org', 'https://xgood.example']) {
    assert.deepEqual(await ask(origin), [403, null], origin);
    assert.equal((await refusedUpgrade(rig.url, { ...bearer('ann'), Origin: origin })).status, 403, origin);
  }
  assert.deepEqual(await ask(`${own}0`), [403, null]);
  const hand = await HandSocket.connect(rig.url, { ...bearer('ann'), Origin: 'https://good.example' });
  hand.socket.close();
});

it('preflights need no token', async () => {
  const preflight = (origin: string) =>
    fetch(`${rig.url}/negotiate`, {
      method: 'OPTIONS',
      headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
    });
  const answer = await preflight('https://good.example');
  assert.equal(answer.status, 204);
  assert.equal(answer.headers.get('access-control-allow-origin'), 'https://good.example');
  assert.equal(answer.headers.get('access-control-allow-credentials'), 'true');
  assert.equal(answer.headers.get('access-control-allow-methods'), 'GET, POST, DELETE');
  for (const name of ['Authorization', 'Content-Type', 'X-Requested-With', 'X-SignalR-User-Agent']) {
    assert.ok(answer.headers.get('access-control-allow-headers')?.includes(name));
  }
  assert.equal((await preflight('https://evil.example')).status, 403);
});

it('preflights allow the headers that the page asks for', async () => {
  const asked = 'authorization,x-requested-with,x-tenant';
  const answer = await fetch(`${rig.url}/negotiate`, {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://good.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': asked,
    },
  });
  assert.equal(answer.headers.get('access-control-allow-headers'), asked);
  assert.equal(answer.headers.get('vary'), 'Origin, Access-Control-Request-Headers');
});
