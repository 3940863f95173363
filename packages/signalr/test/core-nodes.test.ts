// Tests several nodes behind one address: connections negotiated on one node are opened or forwarded by another.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { SignalROptions } from '../src/options.ts';
import { HandSocket, json, negotiate, refusedUpgrade } from './harness/hand-socket.ts';
import { passOn, people, type Rig, startRig } from './harness/rig.ts';
import { untilEqual } from './harness/until.ts';

let one: Rig;
let two: Rig;
let canForward = true;
const forwarded: string[] = [];

const forward: SignalROptions['forward'] = async (nodeId, request, response) => {
  if (!canForward) return false;
  forwarded.push(`${nodeId} ${request.method}`);
  passOn(one.port, request, response);
  return true;
};

before(async () => {
  const common = { authenticate: people({ ann: { id: 'ann' }, bob: { id: 'bob' } }) };
  one = await startRig({ ...common, nodeId: 'one' });
  two = await startRig({
    ...common,
    nodeId: 'two',
    forward,
    tokenKeys: () => ({ current: 'new', all: ['new', 'key'] }),
  });
});
after(async () => {
  await one.stop();
  await two.stop();
});

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
const negotiated = () => negotiate(one.url, 'negotiateVersion=1', as('ann'));

it('a WebSocket negotiated on another node opens once, with its id', async () => {
  const response = await fetch(`${one.url}/negotiate?negotiateVersion=1`, { method: 'POST', ...as('ann') });
  const { connectionId, connectionToken: id } = (await response.json()) as Record<string, string>;
  assert.equal((await refusedUpgrade(`${two.url}?id=${id}`, as('bob').headers)).status, 403);
  const hand = await HandSocket.connect(`${two.url}?id=${id}`, as('ann').headers);
  assert.equal([...two.live.connections()][0]?.id, connectionId);
  hand.socket.close();
  await untilEqual(() => two.server.connectionCount, 0);
  assert.equal((await refusedUpgrade(`${two.url}?id=${id}`, as('ann').headers)).status, 404);
});

it('a token signed with another key opens nothing', async () => {
  const id = await negotiate(two.url, 'negotiateVersion=1', as('ann'));
  assert.equal((await refusedUpgrade(`${one.url}?id=${id}`, as('ann').headers)).status, 404);
});

it('polls and sends are forwarded to the node that negotiated', async () => {
  canForward = true;
  forwarded.length = 0;
  const id = await negotiated();
  const ask = (method: string, body?: string) =>
    fetch(`${two.url}?id=${id}`, { method, ...as('ann'), ...(body !== undefined && { body }) });
  assert.equal((await ask('GET')).status, 200);
  assert.equal((await ask('POST', json.handshake())).status, 200);
  assert.equal(await (await ask('GET')).text(), '{}\x1e');
  assert.deepEqual([one.server.connectionCount, two.server.connectionCount], [1, 0]);
  assert.equal((await ask('DELETE')).status, 202);
  assert.deepEqual(forwarded, ['one GET', 'one POST', 'one GET', 'one DELETE']);
});

it('a POST before the first poll is forwarded to the node that negotiated, which opens the connection', async () => {
  canForward = true;
  const id = await negotiated();
  const ask = (url: string, method: string, body?: string) =>
    fetch(`${url}?id=${id}`, { method, ...as('ann'), ...(body !== undefined && { body }) });
  assert.equal((await ask(two.url, 'POST', json.handshake())).status, 200);
  assert.deepEqual([one.server.connectionCount, two.server.connectionCount], [1, 0]);
  assert.equal((await ask(one.url, 'GET')).status, 200);
  assert.equal(await (await ask(two.url, 'GET')).text(), '{}\x1e');
  assert.equal((await ask(two.url, 'DELETE')).status, 202);
});

it('a first request that cannot be forwarded opens the connection here', async () => {
  canForward = false;
  const id = await negotiated();
  const ask = (method: string, body?: string) =>
    fetch(`${two.url}?id=${id}`, { method, ...as('ann'), ...(body !== undefined && { body }) });
  assert.equal((await ask('POST', json.handshake())).status, 404);
  assert.equal((await ask('GET')).status, 200);
  assert.equal((await ask('POST', json.handshake())).status, 200);
  assert.equal(await (await ask('GET')).text(), '{}\x1e');
  assert.equal((await ask('DELETE')).status, 202);
  assert.equal((await ask('GET')).status, 404);
});

it('a request without a valid token is not forwarded', async () => {
  canForward = true;
  forwarded.length = 0;
  assert.equal((await fetch(`${two.url}?id=forged.token`, as('ann'))).status, 404);
  assert.deepEqual(forwarded, []);
});
