// Who may have a raw connection, and for how long: the same rules as for hubs, to the end of the server.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Principal } from '../src/principal.ts';
import { HandSocket, negotiate, refusedUpgrade } from './harness/hand-socket.ts';
import { echo, RawClient, startRawRig, transports } from './harness/raw-rig.ts';
import { people } from './harness/rig.ts';
import { untilEqual, untilStill } from './harness/until.ts';

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const known = { ann: { id: 'user:ann' }, bob: { id: 'user:bob' } };

it('lets in who is known, from where they may come, and not too often', async (t) => {
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
  it(`ends over ${transport} when the token is revoked, and no other does`, async (t) => {
    const rig = await startRawRig(t, { authenticate: people(known) });
    const ann = await RawClient.connect(rig.rawUrl, transport, 'ann');
    const bob = await RawClient.connect(rig.rawUrl, transport, 'bob');
    rig.server.closeConnectionsOf(({ id }) => id === 'user:ann');
    await untilEqual(() => ann.isClosed, true);
    await bob.connection.send('still here');
    await untilEqual(() => bob.text, 'still here');
    await bob.connection.stop();
  });

  it(`ends over ${transport} when the token expires, unless it was refreshed`, async (t) => {
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
    // The other has outlived its first token.
    hand.socket.send('still here\x1e');
    await untilEqual(() => hand.records, ['still here']);
    hand.socket.close();
  });
}

it('ends with the server, which waits for the handlers', async (t) => {
  let ended = 0;
  const rig = await startRawRig(t, { intervals: { closeTimeout: 10_000 } }, async (end) => {
    await echo(end);
    // It has things to put away, which takes longer than the connections do.
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

it('is destroyed by the server when its handler does not return', async (t) => {
  const never = new Promise(() => {});
  const rig = await startRawRig(t, { intervals: { closeTimeout: 100 } }, () => never);
  const hand = await HandSocket.open(rig.rawUrl);
  hand.stopReading();
  await rig.server.close();
  await untilEqual(() => rig.server.connectionCount, 0);
});
