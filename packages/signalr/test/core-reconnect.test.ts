// Tests ASP.NET Core SignalR when the server closes, and stateful reconnect over connections that are cut.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { HttpTransportType, type HubConnection, HubConnectionState } from '@microsoft/signalr';
import { makeClient, type Protocol } from './harness/core-client.ts';
import { HandSocket, json, negotiate, refusedUpgrade } from './harness/hand-socket.ts';
import { type Rig, startRig, untilLater } from './harness/rig.ts';
import { startProxy, type TcpProxy } from './harness/tcp-proxy.ts';
import { untilEqual } from './harness/until.ts';

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

it('a server that closes refuses new connections and asks its clients to reconnect', async () => {
  // Long enough for the refusals below: the server waits for the client that does not read.
  const going = await startRig({ intervals: { closeTimeout: 60_000 } });
  const id = await negotiate(going.url);
  const hand = await HandSocket.connect(going.url);
  hand.socket.pause();
  const stopped = going.stop();
  const asked = await fetch(`${going.url}/negotiate`, { method: 'POST' });
  assert.deepEqual([asked.status, await asked.text()], [503, 'The server is going down.']);
  assert.equal((await fetch(`${going.url}?id=${id}`)).status, 503);
  assert.equal((await refusedUpgrade(going.url)).status, 503);
  hand.socket.resume();
  await stopped;
  await untilEqual(() => [hand.closeCode, hand.records.at(-1)], [1000, '{"type":7,"allowReconnect":true}']);
  assert.deepEqual(
    going.seen.map((line) => line.split(' ')[0]),
    ['connected', 'disconnected'],
  );
});

for (const protocol of ['json', 'messagepack'] as const) {
  describe(`stateful reconnect with ${protocol}`, () => {
    let rig: Rig;
    let proxy: TcpProxy;
    let client: HubConnection;
    let reconnecting: number;
    before(async () => {
      rig = await startRig();
    });
    after(() => rig.stop());
    beforeEach(async () => {
      proxy = await startProxy(rig.port);
      client = await startStateful(protocol, proxy);
      reconnecting = 0;
      client.onreconnecting(() => reconnecting++);
    });
    afterEach(async () => {
      await client.stop();
      // The connection must have ended before the proxy stops: that would be another cut.
      await untilEqual(() => rig.server.connectionCount, 0);
      await proxy.stop();
    });

    it('no message is lost or processed twice in either direction over many cuts', async () => {
      const id = client.connectionId;
      const pushed: number[] = [];
      client.on('pushed', (number) => pushed.push(number));
      const answers: Promise<number>[] = [];
      const [connection] = rig.live.connections();
      for (const number of upTo(600)) {
        connection?.send('pushed', [number]);
        answers.push(client.invoke('echo', number));
        if (number % 60 === 0) {
          proxy.cut();
          // The client is back then: one that is cut while it resumes starts a new connection.
          await answers.at(-1);
        } else if (number % 7 === 0) {
          await new Promise(setImmediate);
        }
      }
      assert.deepEqual(await Promise.all(answers), upTo(600));
      await untilEqual(() => pushed.length >= 600, true);
      assert.deepEqual(pushed, upTo(600));
      assert.deepEqual([client.connectionId, reconnecting], [id, 0]);
      assert.equal(rig.seen.filter((line) => line.endsWith(id ?? '')).length, 1);
    });

    it('broadcasts and group messages are replayed too', async () => {
      const news: number[] = [];
      client.on('news', (number) => news.push(number));
      await client.invoke('join', 'group');
      const sockets = proxy.count;
      await rig.live.broadcast('news', [1]);
      proxy.cut();
      await rig.live.broadcast('news', [2]);
      await rig.live.sendTo({ groups: ['group'] }, 'news', [3]);
      await untilEqual(() => proxy.count, sockets + 1);
      await rig.live.broadcast('news', [4]);
      await untilEqual(() => news.length >= 4, true);
      assert.deepEqual(news, [1, 2, 3, 4]);
    });

    it('the client opens a new connection when the server has closed the old one', async () => {
      const id = client.connectionId;
      await client.send('goAway', true);
      await untilEqual(() => [reconnecting, client.state], [1, HubConnectionState.Connected]);
      assert.notEqual(client.connectionId, id);
      assert.equal(await client.invoke('echo', 'again'), 'again');
    });

    it('a stream continues over cuts', async () => {
      const items: number[] = [];
      const done = new Promise((complete, error) => {
        client
          .stream<number>('count', 300)
          .subscribe({ next: (item) => items.push(item), complete: () => complete(undefined), error });
      });
      await untilEqual(() => items.length > 0, true);
      proxy.cut();
      await done;
      assert.deepEqual(items, upTo(300));
    });
  });
}

async function startStateful(protocol: Protocol, { port }: TcpProxy): Promise<HubConnection> {
  const client = makeClient(`http://127.0.0.1:${port}/hub`, {
    ...{ protocol, isStateful: true, transport: HttpTransportType.WebSockets, retryDelays: [0, 0] },
  });
  await client.start();
  return client;
}

describe('stateful reconnect by hand', () => {
  let rig: Rig;
  before(async () => {
    rig = await startRig({ intervals: { disconnect: 150, sendTimeout: 100 } });
  });
  after(() => rig.stop());

  async function connect(version = 2, url = rig.url) {
    const id = await negotiate(url, 'negotiateVersion=1&useStatefulReconnect=true');
    const hand = await HandSocket.open(`${url}?id=${id}`);
    hand.socket.send(json.handshake('json', version));
    await untilEqual(() => hand.records[0], '{}');
    return { id, hand };
  }
  const push = (number: number) => json.message({ type: 1, target: 'pushMe', arguments: [number] });
  const pushed = (number: number) => JSON.stringify({ type: 1, target: 'pushed', arguments: [number] });

  it('replay begins with the first unacknowledged message', async () => {
    const { id, hand } = await connect();
    hand.socket.send(push(1) + push(2) + push(3));
    await untilEqual(() => hand.records.includes('{"type":8,"sequenceId":3}'), true);
    hand.socket.send(json.message({ type: 8, sequenceId: 1 }));
    await untilEqual(() => rig.live.size, 1);
    hand.socket.send(push(4).slice(0, 10));
    hand.socket.terminate();
    const again = await HandSocket.open(`${rig.url}?id=${id}`);
    await untilEqual(() => again.records.at(-1), pushed(3));
    const [sequence, ...replayed] = again.records;
    // The acknowledgement may have been lost with the socket: then replay begins one earlier.
    assert.ok(sequence === '{"type":9,"sequenceId":2}' || sequence === '{"type":9,"sequenceId":1}');
    assert.deepEqual(replayed.slice(-2), [pushed(2), pushed(3)]);
    // Messages before the sequence message are ignored; 3 was seen, 4 is new.
    again.socket.send(push(99) + json.message({ type: 9, sequenceId: 3 }) + push(3) + push(4));
    await untilEqual(() => again.records.filter((record) => record === pushed(4)).length, 1);
    await untilEqual(() => again.records.includes('{"type":8,"sequenceId":4}'), true);
    assert.ok(!again.records.includes(pushed(99)));
    assert.equal(again.records.filter((record) => record === pushed(3)).length, 1, 'from the replay alone');
    again.socket.close();
    await untilEqual(() => rig.server.connectionCount, 0);
  });

  it('the sequence message names the next number when nothing is buffered', async () => {
    const { id, hand } = await connect();
    hand.socket.terminate();
    const again = await HandSocket.open(`${rig.url}?id=${id}`);
    await untilEqual(() => again.records, ['{"type":9,"sequenceId":1}']);
    again.socket.send(json.message({ type: 9, sequenceId: 2 }));
    await untilEqual(() => again.closeCode, 1000);
    assert.match(again.records[1] ?? '', /"type":7,.*"allowReconnect":true/);
  });

  it('a resumption replaces a socket that the server still considers open', async () => {
    const { id, hand } = await connect();
    const again = await HandSocket.open(`${rig.url}?id=${id}`);
    await untilEqual(() => [again.records, hand.closeCode], [['{"type":9,"sequenceId":1}'], 1006]);
    again.socket.close();
    await untilEqual(() => rig.server.connectionCount, 0);
  });

  it('a close frame ends the connection at once, before the disconnect time-out', async (t) => {
    const patient = await startRig();
    t.after(() => patient.stop());
    const { id, hand } = await connect(2, patient.url);
    hand.socket.close();
    await untilEqual(() => patient.server.connectionCount, 0);
    assert.equal((await refusedUpgrade(`${patient.url}?id=${id}`)).status, 404);
  });

  it('the connection ends when the client does not resume in time', async () => {
    const { id, hand } = await connect();
    hand.socket.terminate();
    assert.equal(rig.server.connectionCount, 1);
    await untilLater(rig, () => rig.server.connectionCount, 0);
    assert.equal((await refusedUpgrade(`${rig.url}?id=${id}`)).status, 404);
  });

  it('a handshake of version 1 disables it', async () => {
    const { id, hand } = await connect(1);
    assert.equal((await refusedUpgrade(`${rig.url}?id=${id}`)).status, 409);
    hand.socket.terminate();
    await untilEqual(() => rig.server.connectionCount, 0);
  });

  it('a client that does not acknowledge for the send time-out is cut', async () => {
    const { hand } = await connect();
    const [connection] = rig.live.connections();
    connection?.send('pushed', [1]);
    await untilEqual(() => hand.records.length, 2);
    await untilLater(rig, () => hand.closeCode, 1000);
    assert.match(hand.records.at(-1) ?? '', /"type":7,.*"allowReconnect":true/);
  });
});
