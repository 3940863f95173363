// Tests raw connections: bytes over every transport, with published and hand-made clients, until either side ends them.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TransferFormat } from '@microsoft/signalr';
import { WebSocket } from 'ws';
import type { ByteConnection } from '../src/connections.ts';
import { makeClient } from './harness/core-client.ts';
import { HandSocket, negotiate, refusedUpgrade } from './harness/hand-socket.ts';
import { echo, RawClient, startRawRig, transports } from './harness/raw-rig.ts';
import { passOn, untilLater } from './harness/rig.ts';
import { untilEqual, untilStill } from './harness/until.ts';

const events = { Accept: 'text/event-stream' };

async function ask(method: string, url: string, init: RequestInit = {}) {
  const response = await fetch(url, { method, ...init });
  return [response.status, await response.text()];
}

/** Opens an event stream and collects its text. */
async function openEvents(url: string, id?: string) {
  const response = await fetch(`${url}?id=${id ?? (await negotiate(url))}`, { headers: events });
  assert.equal(response.status, 200);
  const stream = { text: '', isOver: false };
  void (async () => {
    for await (const chunk of response.body ?? []) stream.text += Buffer.from(chunk).toString();
    stream.isOver = true;
  })();
  return stream;
}

describe('by hand', () => {
  it('a WebSocket echoes text or binary as the handler sends it, with a token of either version or none', async (t) => {
    const rig = await startRawRig(t, {}, async (end) => {
      for await (const bytes of end.received) {
        end.send(bytes.toString());
        end.send(new Uint8Array(bytes));
      }
    });
    const versions = ['negotiateVersion=1', 'negotiateVersion=0'];
    const queries = [
      ...(await Promise.all(versions.map((version) => negotiate(rig.rawUrl, version)))).map((id) => `?id=${id}`),
      '',
    ];
    for (const query of queries) {
      const got: unknown[] = [];
      const socket = new WebSocket(rig.rawUrl.replace('http', 'ws') + query);
      socket.on('message', (data: Buffer, isBinary) => got.push([data.toString(), isBinary]));
      socket.on('open', () => socket.send('häy'));
      await untilEqual(
        () => got,
        [
          ['häy', false],
          ['häy', true],
        ],
      );
      socket.close();
    }
    await untilEqual(() => rig.server.connectionCount, 0);
    assert.deepEqual(rig.errors, []);
  });

  it('long polling echoes any bytes and ends with a DELETE', async (t) => {
    const rig = await startRawRig(t);
    const url = `${rig.rawUrl}?id=${await negotiate(rig.rawUrl)}`;
    assert.deepEqual(await ask('GET', url), [200, '']);
    const bytes = Buffer.of(0, 255, 254, 13, 10);
    assert.deepEqual(await ask('POST', url, { body: bytes }), [200, '']);
    assert.ok(Buffer.from(await (await fetch(url)).arrayBuffer()).equals(bytes));
    let isTold = false;
    rig.ends[0]?.closed.addEventListener('abort', () => {
      isTold = true;
    });
    assert.deepEqual(await ask('DELETE', url), [202, '']);
    await untilEqual(() => isTold, true);
    assert.deepEqual(await ask('GET', url), [404, 'No Connection with that ID']);
  });

  it('events carry text, one field per line, and refuse bytes that are not text', async (t) => {
    const rig = await startRawRig(t);
    const stream = await openEvents(rig.rawUrl);
    const [end] = rig.ends;
    assert.ok(end);
    end.send('a\r\nb\rc\n');
    end.send(Buffer.from('é'));
    assert.throws(() => end.send(Buffer.of(0xff)), /ServerSentEvents, carries text alone/);
    end.close();
    await untilEqual(() => stream, {
      text: ':\r\ndata: a\r\ndata: b\r\ndata: c\r\ndata: \r\n\r\ndata: é\r\n\r\n',
      isOver: true,
    });
  });

  it('keep-alives are sent on every transport', async (t) => {
    const rig = await startRawRig(t, { intervals: { keepAlive: 30 } });
    const { socket } = await HandSocket.open(rig.rawUrl);
    let pings = 0;
    socket.on('ping', () => {
      pings += 1;
    });
    const stream = await openEvents(rig.rawUrl);
    await untilLater(rig, () => pings > 1 && stream.text.startsWith(':\r\n'.repeat(3)), true);
    socket.close();
  });
});

describe('the published client', () => {
  for (const transport of transports) {
    it(`gets its text echoed over ${transport}, beside a hub at the parent path`, async (t) => {
      const rig = await startRawRig(t);
      const client = await RawClient.connect(rig.rawUrl, transport);
      const hubClient = makeClient(rig.url);
      await hubClient.start();
      assert.equal(client.connection.connectionId, rig.ends[0]?.id);
      for (const text of ['one', ' two\n', 'thrée']) await client.connection.send(text);
      await untilEqual(() => client.text, 'one two\nthrée');
      assert.equal(await hubClient.invoke('echo', 'still a hub'), 'still a hub');
      await hubClient.stop();
      await client.connection.stop();
      await untilEqual(() => rig.server.connectionCount, 0);
      assert.equal(rig.ends[0]?.closed.aborted, true);
      assert.deepEqual(rig.errors, []);
    });
  }

  for (const transport of ['WebSockets', 'LongPolling'] as const) {
    it(`gets any bytes echoed over ${transport}`, async (t) => {
      const rig = await startRawRig(t);
      const client = await RawClient.connect(rig.rawUrl, transport, '', TransferFormat.Binary);
      const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
      await client.connection.send(new Uint8Array(bytes).buffer);
      await untilEqual(() => client.bytes.toString('hex'), bytes.toString('hex'));
      await client.connection.stop();
    });
  }

  for (const transport of transports) {
    it(`is closed over ${transport} when the handler returns, after everything it sent`, async (t) => {
      const rig = await startRawRig(t, {}, async (end) => {
        for await (const bytes of end.received) return end.send(`${bytes} and good bye`);
      });
      const client = await RawClient.connect(rig.rawUrl, transport);
      await client.connection.send('hello');
      await untilEqual(() => [client.text, client.isClosed], ['hello and good bye', true]);
      await untilEqual(() => rig.server.connectionCount, 0);
    });
  }
});

describe('a handler that fails', () => {
  const failure = new Error('a secret of the server');
  const handlers: Record<string, (end: ByteConnection) => unknown> = {
    'at once': () => {
      throw failure;
    },
    'in a promise': () => Promise.reject(failure),
    'at what a client sent': async (end) => {
      for await (const _ of end.received) throw failure;
    },
  };
  /**
   * Hand-made clients that send something and see their connection end: the published client fails if that happens at
   * once.
   */
  const victims = [
    async (url: string) => {
      const hand = await HandSocket.open(url);
      hand.socket.send('anything');
      await untilEqual(() => [hand.closeCode, hand.records], [1000, []]);
    },
    async (url: string) => {
      const id = await negotiate(url);
      const stream = await openEvents(url, id);
      await ask('POST', `${url}?id=${id}`, { body: 'anything' });
      await untilEqual(() => stream, { text: ':\r\n', isOver: true });
    },
    async (url: string) => {
      const id = await negotiate(url);
      assert.deepEqual(await ask('GET', `${url}?id=${id}`), [200, '']);
      await ask('POST', `${url}?id=${id}`, { body: 'anything' });
      assert.deepEqual(await ask('GET', `${url}?id=${id}`), [204, '']);
    },
  ];
  for (const [name, handler] of Object.entries(handlers)) {
    it(`${name} ends its own connection only, without details for the client`, async (t) => {
      let isBroken = false;
      const rig = await startRawRig(t, {}, (end) => (isBroken ? handler(end) : echo(end)));
      const other = await RawClient.connect(rig.rawUrl, 'WebSockets');
      isBroken = true;
      for (const suffer of victims) await suffer(rig.rawUrl);
      assert.deepEqual(rig.errors, [failure, failure, failure]);
      await other.connection.send('still here');
      await untilEqual(() => other.text, 'still here');
      await other.connection.stop();
    });
  }
});

describe('overload', () => {
  /** Clients that open a connection and then read nothing. */
  const idlers: Record<(typeof transports)[number], (url: string) => Promise<unknown>> = {
    WebSockets: async (url) => (await HandSocket.open(url)).stopReading(),
    ServerSentEvents: async (url) => fetch(`${url}?id=${await negotiate(url)}`, { headers: events }),
    LongPolling: async (url) => fetch(`${url}?id=${await negotiate(url)}`),
  };
  for (const transport of transports) {
    it(`a client that does not read over ${transport} is cut, and no other misses anything`, async (t) => {
      const rig = await startRawRig(t, { intervals: { sendTimeout: 1_000, disconnect: 1_000 } });
      const quick = await RawClient.connect(rig.rawUrl, 'WebSockets');
      // Kept until the end: fetch ends the connection of a response that is collected as garbage.
      const unread = [await idlers[transport](rig.rawUrl)];
      await untilEqual(() => rig.ends.length, 2);
      const [quickEnd, slowEnd] = rig.ends as [ByteConnection, ByteConnection];
      let expected = '';
      for (let sent = 0; sent < 200; sent++) {
        slowEnd.send('x'.repeat(100_000));
        quickEnd.send(`${sent} `);
        expected += `${sent} `;
        await untilEqual(() => quick.text, expected);
      }
      assert.equal(slowEnd.closed.aborted, false, 'however much waits, it has its time');
      await untilLater(rig, () => slowEnd.closed.aborted, true);
      await quick.connection.send('still here');
      await untilEqual(() => quick.text, `${expected}still here`);
      await quick.connection.stop();
      assert.equal(unread.length, 1);
    });
  }

  it('untilSent makes a handler wait for its client to read', async (t) => {
    let sent = 0;
    const rig = await startRawRig(t, {}, async (end) => {
      for (; !end.closed.aborted; sent++) {
        end.send('x'.repeat(20_000));
        await end.untilSent();
      }
    });
    const hand = await HandSocket.open(rig.rawUrl);
    hand.stopReading();
    await untilStill(() => sent);
    assert.ok(sent > 0);
    assert.equal(rig.ends[0]?.closed.aborted, false, 'it waits, and is not cut');
    hand.socket.terminate();
  });

  it('the server stops reading from a client whose handler does not read, and loses nothing', async (t) => {
    const release = Promise.withResolvers<void>();
    let length = 0;
    const rig = await startRawRig(t, {}, async (end) => {
      await release.promise;
      for await (const bytes of end.received) length += bytes.length;
    });
    const hand = await HandSocket.open(rig.rawUrl);
    for (let count = 0; count < 1_000; count++) hand.socket.send('x'.repeat(20_000));
    // The sender's own buffer cannot drain while the server does not read.
    await untilStill(() => hand.unsent);
    assert.ok(hand.unsent > 1_000_000);
    hand.socket.close();
    release.resolve();
    await untilEqual(() => length, 20_000_000);
  });
});

describe('other mounts, families and nodes', () => {
  it('raw connections do not offer stateful reconnect', async (t) => {
    const rig = await startRawRig(t);
    const offer = async (url: string) => {
      const [, text] = await ask('POST', `${url}/negotiate?negotiateVersion=1&useStatefulReconnect=true`);
      return JSON.parse(String(text)).useStatefulReconnect;
    };
    assert.deepEqual([await offer(rig.url), await offer(rig.rawUrl)], [true, undefined]);
  });

  it('raw connections have no hubs for clients of classic ASP.NET SignalR 2, nor do tokens of hubs open them', async (t) => {
    const rig = await startRawRig(t);
    const classic = '?clientProtocol=2.1&transport=webSockets&connectionData=[]';
    assert.deepEqual(await ask('GET', `${rig.rawUrl}/hubs${classic}`), [404, '']);
    const named = classic.replace('[]', '[{"name":"beside"}]');
    assert.deepEqual(await ask('GET', `${rig.rawUrl}/negotiate${named}`), [400, "'beside' Hub could not be resolved."]);
    const [, text] = await ask('GET', `${rig.url}/negotiate${classic}`);
    const token = `&connectionToken=${JSON.parse(String(text)).ConnectionToken}`;
    const refused = await refusedUpgrade(`${rig.rawUrl}/connect${classic}${token}`);
    assert.deepEqual(refused, { status: 400, text: 'The ConnectionId is in the incorrect format.' });
  });

  it('a token negotiated for a hub opens no raw connection, and the other way round', async (t) => {
    const rig = await startRawRig(t);
    for (const [home, other] of [
      [rig.url, rig.rawUrl],
      [rig.rawUrl, rig.url],
    ] as const) {
      const id = await negotiate(home);
      const nothing = [404, 'No Connection with that ID'];
      assert.deepEqual(await ask('GET', `${other}?id=${id}`), nothing);
      assert.deepEqual(await ask('GET', `${other}?id=${id}`, { headers: events }), nothing);
      assert.equal((await refusedUpgrade(`${other}?id=${id}`)).status, 404);
      assert.deepEqual(await ask('GET', `${home}?id=${id}`), [200, '']);
      for (const method of ['GET', 'POST', 'DELETE']) {
        assert.deepEqual(await ask(method, `${other}?id=${id}`), nothing, method);
      }
      assert.deepEqual(await ask('DELETE', `${home}?id=${id}`), [202, '']);
    }
    const id = await negotiate(rig.rawUrl);
    const [status] = await ask('GET', `${rig.url}/connect?transport=serverSentEvents&connectionToken=${id}`);
    assert.equal(status, 400);
  });

  it('connections negotiated on another node are opened or forwarded', async (t) => {
    const one = await startRawRig(t, { nodeId: 'one' });
    const two = await startRawRig(t, {
      nodeId: 'two',
      async forward(_nodeId, request, response) {
        passOn(one.port, request, response);
        return true;
      },
    });
    const hand = await HandSocket.open(`${two.rawUrl}?id=${await negotiate(one.rawUrl)}`);
    assert.deepEqual([one.ends.length, two.ends.length], [0, 1]);
    hand.socket.close();
    const url = `${two.rawUrl}?id=${await negotiate(one.rawUrl)}`;
    await ask('GET', url);
    await ask('POST', url, { body: 'far away' });
    assert.deepEqual(await ask('GET', url), [200, 'far away']);
    assert.deepEqual([one.ends.length, two.ends.length], [1, 1]);
    await ask('DELETE', url);
  });

  it('all mounts of a definition share its connections', async (t) => {
    const rig = await startRawRig(t);
    const id = await negotiate(rig.rawUrl);
    assert.deepEqual(await ask('GET', `http://127.0.0.1:${rig.port}/elsewhere?id=${id}`), [200, '']);
    assert.deepEqual(await ask('DELETE', `${rig.rawUrl}?id=${id}`), [202, '']);
  });
});
