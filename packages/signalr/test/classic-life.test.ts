// Tests the life of classic connections: keep-alives, time-outs, tokens, slow clients, other nodes and restarts.

import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { defineHub, type HubConnection } from '../src/hub.ts';
import type { SignalROptions } from '../src/options.ts';
import type { Principal } from '../src/principal.ts';
import { cursorOf, HandClient } from './harness/classic-client.ts';
import { refusedUpgrade } from './harness/hand-socket.ts';
import { people, type Rig, settledLater, startRig, untilLater } from './harness/rig.ts';
import { untilEqual } from './harness/until.ts';

async function rigFor(t: TestContext, options: Partial<SignalROptions> = {}): Promise<Rig> {
  const rig = await startRig(options);
  t.after(() => rig.stop());
  return rig;
}

async function polling(rig: Rig, query = {}) {
  const client = await HandClient.negotiated(rig.url, query);
  const cursor = cursorOf((await client.poll('connect')).text);
  await client.start('longPolling');
  return { client, cursor };
}

async function listening(rig: Rig, query = {}) {
  const client = await HandClient.negotiated(rig.url, query);
  const events = await client.events();
  await untilEqual(() => events.text.includes('"S":1'), true);
  await client.start('serverSentEvents');
  events.text = '';
  return { client, events };
}

describe('keep-alives', () => {
  const quick = { intervals: { disconnect: 300 } };

  it('are empty objects on a stream', async (t) => {
    const rig = await rigFor(t, quick);
    const client = await HandClient.negotiated(rig.url);
    const frames = await client.started();
    const { events } = await listening(rig);
    await untilLater(rig, () => frames.texts.length >= 2, true);
    assert.deepEqual(frames.texts.slice(0, 2), ['{}', '{}']);
    await untilLater(rig, () => events.text.startsWith('data: {}\n\ndata: {}\n\n'), true);
  });

  it('are spaces before the response of a poll', async (t) => {
    const rig = await rigFor(t, quick);
    const { client, cursor } = await polling(rig);
    const waiting = fetch(client.address('poll', { transport: 'longPolling', messageId: cursor }));
    // The headers of the response arrive with the first keep-alive.
    const response = await settledLater(rig, waiting);
    assert.equal(response.headers.get('content-type'), 'application/json; charset=UTF-8');
    await rig.live.broadcast('news', [1]);
    const text = await response.text();
    assert.match(text, /^ +\{"C":"[^"]+","M":\[/);
  });

  it('keep a present client; one that is absent for too long ends', async (t) => {
    const rig = await rigFor(t, quick);
    const stays = await HandClient.negotiated(rig.url);
    const frames = await stays.started();
    const gone = await HandClient.negotiated(rig.url);
    (await gone.started()).socket.terminate();
    const { client: silent } = await polling(rig);
    const unstarted = await HandClient.negotiated(rig.url);
    (await unstarted.webSocket()).socket.terminate();
    await untilLater(rig, () => rig.seen.includes(`disconnected ${gone.id}`), true);
    await untilLater(rig, () => rig.seen.includes(`disconnected ${silent.id}`), true);
    await untilLater(rig, () => rig.server.connectionCount, 1);
    assert.ok(!rig.seen.includes(`disconnected ${unstarted.id}`), 'it was never connected');
    frames.call('echo', [1]);
    await untilEqual(() => frames.texts.includes('{"R":1,"I":"0"}'), true);
  });
});

describe('access', () => {
  const anna = { id: 'anna' };
  const authenticate = people({ a: anna, 'a later': { id: 'anna', expiresAt: 9e15 }, b: { id: 'berta' } });

  it('everything but the script needs a token', async (t) => {
    const rig = await rigFor(t, { authenticate });
    for (const path of ['negotiate', 'ping', 'connect', 'start', 'send', 'abort']) {
      const { status, headers } = await new HandClient(rig.url).ask(path, { transport: 'longPolling' });
      assert.deepEqual([status, headers.get('www-authenticate')], [401, 'Bearer'], path);
    }
    assert.equal((await new HandClient(rig.url).ask('hubs')).status, 200);
    assert.equal((await new HandClient(rig.url, { access_token: 'a' }).ask('ping')).status, 200);
  });

  it('only the principal that negotiated may use the connection', async (t) => {
    const rig = await rigFor(t, { authenticate });
    const { client } = await polling(rig, { access_token: 'a' });
    const text = 'Unrecognized user identity. The user identity cannot change during an active SignalR connection.';
    for (const path of ['connect', 'start', 'reconnect', 'poll', 'send', 'abort']) {
      const answer = await client.ask(path, { transport: 'longPolling', access_token: 'b' });
      assert.deepEqual([answer.status, answer.text], [403, text], path);
    }
    const upgrade = await refusedUpgrade(client.address('reconnect', { transport: 'webSockets', access_token: 'b' }));
    assert.deepEqual(upgrade, { status: 403, text });
    assert.equal((await client.ask('start', { transport: 'longPolling', access_token: 'a later' })).status, 200);
  });

  it('a client whose token ends is asked to reconnect with another', async (t) => {
    const known: Record<string, Principal> = { b: { id: 'berta' } };
    const rig = await rigFor(t, { authenticate: people(known) });
    known.a = { id: 'anna', expiresAt: rig.clock.now() + 5_000 };
    const frames = await (await HandClient.negotiated(rig.url, { access_token: 'a' })).started();
    const other = await (await HandClient.negotiated(rig.url, { access_token: 'b' })).started();
    rig.clock.advance(5_000);
    await untilEqual(() => frames.closeCode, 1000);
    assert.match(frames.texts.at(-1) ?? '', /^\{"C":"[^"]+","T":1,"M":\[\]\}$/);
    rig.server.closeConnectionsOf(({ id }) => id === 'berta');
    await untilEqual(() => other.closeCode, 1000);
    await untilEqual(() => rig.seen.filter((line) => line.startsWith('disconnected')).length, 2);
  });
});

it('a closing server asks all clients to reconnect, and accepts no new ones', async (t) => {
  const rig = await rigFor(t, { intervals: { closeTimeout: 60_000 } });
  const frames = await (await HandClient.negotiated(rig.url)).started();
  const { events } = await listening(rig);
  const { client, cursor } = await polling(rig);
  const waiting = client.poll('poll', cursor);
  await rig.live.broadcast('news', [1]);
  const last = client.poll('poll', cursorOf((await waiting).text));
  // The server has processed it when it responds to the client's next request.
  await client.send('longPolling', { H: 'trades', M: 'nothing', A: [], I: 0 });
  const closing = rig.server.close();
  assert.equal((await new HandClient(rig.url).ask('negotiate')).status, 503);
  assert.equal((await client.poll('reconnect', cursor)).status, 503);
  const upgrade = await refusedUpgrade(client.address('reconnect', { transport: 'webSockets' }));
  assert.equal(upgrade.status, 503);
  await closing;
  assert.match((await last).text, /^\{"C":"[^"]+","T":1,"L":1000,"M":\[\]\}$/);
  assert.match(frames.texts.at(-1) ?? '', /"T":1/);
  await untilEqual(() => events.isOver, true);
  assert.match(events.text, /data: \{"C":"[^"]+","T":1,"M":\[\]\}\n\n$/);
  assert.equal(rig.server.connectionCount, 0);
});

describe('a client that does not read', () => {
  it('loses its transport after the send time-out, and not its connection', async (t) => {
    const rig = await rigFor(t, { intervals: { sendTimeout: 1_000, disconnect: 3_000 } });
    const client = await HandClient.negotiated(rig.url);
    const frames = await client.started();
    const other = await (await HandClient.negotiated(rig.url)).started();
    await rig.live.broadcast('news', ['first']);
    await untilEqual(() => frames.texts.length, 1);
    frames.socket.pause();
    let sent = 0;
    const big = 'x'.repeat(100_000);
    const isCut = () => frames.closeCode !== undefined;
    const pushes = async () => {
      for (; sent < 200; sent++) await rig.live.broadcast('news', [sent, big]);
    };
    await pushes();
    // The keep-alive of the other client shows that the server has looked at both.
    for (let looks = 1; looks <= 2; looks++) {
      rig.clock.advance(1_100);
      await untilEqual(() => other.texts.filter((text) => text === '{}').length, looks);
    }
    frames.socket.resume();
    await untilEqual(isCut, true);
    assert.ok(frames.texts.length < 200, 'it was cut before it got all');
    const back = await client.webSocket('reconnect', { messageId: cursorOf(frames.texts.at(-1) ?? '') });
    const numbers = () =>
      [...frames.texts.slice(1), ...back.texts].flatMap((text) =>
        JSON.parse(text).M.map(({ A }: { A: [number] }) => A[0]),
      );
    await untilEqual(
      numbers,
      Array.from({ length: 200 }, (_, n) => n),
    );
    assert.equal(rig.seen.length, 2, 'both were connected all the time');
  });

  it('restarts at its cursor over long polling when it was given up', async (t) => {
    const rig = await rigFor(t, { limits: { backlogBytes: 200 } });
    const { client, cursor } = await polling(rig);
    for (let n = 0; n < 30; n++) await rig.live.broadcast('news', [n]);
    const { text } = await client.poll('poll', cursor);
    assert.deepEqual(
      JSON.parse(text).M.map(({ A }: { A: [number] }) => A[0]),
      Array.from({ length: 30 }, (_, n) => n),
    );
  });
});

describe('a hub that can recover', () => {
  /** A hub that recovers from a log which outlives the server. */
  function logHub(log: string[]) {
    const calls: string[] = [];
    const tell = (connection: HubConnection, after: number) => {
      for (const [index, entry] of log.entries()) {
        if (index >= after) connection.send('news', [entry], String(index + 1));
      }
    };
    const hub = defineHub({
      name: 'trades',
      onConnected: (_connection, cursor) => void calls.push(`connected at ${cursor}`),
      onDisconnected: () => void calls.push('disconnected'),
      recovery: {
        currentCursor: async () => String(log.length),
        onResumed: (connection, cursor) => {
          calls.push(`resumed at ${cursor}`);
          tell(connection, Number(cursor));
        },
      },
    });
    return { hub, calls };
  }

  it('resends what a client missed: on the same server, on another, and after a restart', async (t) => {
    const log = ['old', 'older'];
    const first = logHub(log);
    const rig = await rigFor(t, { mounts: [{ path: '/hub', hub: first.hub }] });
    const client = await HandClient.negotiated(rig.url);
    const frames = await client.webSocket();
    await untilEqual(() => frames.texts, ['{"C":"2","S":1,"M":[]}']);
    await client.start('webSockets');
    log.push('new');
    await rig.live.broadcast('news', ['new'], undefined, '3');
    await untilEqual(() => frames.texts.at(-1), '{"C":"3","M":[{"H":"trades","M":"news","A":["new"]}]}');
    frames.socket.terminate();
    await untilEqual(() => frames.closeCode, 1006);
    log.push('missed');
    await rig.live.broadcast('news', ['missed'], undefined, '4');
    const back = await client.webSocket('reconnect', { messageId: '3' });
    await untilEqual(() => back.texts, ['{"C":"4","M":[{"H":"trades","M":"news","A":["missed"]}]}']);
    assert.deepEqual(first.calls, ['connected at 2', 'resumed at 3']);
    const second = logHub(log);
    const restarted = await rigFor(t, { mounts: [{ path: '/hub', hub: second.hub }], nodeId: 'node-2' });
    const elsewhere = new HandClient(restarted.url);
    elsewhere.token = client.token;
    log.push('later');
    const stream = await elsewhere.events('reconnect', { messageId: '4' });
    await untilEqual(
      () => stream.text,
      'data: initialized\n\ndata: {"C":"5","M":[{"H":"trades","M":"news","A":["later"]}]}\n\n',
    );
    stream.stop();
    log.push('latest');
    const polled = await elsewhere.poll('reconnect', '5');
    assert.equal(polled.text, '{"C":"6","M":[{"H":"trades","M":"news","A":["latest"]}]}');
    assert.deepEqual(second.calls, ['resumed at 4', 'resumed at 5']);
  });

  it('is not asked for messages by polls that are up to date', async (t) => {
    const log: string[] = [];
    const { hub, calls } = logHub(log);
    const rig = await rigFor(t, { mounts: [{ path: '/hub', hub }] });
    const { client, cursor } = await polling(rig);
    for (let n = 1; n <= 3; n++) {
      log.push(`entry ${n}`);
      await rig.live.broadcast('news', [`entry ${n}`], undefined, String(n));
      const { text } = await client.poll('poll', n === 1 ? cursor : String(n - 1));
      assert.equal(text, `{"C":"${n}","M":[{"H":"trades","M":"news","A":["entry ${n}"]}]}`);
    }
    assert.deepEqual(calls, ['connected at 0']);
  });

  it('stores client state over polls, again when the response was lost', async (t) => {
    const { hub } = logHub([]);
    const rig = await rigFor(t, { mounts: [{ path: '/hub', hub }] });
    const { client, cursor } = await polling(rig);
    const [connection] = rig.live.connections();
    const waiting = client.poll('poll', cursor);
    connection?.setClientState?.('x');
    const left = `{"C":"${cursor}","G":"1.x","M":[]}`;
    assert.equal((await waiting).text, left);
    assert.equal((await client.poll('poll', cursor)).text, left);
    const kept = client.ask('poll', { transport: 'longPolling', messageId: cursor, groupsToken: '1.x' });
    await rig.live.broadcast('news', ['new'], undefined, '1');
    assert.equal((await kept).text, '{"C":"1","M":[{"H":"trades","M":"news","A":["new"]}]}');
  });

  it('starts a client negotiated on another node at once, since its start request may go there', async (t) => {
    const { hub, calls } = logHub([]);
    const rig = await rigFor(t, { mounts: [{ path: '/hub', hub }] });
    const other = await rigFor(t, { mounts: [{ path: '/hub', hub: logHub([]).hub }], nodeId: 'node-2' });
    const client = await HandClient.negotiated(other.url);
    const here = new HandClient(rig.url);
    here.token = client.token;
    const frames = await here.webSocket();
    await untilEqual(() => calls, ['connected at 0']);
    assert.equal((await client.start('webSockets')).text, '{ "Response": "started" }');
    await rig.live.broadcast('news', [1], undefined, '1');
    await untilEqual(() => frames.texts.length, 2);
  });
});
