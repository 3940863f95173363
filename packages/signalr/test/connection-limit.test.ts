// Tests the limit of connections per principal: the principal over it is refused, all others are not affected.

import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { cursorOf, HandClient } from './harness/classic-client.ts';
import { HandSocket, negotiate, refusedUpgrade } from './harness/hand-socket.ts';
import { people, startRig } from './harness/rig.ts';
import { untilEqual } from './harness/until.ts';

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
/** Two tokens of one principal: the limit counts the principal. */
const known = { ann: { id: 'user:ann' }, 'ann-too': { id: 'user:ann' }, bob: { id: 'user:bob' } };

async function startSmallRig(t: TestContext) {
  const rig = await startRig({ authenticate: people(known), limits: { connectionsEach: 2 } });
  t.after(() => rig.stop());
  return rig;
}

it('a principal at its limit gets 429 for every kind of connection and token, and others connect', async (t) => {
  const rig = await startSmallRig(t);
  const id = await negotiate(rig.url, undefined, { headers: bearer('ann') });
  const classic = await HandClient.negotiated(rig.url, { access_token: 'ann' });
  const first = await HandSocket.connect(rig.url, bearer('ann'));
  const polls = await HandClient.negotiated(rig.url, { access_token: 'ann' });
  const cursor = cursorOf((await polls.poll('connect')).text);
  await polls.start('longPolling');

  const refusals = [
    fetch(`${rig.url}/negotiate`, { method: 'POST', headers: bearer('ann-too') }),
    fetch(`${rig.url}?id=${id}`, { headers: bearer('ann') }),
    fetch(`${rig.url}?id=${id}`, { headers: { ...bearer('ann'), Accept: 'text/event-stream' } }),
    refusedUpgrade(rig.url, bearer('ann')),
    classic.ask('negotiate'),
    classic.poll('connect'),
    classic.ask('connect', { transport: 'serverSentEvents' }),
    refusedUpgrade(classic.address('connect', { transport: 'webSockets' })),
  ];
  for (const refusal of await Promise.all(refusals)) assert.equal(refusal.status, 429);
  assert.equal(
    (await fetch(`${rig.url}/negotiate`, { method: 'POST', headers: bearer('ann') })).headers.get('retry-after'),
    '30',
  );
  (await HandSocket.connect(rig.url, bearer('bob'))).socket.close();

  // The limit does not affect connections that exist.
  const waiting = polls.poll('poll', cursor);
  await rig.live.broadcast('news', ['heard']);
  assert.match((await waiting).text, /heard/);

  first.socket.close();
  await untilEqual(() => rig.server.connectionCount, 1);
  const frames = await classic.webSocket();
  frames.socket.terminate();
});
