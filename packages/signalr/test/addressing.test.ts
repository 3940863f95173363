// Tests sending to chosen connections: by id, by user, by group, and to all except some.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import type { Audience } from '../src/hub.ts';
import { HandClient } from './harness/classic-client.ts';
import { HandSocket, json } from './harness/hand-socket.ts';
import { people, type Rig, startRig } from './harness/rig.ts';
import { until, untilEqual } from './harness/until.ts';

let rig: Rig;
let idOf: Record<string, string>;
const heard: string[] = [];

/** Connects a client under a name and notes what it hears. */
async function join(name: string, token: string, groups: readonly string[]): Promise<void> {
  const hand = await HandSocket.connect(`${rig.url}?access_token=${token}`);
  for (const group of groups) hand.socket.send(json.message({ type: 1, target: 'join', arguments: [group] }));
  hand.socket.send(json.message({ type: 1, invocationId: 'id', target: 'myId', arguments: [] }));
  const record = await until(
    () => hand.records.find((one) => one.includes('"invocationId":"id"')),
    (found) => found !== undefined,
  );
  idOf[name] = JSON.parse(record ?? '').result;
  hand.socket.on('message', (data: Buffer) => {
    for (const one of data.toString().split('\x1e').slice(0, -1)) {
      const { type, arguments: [text] = [] } = JSON.parse(one);
      if (type === 1) heard.push(`${name} ${text}`);
    }
  });
}

before(async () => {
  idOf = {};
  rig = await startRig({ authenticate: people({ ann: { id: 'ann' }, bob: { id: 'bob' } }) });
  await join('ann1', 'ann', ['red']);
  await join('ann2', 'ann', ['blue']);
  await join('bob', 'bob', ['red', 'blue']);
});
after(() => rig.stop());

/** The names of the clients that get a message to the audience, each as often as it got it. */
async function receivers(audience: Audience): Promise<string[]> {
  heard.length = 0;
  await rig.live.sendTo(audience, 'news', ['it']);
  await rig.live.broadcast('news', ['end']);
  await untilEqual(() => heard.filter((line) => line.endsWith(' end')).length, 3);
  return heard
    .filter((line) => line.endsWith(' it'))
    .map((line) => line.slice(0, -3))
    .toSorted();
}

const ids = (...names: string[]) => names.map((name) => idOf[name] ?? '');

it('by connection id', async () => {
  assert.deepEqual(await receivers({ connections: ids('ann2') }), ['ann2']);
  assert.deepEqual(await receivers({ connections: [...ids('ann1', 'bob', 'bob'), 'nobody'] }), ['ann1', 'bob']);
  assert.equal(rig.live.connection(ids('bob')[0] ?? '')?.principal.id, 'bob');
  assert.equal(rig.live.connection('nobody'), undefined);
});

it('by user, on all their connections', async () => {
  assert.deepEqual(await receivers({ users: ['ann'] }), ['ann1', 'ann2']);
  assert.deepEqual(await receivers({ users: ['eve'] }), []);
});

it('by group, each connection once', async () => {
  assert.deepEqual(await receivers({ groups: ['red'] }), ['ann1', 'bob']);
  assert.deepEqual(await receivers({ groups: ['red', 'blue', 'none'] }), ['ann1', 'ann2', 'bob']);
  assert.deepEqual(await receivers({ groups: ['blue'], connections: ids('ann1') }), ['ann1', 'ann2', 'bob']);
});

it('to all except some, and to lists except some', async () => {
  assert.deepEqual(await receivers({}), ['ann1', 'ann2', 'bob']);
  assert.deepEqual(await receivers({ except: ids('ann1') }), ['ann2', 'bob']);
  assert.deepEqual(await receivers({ groups: ['red'], except: ids('bob') }), ['ann1']);
  assert.deepEqual(await receivers({ connections: [] }), [], 'an empty list is nobody');
});

it('classic clients are addressed in the same way', async () => {
  const client = await HandClient.negotiated(rig.url, { access_token: 'bob' });
  const frames = await client.started();
  await rig.live.sendTo({ connections: [client.id] }, 'news', ['by id']);
  await rig.live.sendTo({ users: ['bob'], except: [client.id] }, 'news', ['not this one']);
  await rig.live.sendTo({ users: ['bob'] }, 'news', ['by user']);
  await untilEqual(() => frames.texts.map((text) => JSON.parse(text).M[0].A[0]), ['by id', 'by user']);
  await client.ask('abort', { transport: 'webSockets' }, { method: 'POST' });
});
