// Tests persistent connections of classic ASP.NET SignalR 2, which a mount of raw connections serves.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import type { ReceiveQueue } from '../src/live/receive-queue.ts';
import { cursorOf, HandClient } from './harness/classic-client.ts';
import { openPage } from './harness/classic-page.ts';
import { echo, RawClient, startRawRig } from './harness/raw-rig.ts';
import { untilEqual } from './harness/until.ts';

for (const transport of ['webSockets', 'serverSentEvents', 'longPolling']) {
  it(`the published client sends and receives texts over ${transport}`, async (t) => {
    const over: string[] = [];
    const rig = await startRawRig(t, {}, async (end) => {
      await echo(end);
      over.push(end.id);
    });
    const base = `http://127.0.0.1:${rig.port}`;
    const { jQuery } = await openPage(t, `${base}/page`, `${base}/hub/hubs`);
    const connection = jQuery.connection('/elsewhere');
    const heard: unknown[] = [];
    connection.received((data: unknown) => heard.push(data));
    await connection.start({ transport });
    connection.send('Grüße\n');
    connection.send({ a: [1] });
    await untilEqual(() => heard.toSorted(), ['Grüße\n', '{"a":[1]}']);
    const [end] = rig.ends;
    assert.equal(end?.request.transport.toLowerCase(), transport.toLowerCase());
    assert.equal(end?.id, connection.id);
    connection.stop();
    await untilEqual(() => end?.closed.aborted, true);
    await untilEqual(() => over, [end?.id ?? '']);
    await untilEqual(() => rig.server.connectionCount, 0);
  });
}

it('one handler serves both families at one path', async (t) => {
  const rig = await startRawRig(t);
  const core = await RawClient.connect(rig.rawUrl, 'WebSockets');
  const classic = await HandClient.negotiated(rig.rawUrl, { connectionData: '' });
  const frames = await classic.started();
  await core.connection.send('core');
  frames.socket.send('classic');
  await untilEqual(() => core.text, 'core');
  await untilEqual(() => frames.texts.map((text) => JSON.parse(text).M), [['classic']]);
  assert.equal((await classic.ask('hubs')).status, 404, 'there are no hubs');
  await classic.ask('abort', { transport: 'webSockets' }, { method: 'POST' });
  await core.connection.stop();
});

it('a client that was away gets what it missed, once', async (t) => {
  const rig = await startRawRig(t, {}, (end) => new Promise((left) => end.closed.addEventListener('abort', left)));
  const client = await HandClient.negotiated(rig.rawUrl, { connectionData: '' });
  const cursor = cursorOf((await client.poll('connect')).text);
  await client.start('longPolling');
  const [end] = rig.ends;
  for (const text of ['one', 'two']) end?.send(text);
  assert.deepEqual(JSON.parse((await client.poll('poll', cursor)).text).M, ['one', 'two']);
  end?.send(Buffer.from('three'));
  const again = await client.poll('reconnect', cursor);
  assert.deepEqual(JSON.parse(again.text).M, ['one', 'two', 'three']);
  assert.throws(() => end?.send(new Uint8Array([0xff])), TypeError);
  assert.equal(rig.ends.length, 1, 'it is the same connection');
  await client.ask('abort', { transport: 'longPolling' }, { method: 'POST' });
  await untilEqual(() => end?.closed.aborted, true);
});

it('a handler that returns ends the connection for good, and one that does not read stops its client', async (t) => {
  const read: string[] = [];
  const gate = Promise.withResolvers<void>();
  const rig = await startRawRig(t, { limits: { uploadItems: 2 } }, async (end) => {
    await gate.promise;
    for await (const bytes of end.received) {
      read.push(bytes.toString());
      if (read.length === 4) return;
    }
  });
  const client = await HandClient.negotiated(rig.rawUrl, { connectionData: '' });
  const frames = await client.started();
  for (const text of ['1', '2', '3']) frames.socket.send(text);
  // The pong arrives after the server has received everything sent before the ping.
  frames.socket.ping();
  await once(frames.socket, 'pong');
  const queue = rig.ends[0]?.received as ReceiveQueue<Buffer> | undefined;
  assert.equal(queue?.unread, 2);
  const late = client.send('webSockets', 4);
  gate.resolve();
  assert.deepEqual([(await late).status, (await late).text], [200, '']);
  await untilEqual(() => read.toSorted(), ['1', '2', '3', '4']);
  await untilEqual(() => frames.closeCode, 1000);
  assert.match(frames.texts.at(-1) ?? '', /"E":"The server has closed the connection\."/);
  await untilEqual(() => rig.server.connectionCount, 0);
});
