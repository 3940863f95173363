// Tests options that differ between the mounts of one server, and several hubs at one mount.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { defineHub } from '../src/hub.ts';
import { HandSocket, json, negotiate, refusedUpgrade } from './harness/hand-socket.ts';
import { people, type Rig, startRig } from './harness/rig.ts';
import { untilEqual } from './harness/until.ts';

const hub = defineHub({ name: 'one', methods: { echo: (_call, value) => value } });
const other = defineHub({ name: 'other' });

let rig: Rig;
let base: string;
before(async () => {
  rig = await startRig({
    authenticate: people({ ann: { id: 'ann' } }),
    mounts: [
      { path: '/hub', hub },
      { path: '/open', hub, authenticate: async () => ({ id: 'anybody' }), allowedOrigins: ['https://good.example'] },
      { path: '/polls', hub, authenticate: async () => ({ id: 'anybody' }), transports: ['LongPolling'] },
      { path: '/json', hub, authenticate: async () => ({ id: 'anybody' }), protocols: ['json'] },
      {
        ...{ path: '/small', hub, authenticate: async () => ({ id: 'anybody' }) },
        ...{ limits: { messageBytes: 100, chunkBytes: 200 }, intervals: { classicPoll: 5_000 } },
      },
      { path: '/both', hubs: [hub, other], authenticate: async () => ({ id: 'anybody' }) },
    ],
  });
  base = rig.url.replace('/hub', '');
});
after(() => rig.stop());

const post = (path: string, headers = {}) =>
  fetch(`${base}${path}/negotiate?negotiateVersion=1`, { method: 'POST', headers });

it('a mount authenticates and allows origins in its own way', async () => {
  assert.equal((await post('/hub')).status, 401);
  assert.equal((await post('/hub', { Authorization: 'Bearer ann' })).status, 200);
  assert.equal((await post('/open')).status, 200);
  assert.equal((await post('/open', { Origin: 'https://good.example' })).status, 200);
  assert.equal((await post('/json', { Origin: 'https://good.example' })).status, 403);
});

it('a mount has its own transports and protocols', async () => {
  const { availableTransports } = (await (await post('/polls')).json()) as {
    availableTransports: { transport: string }[];
  };
  assert.deepEqual(
    availableTransports.map(({ transport }) => transport),
    ['LongPolling'],
  );
  const refused = await refusedUpgrade(`${base}/polls`);
  assert.deepEqual(refused, { status: 404, text: 'WebSockets transport not supported by this end point type' });
  const hand = await HandSocket.open(`${base}/json`);
  hand.socket.send(json.handshake('messagepack'));
  await untilEqual(() => hand.records, ['{"error":"The protocol \'messagepack\' is not supported."}']);
});

it('a mount has its own limits and intervals', async () => {
  const long = json.message({ type: 1, target: 'echo', arguments: ['x'.repeat(100)] });
  const small = await HandSocket.connect(`${base}/small`);
  small.socket.send(long);
  await untilEqual(() => small.closeCode, 1000);
  const large = await HandSocket.connect(`${base}/open`);
  large.socket.send(json.message({ type: 1, invocationId: '1', target: 'echo', arguments: ['x'.repeat(100)] }));
  await untilEqual(() => large.records.length, 2);
  large.socket.close();
  const frames = await HandSocket.open(`${base}/small`);
  frames.socket.send('x'.repeat(201));
  await untilEqual(() => frames.closeCode, 1009);
  const classic = await (await fetch(`${base}/small/negotiate?clientProtocol=2.0`)).text();
  assert.equal(JSON.parse(classic).ConnectionTimeout, 5);
});

it('a connection token of one mount of a hub opens the connection at another', async () => {
  const id = await negotiate(`${base}/open`);
  assert.equal((await fetch(`${base}/polls?id=${id}`)).status, 200);
  assert.equal((await fetch(`${base}/polls?id=${id}`, { method: 'DELETE' })).status, 202);
});

it('several hubs at one mount are for classic clients, and each hub is running once', async () => {
  assert.equal((await post('/both')).status, 404);
  assert.equal((await refusedUpgrade(`${base}/both`)).status, 404);
  assert.equal((await fetch(`${base}/both/negotiate?clientProtocol=2.0`)).status, 200);
  assert.equal(rig.server.hub(hub), rig.live);
  assert.equal(rig.server.hub(other).size, 0);
});
