// Tests access to raw connections: the same rules as for hubs, until the server closes.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Principal } from '../src/principal.ts';
import { HandSocket, negotiate, refusedUpgrade } from './harness/hand-socket.ts';
import { echo, RawClient, startRawRig, transports } from './harness/raw-rig.ts';
import { people } from './harness/rig.ts';
import { untilEqual, untilStill } from './harness/until.ts';

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const known = { ann: { id: 'user:ann' }, bob: { id: 'user:bob' } };

it('raw connections check the token, the origin and the connection limit', async (t) => {
  const rig = await startRawRig(t, { authenticate: people(known), limits: { connectionsEach: 1 } });
  const evil = { ...bearer('ann'), Origin: 'https://evil.example' };
  for (const [headers, status] of [
    [bearer('eve'), 401],
    [evil, 403],
    [bearer('ann'), 200],
  ] as const) {
    assert.equal((await fetch(`${rig.rawUrl}/negotiate`, { method: 'POST', headers })).status, status);
  }
  assert.equal((await refusedUpgrade(rig.rawUrl, bearer('eve'))).status, 401);
  assert.equal((await refusedUpgrade(rig.rawUrl, evil)).status, 403);
  const id = await negotiate(rig.rawUrl, 'negotiateVersion=1', { headers: bearer('ann') });
  assert.equal((await refusedUpgrade(`${rig.rawUrl}?id=${id}`, bearer('bob'))).status, 403);

  const hand = await HandSocket.open(`${rig.rawUrl}?id=${id}`, bearer('ann'));
  assert.deepEqual(rig.ends[0]?.principal, known.ann);
  assert.equal((await refusedUpgrade(rig.rawUrl, bearer('ann'))).status, 429);
  assert.equal((await refusedUpgrade(rig.url, bearer('ann'))).status, 429, 'a hub counts the same');
  hand.socket.close();
  await untilEqual(() => rig.server.connectionCount, 0);
  (await HandSocket.open(rig.url, bearer('ann'))).socket.close();
});

for (const transport of transports) {
  it(`a revoked token ends its raw connections over ${transport}, and no others`, async (t) => {
    const rig = await startRawRig(t, { authenticate: people(known) });
    const ann = await RawClient.connect(rig.rawUrl, transport, 'ann');
    const bob = await RawClient.connect(rig.rawUrl, transport, 'bob');
    rig.server.closeConnectionsOf(({ id }) => id === 'user:ann');
    await untilEqual(() => ann.isClosed, true);
    await bob.connection.send('still here');
    await untilEqual(() => bob.text, 'still here');
    await bob.connection.stop();
  });

  it(`an expired token ends its raw connections over ${transport}, unless it was refreshed`, async (t) => {
    const principals: Record<string, Principal> = { ann: { id: 'user:ann' } };
    const rig = await startRawRig(t, { authenticate: people(principals) });
    principals.brief = { id: 'user:ann', expiresAt: rig.clock.now() + 5_000 };
    const client = await RawClient.connect(rig.rawUrl, transport, 'brief');
    const id = await negotiate(rig.rawUrl, 'negotiateVersion=1', { headers: bearer('brief') });
    const hand = await HandSocket.open(`${rig.rawUrl}?id=${id}`, bearer('brief'));
    const refresh = () => fetch(`${rig.rawUrl}/refresh?id=${id}`, { method: 'POST', headers: bearer('ann') });
    assert.deepEqual(await (await refresh()).json(), {});
    rig.clock.advance(5_000);
    await untilEqual(() => client.isClosed, true);
    // The other connection has outlived its first token.
    hand.socket.send('still here\x1e');
    await untilEqual(() => hand.records, ['still here']);
    hand.socket.close();
  });
}

it('a closing server ends raw connections and waits for their handlers', async (t) => {
  let ended = 0;
  const rig = await startRawRig(t, { intervals: { closeTimeout: 10_000 } }, async (end) => {
    await echo(end);
    // The handler is still cleaning up, which takes longer than closing the connections.
    await untilStill(() => rig.server.connectionCount);
    ended += 1;
  });
  const clients = await Promise.all(transports.map((transport) => RawClient.connect(rig.rawUrl, transport)));
  assert.equal(rig.server.connectionCount, 3);
  await rig.server.close();
  assert.deepEqual([rig.server.connectionCount, ended], [0, 3]);
  await untilEqual(() => clients.map(({ isClosed }) => isClosed), [true, true, true]);
  assert.equal((await fetch(`${rig.rawUrl}/negotiate`, { method: 'POST' })).status, 503);
});

it('a closing server destroys raw connections whose handler does not return', async (t) => {
  const never = new Promise(() => {});
  const rig = await startRawRig(t, { intervals: { closeTimeout: 100 } }, () => never);
  const hand = await HandSocket.open(rig.rawUrl);
  hand.stopReading();
  await rig.server.close();
  await untilEqual(() => rig.server.connectionCount, 0);
});
