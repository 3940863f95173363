// Tests the negotiation of ASP.NET Core SignalR: versions, ids, and the transports that are offered.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { negotiate, refusedUpgrade } from './harness/hand-socket.ts';
import { type Rig, startRig } from './harness/rig.ts';

let rig: Rig;
before(async () => {
  rig = await startRig();
});
after(() => rig.stop());

async function ask(method: string, path: string) {
  const response = await fetch(rig.url + path, { method });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

describe('negotiate', () => {
  const transports = [
    { transport: 'WebSockets', transferFormats: ['Text', 'Binary'] },
    { transport: 'ServerSentEvents', transferFormats: ['Text'] },
    { transport: 'LongPolling', transferFormats: ['Text', 'Binary'] },
  ];

  it('version 1 gets an id, a token and the transports in order', async () => {
    const { status, text, headers } = await ask('POST', '/negotiate?negotiateVersion=1');
    const answer = JSON.parse(text);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/json');
    assert.equal(headers.get('content-length'), String(text.length));
    assert.deepEqual(Object.keys(answer), [
      ...['negotiateVersion', 'connectionId', 'connectionToken', 'availableTransports'],
    ]);
    assert.equal(answer.negotiateVersion, 1);
    assert.match(answer.connectionId, /^[\w-]{22}$/);
    assert.match(answer.connectionToken, /^[\w.-]+$/);
    assert.deepEqual(answer.availableTransports, transports);
  });

  it('version 0 gets one id, which connects', async () => {
    const answer = JSON.parse((await ask('POST', '/negotiate')).text);
    assert.deepEqual(Object.keys(answer), ['negotiateVersion', 'connectionId', 'availableTransports']);
    assert.equal(answer.negotiateVersion, 0);
    assert.equal((await ask('GET', `?id=${answer.connectionId}`)).status, 200);
    await ask('DELETE', `?id=${answer.connectionId}`);
  });

  it('unknown versions get an error', async () => {
    const answerTo = async (version: string) =>
      JSON.parse((await ask('POST', `/negotiate?NegotiateVersion=${version}`)).text);
    assert.equal((await answerTo('7')).negotiateVersion, 1);
    assert.deepEqual(await answerTo('x'), { error: 'The client requested a non-integer protocol version.' });
    assert.deepEqual(await answerTo('1.5'), { error: 'The client requested a non-integer protocol version.' });
    assert.deepEqual(await answerTo('-1'), {
      error: "The client requested version '-1', but the server does not support this version.",
    });
  });

  it('stateful reconnect is offered only when asked for', async () => {
    const asked = JSON.parse((await ask('POST', '/negotiate?negotiateVersion=1&useStatefulReconnect=true')).text);
    assert.equal(Object.keys(asked)[0], 'useStatefulReconnect');
    assert.equal(asked.useStatefulReconnect, true);
  });

  it('negotiation accepts only POST, and stores nothing', async () => {
    const { status, headers } = await ask('PUT', '/negotiate');
    assert.deepEqual([status, headers.get('content-type')], [405, 'text/plain']);
    assert.equal(rig.server.connectionCount, 0);
  });

  it('a mount is found with a trailing slash and in another case', async () => {
    const response = await fetch(`${rig.url.toUpperCase().replace('HTTP', 'http')}/NEGOTIATE/`, { method: 'POST' });
    assert.equal(response.status, 200);
  });
});

describe('transports that are switched off', () => {
  it('are not offered and not served', async (t) => {
    const limited = await startRig({ transports: ['LongPolling'] });
    t.after(() => limited.stop());
    const id = await negotiate(limited.url);
    const events = await fetch(`${limited.url}?id=${id}`, { headers: { Accept: 'text/event-stream' } });
    assert.deepEqual(
      [events.status, await events.text()],
      [404, 'ServerSentEvents transport not supported by this end point type'],
    );
    assert.deepEqual(await refusedUpgrade(`${limited.url}?id=${id}`), {
      status: 404,
      text: 'WebSockets transport not supported by this end point type',
    });
    const answer = await fetch(`${limited.url}/negotiate?negotiateVersion=1`, { method: 'POST' });
    const { availableTransports } = (await answer.json()) as { availableTransports: { transport: string }[] };
    assert.deepEqual(
      availableTransports.map(({ transport }) => transport),
      ['LongPolling'],
    );
  });
});
