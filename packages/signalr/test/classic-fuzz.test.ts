// Fuzz tests with classic clients: whatever they send, the server survives and no connection is left behind.

import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { createConnection } from 'node:net';
import { after, afterEach, before, it } from 'node:test';
import { HandClient } from './harness/classic-client.ts';
import { type Rig, startRig, untilLater } from './harness/rig.ts';
import { untilEqual } from './harness/until.ts';

const transports = ['webSockets', 'serverSentEvents', 'longPolling'] as const;
const noise = (most = 200): string => randomBytes(randomInt(1, most)).toString('latin1');

let rig: Rig;
before(async () => {
  rig = await startRig({ intervals: { disconnect: 300, closeTimeout: 300 } });
});
after(() => rig.stop());

afterEach(async () => {
  await untilLater(rig, () => [rig.server.connectionCount, rig.live.size], [0, 0]);
  const frames = await (await HandClient.negotiated(rig.url)).started();
  frames.call('echo', ['alive']);
  await untilEqual(() => frames.texts, ['{"R":"alive","I":"0"}']);
  frames.socket.terminate();
  await untilLater(rig, () => rig.server.connectionCount, 0);
  assert.deepEqual(rig.errors, []);
});

it('survives random texts and bytes instead of calls', async () => {
  for (let count = 0; count < 20; count++) {
    const { socket } = await (await HandClient.negotiated(rig.url)).started();
    for (const text of [noise(), '{', 'null', '[]', '{"H":1}', '{"H":"trades","M":"echo","A":{},"I":0}']) {
      socket.send(text);
      socket.send(Buffer.from(text));
    }
    socket.close();
  }
});

it('survives random values in every field of every request', async () => {
  const client = await HandClient.negotiated(rig.url);
  const fields = ['connectionToken', 'connectionData', 'transport', 'clientProtocol', 'messageId', 'groupsToken'];
  for (const path of ['negotiate', 'connect', 'start', 'reconnect', 'poll', 'send', 'abort', 'ping']) {
    for (const field of fields) {
      const transport = transports[randomInt(transports.length)] ?? 'longPolling';
      const query = { transport, [field]: noise() };
      // Polls and streams do not end by themselves.
      const signal = AbortSignal.timeout(50);
      const body = new URLSearchParams({ data: noise(), messageId: noise() });
      const answer = await client.ask(path, query, { method: 'POST', body, signal }).catch(() => undefined);
      assert.ok((answer?.status ?? 200) < 500 || /could not be resolved/.test(answer?.text ?? ''), `${path} ${field}`);
    }
  }
});

it('ends a thousand connections that never start, over every transport', async () => {
  const connect = async (index: number) => {
    const client = await HandClient.negotiated(rig.url);
    if (index % 3 === 0) (await client.webSocket()).socket.on('error', () => {}).terminate();
    else if (index % 3 === 1) await client.poll('connect');
    else (await client.events()).stop();
  };
  for (let wave = 0; wave < 10; wave++) await Promise.all(Array.from({ length: 100 }, (_, index) => connect(index)));
  await untilLater(rig, () => rig.server.connectionCount, 0);
  assert.equal(rig.seen.length % 2, 0, 'who was greeted has been bidden farewell');
});

it('survives polls and sends that break off, and endless bodies', async () => {
  const client = await HandClient.negotiated(rig.url);
  await client.poll('connect');
  for (const path of ['poll', 'send', 'connect']) {
    const { pathname, search } = new URL(client.address(path, { transport: 'longPolling' }));
    const socket = createConnection(rig.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(`POST ${pathname}${search} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\ndata=`);
    await new Promise(setImmediate);
    socket.resetAndDestroy();
  }
  const body = new URLSearchParams({ data: 'x'.repeat(300_000) });
  assert.equal((await client.ask('send', { transport: 'longPolling' }, { method: 'POST', body })).status, 413);
});
