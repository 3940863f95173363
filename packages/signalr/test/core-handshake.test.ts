// Tests the handshake and protocol violations: exact responses, and the end of the connection.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, it } from 'node:test';
import { defineHub, HubException } from '../src/hub.ts';
import { HandSocket, json } from './harness/hand-socket.ts';
import { type Rig, startRig, untilLater } from './harness/rig.ts';
import { untilEqual } from './harness/until.ts';

const handshake = 150;
let rig: Rig;
before(async () => {
  rig = await startRig({ intervals: { handshake } });
});
after(() => rig.stop());

/** Returns the records that a client gets when it opens a socket and sends this first, and the close code. */
async function answerTo(first: string | Buffer): Promise<{ records: string[]; closeCode: number }> {
  const hand = await HandSocket.open(rig.url);
  hand.socket.send(first);
  return endOf(hand);
}

/** The same when nothing follows until the handshake times out. */
async function answerWhenLate(first?: string): Promise<{ records: string[]; closeCode: number }> {
  const hand = await HandSocket.open(rig.url);
  if (first !== undefined) hand.socket.send(first);
  // The pong arrives after the server has received everything sent before the ping.
  hand.socket.ping();
  await once(hand.socket, 'pong');
  rig.clock.advance(handshake + 1);
  return endOf(hand);
}

async function endOf(hand: HandSocket): Promise<{ records: string[]; closeCode: number }> {
  await untilEqual(() => hand.closeCode !== undefined, true);
  await untilEqual(() => rig.server.connectionCount, 0);
  return { records: hand.records, closeCode: hand.closeCode ?? 0 };
}

const refused = (error: string) => ({ records: [JSON.stringify({ error })], closeCode: 1000 });
const unexpected = refused('An unexpected error occurred during connection handshake.');
const closedWithError = JSON.stringify({ type: 7, error: 'Connection closed with an error.', allowReconnect: true });

it('unknown protocols and versions are refused', async () => {
  assert.deepEqual(await answerTo(json.handshake('xml')), refused("The protocol 'xml' is not supported."));
  assert.deepEqual(
    await answerTo(json.handshake('json', 3)),
    refused("The server does not support version 3 of the 'json' protocol."),
  );
});

it('invalid handshakes are refused', async () => {
  assert.deepEqual(await answerTo('{"protocol":"json"}\x1e'), unexpected);
  assert.deepEqual(await answerTo('{nonsense\x1e'), unexpected);
  assert.deepEqual(await answerTo('[]\x1e'), unexpected);
  // The first message of a client that resumes a connection which is gone, in MessagePack.
  assert.deepEqual(await answerTo(Buffer.from([3, 0x92, 9, 1])), unexpected);
});

it('missing and unfinished handshakes time out', async () => {
  assert.deepEqual(await answerWhenLate(), refused('Handshake was canceled.'));
  assert.deepEqual(await answerWhenLate('{"protocol":'), refused('Handshake was canceled.'));
  assert.deepEqual(await answerTo(`{"protocol":"${'x'.repeat(33_000)}`), refused('Handshake was canceled.'));
});

it('a handshake may arrive in chunks, with messages right behind it', async () => {
  const hand = await HandSocket.open(rig.url);
  const bytes = json.handshake() + json.message({ type: 1, invocationId: '7', target: 'echo', arguments: ['ä'] });
  for (const byte of Buffer.from(bytes)) hand.socket.send(Buffer.of(byte));
  await untilEqual(() => hand.records, ['{}', '{"type":3,"invocationId":"7","result":"ä"}']);
  hand.socket.close();
});

it('an invalid message closes the connection and lets the client reconnect', async () => {
  const broken = [
    'nonsense\x1e',
    '[]\x1e',
    '{}\x1e',
    '{"type":1}\x1e',
    '{"type":1,"target":"echo","arguments":{}}\x1e',
    '{"type":1,"target":"echo","arguments":[],"invocationId":5}\x1e',
    '{"type":3,"invocationId":"1","result":1,"error":"x"}\x1e',
    'x'.repeat(33_000),
  ];
  for (const text of broken) {
    const hand = await HandSocket.connect(rig.url);
    hand.socket.send(text);
    await untilEqual(() => [hand.records.slice(1), hand.closeCode], [[closedWithError], 1000]);
  }
});

it('message types of later versions, and unexpected completions, are ignored', async () => {
  const hand = await HandSocket.connect(rig.url);
  for (const message of [
    { type: 99 },
    { type: 3, invocationId: 'no' },
    { type: 2, invocationId: 'no', item: 1 },
    { type: 5, invocationId: 'no' },
    { type: 8, sequenceId: 3 },
    { type: 9, sequenceId: 3 },
    { type: 1, target: 'noSuch', arguments: [] },
    { type: 1, invocationId: '1', target: 'echo', arguments: ['still here'] },
  ]) {
    hand.socket.send(json.message(message));
  }
  await untilEqual(() => hand.records.slice(1), ['{"type":3,"invocationId":"1","result":"still here"}']);
  hand.socket.close();
});

it('a cancelled call still gets its completion', async () => {
  const hand = await HandSocket.connect(rig.url);
  hand.socket.send(json.message({ type: 1, invocationId: '1', target: 'untilCanceled', arguments: [] }));
  hand.socket.send(json.message({ type: 5, invocationId: '1' }));
  await untilEqual(() => hand.records.slice(1), ['{"type":3,"invocationId":"1","result":"canceled"}']);
  hand.socket.close();
});

it('the server pings, and drops a client that pinged and then fell silent', async (t) => {
  const lively = await startRig({ intervals: { clientTimeout: 200, keepAlive: 60 } });
  t.after(() => lively.stop());
  const hand = await HandSocket.connect(lively.url);
  // More pings than fit into the time-out.
  await untilLater(lively, () => hand.records.filter((record) => record === '{"type":6}').length >= 6, true);
  assert.equal(hand.closeCode, undefined, 'it never pinged, so it is not dropped');
  hand.socket.send(json.message({ type: 6 }));
  await untilLater(lively, () => hand.closeCode, 1000);
  assert.equal(hand.records.at(-1), closedWithError);
});

it('a close message of the client closes the connection', async () => {
  const hand = await HandSocket.connect(rig.url);
  hand.socket.send(json.message({ type: 7 }));
  await untilEqual(() => [hand.closeCode, hand.records.length], [1000, 1]);
});

it('a client that the hub refuses is closed, without onDisconnected', async (t) => {
  const farewells: unknown[] = [];
  const hub = defineHub({
    name: 'closed',
    onConnected: () => {
      throw new HubException('members only');
    },
    onDisconnected: () => {
      farewells.push('farewell');
    },
  });
  const strict = await startRig({ mounts: [{ path: '/hub', hub }] });
  t.after(() => strict.stop());
  const hand = await HandSocket.connect(strict.url);
  await untilEqual(() => hand.closeCode, 1000);
  assert.deepEqual(hand.records.slice(1), [
    JSON.stringify({ type: 7, error: 'Connection closed with an error. HubException: members only' }),
  ]);
  await untilEqual(() => strict.server.connectionCount, 0);
  assert.deepEqual(farewells, []);
});

it('methods run after onConnected, and onDisconnected after both', async (t) => {
  const seen: string[] = [];
  const greeting = Promise.withResolvers<void>();
  const hub = defineHub({
    name: 'slow',
    methods: { call: () => void seen.push('called') },
    onConnected: async () => {
      seen.push('greeting');
      await greeting.promise;
      seen.push('greeted');
    },
    onDisconnected: () => void seen.push('farewell'),
  });
  const slow = await startRig({ mounts: [{ path: '/hub', hub }] });
  t.after(() => slow.stop());
  const hand = await HandSocket.connect(slow.url);
  hand.socket.send(json.message({ type: 1, target: 'call', arguments: [] }));
  hand.socket.send(json.message({ type: 7 }));
  await untilEqual(() => slow.live.size, 0);
  assert.deepEqual(seen, ['greeting']);
  greeting.resolve();
  await untilEqual(() => seen, ['greeting', 'greeted', 'farewell']);
});
