// Fuzz tests with ASP.NET Core clients: whatever they send, the server survives and no connection is left behind.

import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { createConnection, type Socket } from 'node:net';
import { after, afterEach, before, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { writeVarInt } from '../src/core/protocol/var-int.ts';
import { makeClient } from './harness/core-client.ts';
import { HandSocket, json, negotiate } from './harness/hand-socket.ts';
import { type Rig, startRig, untilLater } from './harness/rig.ts';
import { untilEqual } from './harness/until.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const patience = 300;
let rig: Rig;
before(async () => {
  rig = await startRig({ intervals: { handshake: patience, disconnect: patience, closeTimeout: patience } });
});
after(() => rig.stop());

afterEach(async () => {
  await untilLater(rig, () => [rig.server.connectionCount, rig.live.size], [0, 0]);
  const client = makeClient(rig.url);
  await client.start();
  assert.equal(await client.invoke('echo', 'alive'), 'alive');
  await client.stop();
  await untilEqual(() => rig.server.connectionCount, 0);
  assert.deepEqual(rig.errors, []);
});

/** Opens a socket and upgrades it, for hand-made frames. */
function rawUpgrade(): Promise<Socket> {
  const socket = createConnection(rig.port, '127.0.0.1');
  socket.on('error', () => {});
  const lines = ['GET /hub HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket'];
  socket.write(
    `${lines.join('\r\n')}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  return new Promise((resolve) => socket.once('data', () => resolve(socket)));
}

/** Returns a masked frame; the mask is zero, which does not change the payload. */
function frame(opcode: number, payload: Buffer, isFinal = true): Buffer {
  assert.ok(payload.length < 126);
  return Buffer.concat([Buffer.of(opcode + (isFinal ? 0x80 : 0), 0x80 + payload.length, 0, 0, 0, 0), payload]);
}

async function openAfterHandshake(protocol: 'json' | 'messagepack'): Promise<HandSocket> {
  const hand = await HandSocket.open(rig.url);
  hand.socket.send(json.handshake(protocol));
  await untilEqual(() => hand.records[0], '{}');
  return hand;
}

it('survives random bytes instead of frames', async () => {
  for (let count = 0; count < 30; count++) {
    const socket = await rawUpgrade();
    socket.end(randomBytes(randomInt(1, 400)));
  }
});

it('survives half frames, and sockets that vanish', async () => {
  for (let count = 0; count < 10; count++) {
    const socket = await rawUpgrade();
    socket.write(frame(1, Buffer.from(json.handshake())).subarray(0, randomInt(1, 20)));
    socket.resetAndDestroy();
  }
});

it('survives random bytes instead of messages', async () => {
  for (const protocol of ['json', 'messagepack'] as const) {
    const hands = await Promise.all(Array.from({ length: 20 }, () => openAfterHandshake(protocol)));
    for (const { socket } of hands) {
      for (let count = 0; count < 5; count++) socket.send(randomBytes(randomInt(1, 200)));
      if (protocol === 'json') socket.send(Buffer.of(0x1e));
    }
    for (const { socket } of hands) socket.close();
    await untilLater(rig, () => rig.server.connectionCount, 0);
  }
});

it('rejects MessagePack that claims to be huge', async () => {
  const bombs = [
    Buffer.from([5, 0xdd, 0x01, 0xff, 0xff, 0xff]),
    Buffer.from([0xff, 0xff, 0xff, 0xff, 0x07]),
    Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
    // Nested arrays, each of which claims 65535 entries.
    Buffer.concat([writeVarInt(3 * 3_666), ...Array.from({ length: 3_666 }, () => Buffer.of(0xdc, 0xff, 0xff))]),
  ];
  const before = process.memoryUsage().rss;
  for (const bomb of bombs) {
    const hand = await openAfterHandshake('messagepack');
    hand.socket.send(bomb);
    await untilEqual(() => hand.closeCode, 1000);
  }
  assert.ok(process.memoryUsage().rss - before < 200_000_000);
});

it('rejects messages that are too large, and frames that are larger still', async () => {
  const hand = await openAfterHandshake('json');
  hand.socket.send('x'.repeat(100_000));
  await untilEqual(() => hand.closeCode, 1000);
  const other = await openAfterHandshake('json');
  other.socket.send('x'.repeat(300_000));
  await untilEqual(() => other.closeCode, 1009);
});

it('rejects a message in endless fragments', async () => {
  const socket = await rawUpgrade();
  let received = '';
  socket.on('data', (data) => {
    received += data.toString('hex');
  });
  socket.write(frame(1, Buffer.from('{'), false));
  for (let count = 0; count < 1_000; count++) socket.write(frame(0, Buffer.from(' '), false));
  // A close frame with 1008, policy violation.
  await untilEqual(() => received, '880203f0');
  socket.destroy();
});

it('survives messages in the wrong order', async () => {
  const hand = await openAfterHandshake('json');
  const wrong = [
    { type: 3, invocationId: 's1', result: 1 },
    { type: 2, invocationId: 'u', item: 1 },
    { type: 1, invocationId: '1', target: 'sum', arguments: [], streamIds: ['u'] },
    { type: 1, invocationId: '2', target: 'sum', arguments: [], streamIds: ['u'] },
    { type: 1, invocationId: '3', target: 'sum', arguments: [], streamIds: ['v', 'v'] },
    { type: 4, invocationId: '1', target: 'count', arguments: [3] },
    { type: 3, invocationId: 'u', error: 'x' },
    { type: 3, invocationId: 'u' },
    { type: 9, sequenceId: 77 },
  ];
  for (const message of wrong) hand.socket.send(json.message(message));
  const error = (id: string, text: string) => JSON.stringify({ type: 3, invocationId: id, error: text });
  await untilEqual(
    () => hand.records.slice(1),
    [
      error('2', "Invocation ID '2' is already in use."),
      error('3', "Invocation ID '3' is already in use."),
      error('1', "Invocation ID '1' is already in use."),
      error('1', "An unexpected error occurred invoking 'sum' on the server. HubException: x"),
    ],
  );
  hand.socket.close();
});

it('closes a connection with far too many calls or uploads', async () => {
  const ids = (count: number, letter: string) => Array.from({ length: count }, (_, index) => `${letter}${index}`);
  const call = (id: string, streamIds: string[]) =>
    json.message({ type: 1, invocationId: id, target: 'sum', arguments: [], streamIds });
  const abuses = [ids(1_100, 'c').map((id) => call(id, [`u${id}`])), [call('1', ids(1_100, 'u'))]];
  for (const messages of abuses) {
    const hand = await openAfterHandshake('json');
    for (const message of messages) hand.socket.send(message);
    await untilEqual(() => hand.closeCode, 1000);
    assert.match(hand.records.at(-1) ?? '', /"type":7,"error":"Connection closed with an error."/);
    assert.equal(hand.records.length, 2, 'none of the calls was answered');
  }
});

it('closes an endless upload while the server waits for a client result', async () => {
  const hand = await openAfterHandshake('json');
  hand.socket.send(json.message({ type: 1, target: 'sumOfAnswers', arguments: [], streamIds: ['u'] }));
  hand.socket.send(json.message({ type: 2, invocationId: 'u', item: 1 }));
  await untilEqual(() => hand.records.length, 2);
  for (let count = 0; count < 1_100; count++) {
    hand.socket.send(json.message({ type: 2, invocationId: 'u', item: 1 }));
  }
  await untilEqual(() => hand.closeCode, 1000);
});

it('ends very many unfinished handshakes, over every transport', async () => {
  const sockets = await Promise.all(Array.from({ length: 100 }, () => HandSocket.open(rig.url)));
  for (const [index, { socket }] of sockets.entries()) if (index % 2 === 0) socket.send('{"protocol"');
  const ids = await Promise.all(Array.from({ length: 50 }, () => negotiate(rig.url)));
  const stopper = new AbortController();
  await Promise.all(
    ids.map(async (id, index) => {
      const headers = index % 2 === 0 ? { Accept: 'text/event-stream' } : {};
      await fetch(`${rig.url}?id=${id}`, { headers, signal: stopper.signal });
      if (index % 3 === 0) await fetch(`${rig.url}?id=${id}`, { method: 'POST', body: '{"proto' });
    }),
  );
  assert.equal(rig.server.connectionCount, 150);
  await untilLater(rig, () => rig.server.connectionCount, 0);
  stopper.abort();
});

/** Returns the heap size after garbage collection: some memory is freed only in the turn after a collection. */
async function heapInUse(): Promise<number> {
  for (let least = Number.POSITIVE_INFINITY; ; ) {
    collectGarbage();
    await new Promise(setImmediate);
    const { heapUsed } = process.memoryUsage();
    if (heapUsed >= least) return least;
    least = heapUsed;
  }
}

it('memory stays flat over ten thousand unfinished handshakes', async () => {
  const sockets = new Set<Socket>();
  /** Half of the clients send the beginning of a message. */
  const openMany = async (count: number) => {
    for (let opened = 0; opened < count; opened += 250) {
      const wave = await Promise.all(Array.from({ length: 250 }, () => rawUpgrade()));
      for (const [index, socket] of wave.entries()) {
        if (index % 2 === 0) socket.write(frame(1, Buffer.from('{"protocol"')));
        sockets.add(socket.on('close', () => sockets.delete(socket)));
      }
      // The connections of one wave have to end while the next wave connects.
      rig.clock.advance(patience + 1);
    }
    await untilLater(rig, () => [rig.server.connectionCount, sockets.size], [0, 0]);
    return heapInUse();
  };
  const before = await openMany(2_500);
  const after = await openMany(7_500);
  assert.ok(after - before < 4_000_000, `${after - before} bytes more`);
});

it('survives requests that break off', async () => {
  const id = await negotiate(rig.url);
  await fetch(`${rig.url}?id=${id}`);
  for (let count = 0; count < 10; count++) {
    const socket = createConnection(rig.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`POST /hub?id=${id} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"protocol":`);
    await new Promise(setImmediate);
    socket.resetAndDestroy();
  }
  const answer = await fetch(`${rig.url}?id=${id}`, { method: 'POST', body: json.handshake() });
  assert.equal(answer.status, 200);
  assert.equal(await (await fetch(`${rig.url}?id=${id}`)).text(), '{}\x1e', 'nothing of the broken ones was taken');
  await fetch(`${rig.url}?id=${id}`, { method: 'DELETE' });
});
