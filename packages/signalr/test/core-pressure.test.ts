// Tests overload: clients that do not read, streams and uploads that run ahead, broadcasts to very many clients.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { defineHub } from '../src/hub.ts';
import { HandSocket, json, negotiate } from './harness/hand-socket.ts';
import { type Rig, startRig, untilLater } from './harness/rig.ts';
import { untilEqual, untilStill } from './harness/until.ts';

let rig: Rig;
before(async () => {
  rig = await startRig({ intervals: { sendTimeout: 1_000, closeTimeout: 60_000 } });
});
after(() => rig.stop());

const filling = 'x'.repeat(100_000);
/** More than the kernel takes for a client that does not read. */
const manyFillings = 200;

it('a client that stops reading is cut after the send time-out, and no other misses anything', async () => {
  const slow = await HandSocket.connect(rig.url);
  const quick = await HandSocket.connect(rig.url);
  slow.stopReading();
  let sent = 0;
  for (; sent < manyFillings; ) {
    await rig.live.broadcast('news', [++sent, filling]);
    await untilEqual(() => quick.records.length, sent + 1);
  }
  assert.equal(rig.live.size, 2, 'however much waits, it has its time');
  await untilLater(rig, () => rig.live.size, 1);
  await rig.live.broadcast('news', [++sent, filling]);
  await untilEqual(() => quick.records.length, sent + 1);
  const numbers = quick.records.slice(1).map((record) => JSON.parse(record).arguments[0]);
  assert.deepEqual(
    numbers,
    Array.from({ length: sent }, (_, index) => index + 1),
  );
  // What the stream had taken still arrives, then the reason, with permission to reconnect.
  slow.socket.resume();
  await untilEqual(() => slow.closeCode, 1000);
  assert.match(slow.records.at(-1) ?? '', /"type":7,.*"allowReconnect":true/);
  assert.ok(slow.records.length < manyFillings, 'the rest was dropped');
  quick.socket.close();
  await untilEqual(() => rig.server.connectionCount, 0);
});

it('a client that stops reading its event stream is cut after the send time-out', async () => {
  const id = await negotiate(rig.url);
  const stopper = new AbortController();
  const response = await fetch(`${rig.url}?id=${id}`, {
    headers: { Accept: 'text/event-stream' },
    signal: stopper.signal,
  });
  assert.equal(response.status, 200);
  await fetch(`${rig.url}?id=${id}`, { method: 'POST', body: json.handshake() });
  await untilEqual(() => rig.live.size, 1);
  for (let sent = 0; sent < manyFillings; sent++) await rig.live.broadcast('news', [filling]);
  await untilLater(rig, () => rig.live.size, 0);
  stopper.abort();
  await untilEqual(() => rig.server.connectionCount, 0);
});

it('a client gets everything by its polls, however much waits between two of them', async () => {
  const id = await negotiate(rig.url);
  await fetch(`${rig.url}?id=${id}`);
  await fetch(`${rig.url}?id=${id}`, { method: 'POST', body: json.handshake() });
  assert.equal(await (await fetch(`${rig.url}?id=${id}`)).text(), '{}\x1e');
  for (let n = 0; n < 400; n++) await rig.live.broadcast('news', [n]);
  const burst = await (await fetch(`${rig.url}?id=${id}`)).text();
  assert.equal(burst.split('\x1e').length - 1, 400);
  for (let n = 0; n < 1_000; n++) await rig.live.broadcast('news', [n, 'x'.repeat(5_000)]);
  const numbers: number[] = [];
  while (numbers.length < 1_000) {
    const text = await (await fetch(`${rig.url}?id=${id}`)).text();
    assert.ok(text.length < 100_000, `${text.length} bytes in one response`);
    numbers.push(...text.split('\x1e').flatMap((record) => (record === '' ? [] : JSON.parse(record).arguments[0])));
  }
  assert.deepEqual(
    numbers,
    Array.from({ length: 1_000 }, (_, n) => n),
  );
  for (const connection of [...rig.live.connections()]) connection.close();
  const last = await (await fetch(`${rig.url}?id=${id}`)).text();
  assert.match(last, /"type":7/);
  assert.equal((await fetch(`${rig.url}?id=${id}`)).status, 204);
});

it('a client that reads is not cut, however much is sent at once', async () => {
  const hand = await HandSocket.connect(rig.url);
  await Promise.all(Array.from({ length: 1_000 }, (_, number) => rig.live.broadcast('news', [number])));
  await untilEqual(() => hand.records.length, 1_001);
  await rig.live.broadcast('news', ['x'.repeat(3_000_000)]);
  await untilEqual(() => hand.records.length, 1_002);
  assert.equal(hand.closeCode, undefined);
  hand.socket.close();
});

it('when too much waits, clients that do not read are cut, and who reads stays', async (t) => {
  const full = await startRig({ limits: { backlogBytes: 2_000_000 } });
  t.after(() => full.stop());
  const idle = await Promise.all([1, 2, 3].map(() => HandSocket.connect(full.url)));
  const quick = await HandSocket.connect(full.url);
  for (const hand of idle) hand.stopReading();
  let sent = 0;
  while (full.live.size > 1) {
    await full.live.broadcast('news', [++sent, filling]);
    await untilEqual(() => quick.records.length, sent + 1);
    assert.ok(sent < 5_000, 'they were never cut');
  }
  await full.live.broadcast('news', [++sent]);
  await untilEqual(() => quick.records.length, sent + 1);
  for (const { socket } of [...idle, quick]) socket.terminate();
});

it('a client that reads late gets the answer to its newest ping, and whole messages', async () => {
  const hand = await HandSocket.connect(rig.url);
  const pongs: string[] = [];
  hand.socket.on('pong', (data) => pongs.push(data.toString()));
  hand.stopReading();
  for (let sent = 0; sent < manyFillings; sent++) await rig.live.broadcast('news', [sent, filling]);
  for (const name of ['first', 'second', 'third']) hand.socket.ping(name);
  // The answer to a call that came after the pings shows that the server has seen them.
  hand.socket.send(json.message({ type: 1, invocationId: '1', target: 'echo', arguments: [1] }));
  hand.socket.resume();
  await untilEqual(() => hand.records.at(-1), '{"type":3,"invocationId":"1","result":1}');
  assert.equal(hand.records.length, manyFillings + 2);
  await untilEqual(() => pongs.at(-1), 'third');
  hand.socket.close();
});

it('the calls of a client that does not read wait, and all get their results', async () => {
  const hand = await HandSocket.connect(rig.url);
  hand.stopReading();
  const calls = 1_000;
  for (let id = 1; id <= calls; id++) {
    hand.socket.send(json.message({ type: 1, invocationId: `${id}`, target: 'echo', arguments: ['x'.repeat(20_000)] }));
  }
  await untilStill(() => hand.unsent);
  assert.ok(hand.unsent > 1_000_000, 'the server stopped reading');
  hand.socket.resume();
  await untilEqual(() => hand.records.length, calls + 1);
  hand.socket.close();
});

it('a stream waits for a client that does not read', async (t) => {
  let yielded = 0;
  const hub = defineHub({
    name: 'fast',
    streams: {
      async *flood() {
        for (;;) yield `${++yielded}${'x'.repeat(20_000)}`;
      },
    },
  });
  const fast = await startRig({ mounts: [{ path: '/hub', hub }] });
  t.after(() => fast.stop());
  const hand = await HandSocket.connect(fast.url);
  hand.stopReading();
  hand.socket.send(json.message({ type: 4, invocationId: '1', target: 'flood', arguments: [] }));
  await untilStill(() => yielded);
  assert.ok(yielded > 0);
  assert.equal(fast.live.size, 1, 'it waits, and is not cut');
  hand.socket.terminate();
});

it('the server stops reading from a client whose uploads or calls are not consumed', async (t) => {
  const release = Promise.withResolvers<void>();
  let items = 0;
  const hub = defineHub({
    name: 'slow',
    methods: {
      take: async ({ uploads: [upload] }) => {
        await release.promise;
        for await (const _ of upload ?? []) items++;
        return items;
      },
      wait: () => release.promise,
    },
  });
  const slow = await startRig({ mounts: [{ path: '/hub', hub }] });
  t.after(() => slow.stop());
  const hand = await HandSocket.connect(slow.url);
  hand.socket.send(json.message({ type: 1, invocationId: '1', target: 'take', arguments: [], streamIds: ['u'] }));
  const item = json.message({ type: 2, invocationId: 'u', item: 'x'.repeat(20_000) });
  for (let count = 0; count < 1_000; count++) hand.socket.send(item);
  hand.socket.send(json.message({ type: 3, invocationId: 'u' }));
  // The sender's own buffer cannot drain while the server does not read.
  await untilStill(() => hand.unsent);
  assert.ok(hand.unsent > 1_000_000);
  assert.equal(items, 0);

  const caller = await HandSocket.connect(slow.url);
  for (let count = 0; count < 900; count++) {
    caller.socket.send(
      json.message({ type: 1, invocationId: `${count}`, target: 'wait', arguments: ['x'.repeat(20_000)] }),
    );
  }
  await untilStill(() => caller.unsent);
  assert.ok(caller.unsent > 1_000_000);
  release.resolve();
  await untilEqual(() => hand.records.at(-1), '{"type":3,"invocationId":"1","result":1000}');
  await untilEqual(() => caller.records.length, 901);
  hand.socket.close();
  caller.socket.close();
});

it('a broadcast to many runs in time slices, in order and serialized once, and yields to other work', async (t) => {
  const count = 400;
  const many = await startRig({ limits: { sliceMs: 0.001 } });
  t.after(() => many.stop());
  const hands = await Promise.all(Array.from({ length: count }, () => HandSocket.connect(many.url)));
  let encodings = 0;
  const value = {
    toJSON: () => {
      encodings += 1;
      return 'news';
    },
  };
  let turns = 0;
  let isSent = false;
  const countTurns = () => {
    turns += 1;
    if (!isSent) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const sent = [1, 2, 3, 4, 5].map((number) => many.live.broadcast('news', [number, value]));
  const [connection] = many.live.connections();
  connection?.send('news', ['after']);
  await Promise.all(sent);
  isSent = true;
  assert.equal(encodings, 5);
  // The first call alone, then the rest together, 32 connections per turn.
  assert.ok(turns >= 24, `others had ${turns} turns`);
  await untilEqual(() => hands.reduce((sum, { records }) => sum + records.length, 0), 6 * count + 1);
  for (const { records } of hands) {
    const numbers = records.slice(1).map((record) => JSON.parse(record).arguments[0]);
    assert.deepEqual(numbers.slice(0, 5), [1, 2, 3, 4, 5]);
  }
  assert.equal(hands.filter(({ records }) => records.at(-1)?.includes('after')).length, 1);
  for (const { socket } of hands) socket.terminate();
  await untilEqual(() => many.server.connectionCount, 0);
});
