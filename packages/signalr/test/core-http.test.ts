// Tests the responses to the HTTP requests of ASP.NET Core SignalR's transports: status, text and headers.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { HandSocket, json, negotiate, refusedUpgrade } from './harness/hand-socket.ts';
import { type Rig, settledLater, startRig, untilLater } from './harness/rig.ts';
import { untilEqual } from './harness/until.ts';

let rig: Rig;
before(async () => {
  rig = await startRig({ intervals: { poll: 400 } });
});
after(() => rig.stop());

async function ask(method: string, path: string, init: RequestInit = {}) {
  const response = await fetch(rig.url + path, { method, ...init });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

const poll = (id: string) => ask('GET', `?id=${id}`);
const post = (id: string, body: string) => ask('POST', `?id=${id}`, { body });

/** Opens a long-polling connection and does the handshake. */
async function openPolling(): Promise<string> {
  const id = await negotiate(rig.url);
  await poll(id);
  await post(id, json.handshake());
  assert.equal((await poll(id)).text, '{}\x1e');
  return id;
}

/**
 * Opens a connection with a waiting poll: of two polls the earlier ends with 204, which shows that the later one waits.
 */
async function openWithWaitingPoll() {
  const id = await openPolling();
  const polls = [poll(id), poll(id)].map((answer, index) => answer.then((it) => ({ ...it, index })));
  const earlier = await Promise.race(polls);
  assert.equal(earlier.status, 204);
  const waiting = polls[1 - earlier.index];
  assert.ok(waiting);
  return { id, waiting };
}

async function openEvents(): Promise<{ id: string; text: () => string; stop: () => void }> {
  const id = await negotiate(rig.url);
  const stopper = new AbortController();
  const response = await fetch(`${rig.url}?id=${id}`, {
    headers: { Accept: 'text/event-stream' },
    signal: stopper.signal,
  });
  assert.equal(response.status, 200);
  let text = '';
  (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
  })().catch(() => {});
  return { id, text: () => text, stop: () => stopper.abort() };
}

describe('requests that do not fit', () => {
  it('without an id are 400', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, text, headers } = await ask(method, '');
      assert.deepEqual([status, text, headers.get('content-type')], [400, 'Connection ID required', 'text/plain']);
    }
    const events = await ask('GET', '', { headers: { Accept: 'text/event-stream' } });
    assert.deepEqual([events.status, events.text], [400, 'Connection ID required']);
  });

  it('with an unknown id are 404', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, text } = await ask(method, '?id=nobody');
      assert.deepEqual([status, text], [404, 'No Connection with that ID']);
    }
    assert.deepEqual(await refusedUpgrade(`${rig.url}?id=nobody`), {
      status: 404,
      text: 'No Connection with that ID',
    });
  });

  it('with a token that was tampered with are 404', async () => {
    const id = await negotiate(rig.url);
    const [body = '', signature] = id.split('.');
    const forged = Buffer.from(Buffer.from(body, 'base64url').toString().replace('anybody', 'another')).toString(
      'base64url',
    );
    assert.notEqual(forged, body);
    assert.equal((await poll(`${forged}.${signature}`)).status, 404);
    assert.equal((await poll(id)).status, 200);
    await ask('DELETE', `?id=${id}`);
  });

  it('with another method are 405, at another path 404', async () => {
    const { status, headers } = await ask('PUT', '?id=x');
    assert.deepEqual([status, headers.get('content-type')], [405, 'text/plain']);
    assert.equal((await ask('GET', '/elsewhere')).status, 404);
    assert.equal((await fetch(`http://127.0.0.1:${rig.port}/hubs`)).status, 404);
  });

  it('may repeat slashes below the mount', async () => {
    for (const path of ['//negotiate', '///negotiate//']) {
      assert.equal((await ask('POST', `${path}?negotiateVersion=1`)).status, 200, path);
    }
    const id = await negotiate(rig.url);
    assert.equal((await ask('GET', `//?id=${id}`)).status, 200);
    await ask('DELETE', `?id=${id}`);
  });

  it('of another transport are 400', async () => {
    const id = await openPolling();
    const events = await ask('GET', `?id=${id}`, { headers: { Accept: 'text/event-stream' } });
    assert.deepEqual([events.status, events.text], [400, 'Cannot change transports mid-connection']);
    assert.deepEqual(await refusedUpgrade(`${rig.url}?id=${id}`), {
      status: 400,
      text: 'Cannot change transports mid-connection',
    });
    await ask('DELETE', `?id=${id}`);
  });
});

describe('WebSockets', () => {
  it('connect without negotiation', async () => {
    const hand = await HandSocket.connect(rig.url);
    hand.socket.send(json.message({ type: 1, invocationId: '1', target: 'echo', arguments: ['hi'] }));
    await untilEqual(() => hand.records.slice(1), ['{"type":3,"invocationId":"1","result":"hi"}']);
    hand.socket.close();
    await untilEqual(() => rig.server.connectionCount, 0);
  });

  it('close with 1000 when the client closes, with and without a code', async () => {
    for (const code of [1000, 1001, undefined]) {
      const hand = await HandSocket.connect(rig.url);
      hand.socket.close(code);
      await untilEqual(() => hand.closeCode, 1000);
    }
    await untilEqual(() => rig.server.connectionCount, 0);
  });

  it('respond to pings of the WebSocket protocol', async () => {
    const hand = await HandSocket.connect(rig.url);
    let pong = '';
    hand.socket.on('pong', (data) => {
      pong = data.toString();
    });
    hand.socket.ping('are you there');
    await untilEqual(() => pong, 'are you there');
    hand.socket.close();
  });

  it('refuse POST, DELETE and a second socket', async () => {
    const id = await negotiate(rig.url);
    const hand = await HandSocket.connect(`${rig.url}?id=${id}`);
    const sent = await post(id, 'x');
    assert.deepEqual([sent.status, sent.text], [405, 'POST requests are not allowed for WebSocket connections.']);
    const deleted = await ask('DELETE', `?id=${id}`);
    assert.deepEqual(
      [deleted.status, deleted.text],
      [400, 'Cannot terminate this connection using the DELETE endpoint.'],
    );
    assert.deepEqual(await refusedUpgrade(`${rig.url}?id=${id}`), { status: 409, text: '' });
    hand.socket.close();
    await untilEqual(() => rig.server.connectionCount, 0);
    assert.deepEqual(await refusedUpgrade(`${rig.url}?id=${id}`), { status: 404, text: 'No Connection with that ID' });
  });

  it('open nothing for an invalid upgrade', async () => {
    const bad = await refusedUpgrade(rig.url, { 'Sec-WebSocket-Version': '99' });
    assert.deepEqual(bad, { status: 400, text: 'Missing or invalid Sec-WebSocket-Version header' });
    assert.equal(rig.server.connectionCount, 0);
  });
});

describe('server-sent events', () => {
  it('open with the headers and the comment that browsers need, and carry one event per message', async () => {
    const id = await negotiate(rig.url);
    const stopper = new AbortController();
    const response = await fetch(`${rig.url}?id=${id}`, {
      headers: { Accept: 'text/event-stream' },
      signal: stopper.signal,
    });
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    assert.equal(response.headers.get('cache-control'), 'no-cache,no-store');
    assert.equal(response.headers.get('content-encoding'), 'identity');
    stopper.abort();
    await untilEqual(() => rig.server.connectionCount, 0);

    const events = await openEvents();
    await untilEqual(events.text, ':\r\n');
    const sent = await post(events.id, json.handshake());
    assert.deepEqual([sent.status, sent.text, sent.headers.get('content-type')], [200, '', 'text/plain']);
    await untilEqual(events.text, ':\r\ndata: {}\x1e\r\n\r\n');
    const second = await ask('GET', `?id=${events.id}`, { headers: { Accept: 'text/event-stream' } });
    assert.equal(second.status, 409);
    const deleted = await ask('DELETE', `?id=${events.id}`);
    assert.equal(deleted.status, 400);
    events.stop();
    await untilEqual(() => rig.server.connectionCount, 0);
    assert.equal((await post(events.id, 'x')).status, 404);
  });

  it('carry no binary protocol', async () => {
    const events = await openEvents();
    await post(events.id, json.handshake('messagepack'));
    await untilEqual(
      events.text,
      `:\r\ndata: ${json.message({
        error:
          "Cannot use the 'messagepack' protocol on the current transport. " +
          "The transport does not support 'Binary' transfer format.",
      })}\r\n\r\n`,
    );
    await untilEqual(() => rig.server.connectionCount, 0);
  });
});

describe('long polling', () => {
  it('responds to the first poll at once, empty', async () => {
    const id = await negotiate(rig.url);
    const { status, text, headers } = await poll(id);
    assert.deepEqual([status, text], [200, '']);
    assert.equal(headers.get('content-length'), '0');
    assert.equal(headers.get('content-type'), 'application/octet-stream');
    assert.equal(headers.get('cache-control'), 'no-cache, no-store');
    assert.equal(headers.get('pragma'), 'no-cache');
    assert.equal(headers.get('expires'), 'Thu, 01 Jan 1970 00:00:00 GMT');
    await ask('DELETE', `?id=${id}`);
  });

  it('returns all queued messages with one poll', async () => {
    const id = await openPolling();
    const call = (number: number) => json.message({ type: 1, target: 'pushMe', arguments: [number] });
    await post(id, call(1) + call(2));
    const { text, headers } = await poll(id);
    const pushed = (number: number) => json.message({ type: 1, target: 'pushed', arguments: [number] });
    assert.equal(text, pushed(1) + pushed(2));
    assert.equal(headers.get('content-length'), String(text.length));
    await ask('DELETE', `?id=${id}`);
  });

  it('ends a poll without messages after the poll interval, empty', async () => {
    const id = await openPolling();
    const { status, text } = await settledLater(rig, poll(id));
    assert.deepEqual([status, text], [200, '']);
    await ask('DELETE', `?id=${id}`);
  });

  it('a new poll replaces one that waits', async () => {
    const { id, waiting } = await openWithWaitingPoll();
    const [connection] = rig.live.connections();
    connection?.send('pushed', ['late']);
    assert.equal((await waiting).text, json.message({ type: 1, target: 'pushed', arguments: ['late'] }));
    await ask('DELETE', `?id=${id}`);
  });

  it('DELETE gets 202, the waiting poll 204, and the connection is gone', async () => {
    const { id, waiting } = await openWithWaitingPoll();
    const deleted = await ask('DELETE', `?id=${id}`);
    assert.deepEqual([deleted.status, deleted.text, deleted.headers.get('content-type')], [202, '', 'text/plain']);
    assert.equal((await waiting).status, 204);
    assert.equal((await poll(id)).status, 404);
    await untilEqual(() => rig.server.connectionCount, 0);
  });

  it('delivers the final messages before it ends', async () => {
    const id = await openPolling();
    await post(id, json.message({ type: 1, target: 'goAway', arguments: [true] }));
    assert.equal((await poll(id)).text, json.message({ type: 7, allowReconnect: true }));
    assert.equal((await poll(id)).status, 204);
    assert.equal((await poll(id)).status, 404);
  });

  it('processes bodies one after another, and none that is too large', async () => {
    const id = await openPolling();
    const big = await post(id, 'x'.repeat(256 * 1024 + 1));
    assert.equal(big.status, 413);
    const calls = Array.from({ length: 20 }, (_, number) =>
      json.message({ type: 1, target: 'pushMe', arguments: [number] }),
    );
    const statuses = await Promise.all(calls.map(async (call) => (await post(id, call)).status));
    assert.deepEqual(new Set(statuses), new Set([200]));
    let records: string[] = [];
    while (records.length < 20) records = [...records, ...(await poll(id)).text.split('\x1e').slice(0, -1)];
    assert.equal(new Set(records).size, 20);
    await ask('DELETE', `?id=${id}`);
  });
});

describe('clean-up', () => {
  it('a connection that is not polled any more ends', async (t) => {
    const impatient = await startRig({ intervals: { disconnect: 60 } });
    t.after(() => impatient.stop());
    const id = await negotiate(impatient.url);
    await fetch(`${impatient.url}?id=${id}`);
    assert.equal(impatient.server.connectionCount, 1);
    await untilLater(impatient, () => impatient.server.connectionCount, 0);
    assert.equal((await fetch(`${impatient.url}?id=${id}`)).status, 404);
  });

  it('an expired connection token opens nothing', async (t) => {
    const impatient = await startRig({ intervals: { tokenLifetime: 1_000 } });
    t.after(() => impatient.stop());
    const id = await negotiate(impatient.url);
    impatient.clock.advance(1_001);
    assert.equal((await fetch(`${impatient.url}?id=${id}`)).status, 404);
    assert.equal((await refusedUpgrade(`${impatient.url}?id=${id}`)).status, 404);
  });
});
