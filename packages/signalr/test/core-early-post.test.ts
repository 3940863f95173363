// Tests clients of ASP.NET Core SignalR that send before they open a transport.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { json, negotiate, refusedUpgrade } from './harness/hand-socket.ts';
import { people, type Rig, startRig, untilLater } from './harness/rig.ts';
import { until, untilEqual } from './harness/until.ts';

let rig: Rig;
before(async () => {
  const authenticate = people({ ann: { id: 'ann' }, bob: { id: 'bob' } });
  rig = await startRig({ authenticate, intervals: { disconnect: 60 } });
});
after(() => rig.stop());

const as = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });

async function ask(method: string, id: string, body?: string, token = 'ann') {
  const response = await fetch(`${rig.url}?id=${id}`, { method, ...as(token), ...(body !== undefined && { body }) });
  return [response.status, await response.text()];
}

const negotiated = () => negotiate(rig.url, 'negotiateVersion=1', as('ann'));
const call = json.message({ type: 1, invocationId: '1', target: 'whoAmI', arguments: [] });
const answer = '{}\x1e{"type":3,"invocationId":"1","result":"ann"}\x1e';

it('a client may post its handshake and a call before its first poll', async () => {
  const id = await negotiated();
  assert.deepEqual(await ask('POST', id, json.handshake()), [200, '']);
  assert.deepEqual(await ask('POST', id, call), [200, '']);
  assert.deepEqual(await ask('GET', id), [200, ''], 'the first poll returns at once, empty');
  let text = '';
  await until(
    async () => {
      text += (await ask('GET', id))[1];
      return text;
    },
    (all) => all.length >= answer.length,
  );
  assert.equal(text, answer);
  assert.deepEqual(await ask('DELETE', id), [202, '']);
  await untilEqual(() => rig.server.connectionCount, 0);
});

it('a client may post before it opens its event stream', async () => {
  const id = await negotiated();
  assert.deepEqual(await ask('POST', id, json.handshake() + call), [200, '']);
  const stopper = new AbortController();
  const events = await fetch(`${rig.url}?id=${id}`, {
    headers: { ...as('ann').headers, Accept: 'text/event-stream' },
    signal: stopper.signal,
  });
  let text = '';
  for await (const chunk of events.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes('"result":"ann"')) break;
  }
  stopper.abort();
  await untilEqual(() => rig.server.connectionCount, 0);
});

it('nobody else may post to the connection, and not without end', async () => {
  const id = await negotiated();
  assert.deepEqual(await ask('POST', id, 'x', 'bob'), [403, 'The user associated with this connection changed.']);
  assert.equal(rig.server.connectionCount, 0, 'nothing was opened');
  const half = 'x'.repeat(150 * 1024);
  assert.equal((await ask('POST', id, half))[0], 200);
  assert.deepEqual(await ask('POST', id, half), [413, 'A client may send 262144 bytes before it polls.']);
  rig.server.closeConnectionsOf((principal) => principal.id === 'ann');
  await untilEqual(() => rig.server.connectionCount, 0);
  assert.equal((await ask('GET', id))[0], 404);
});

it('a connection that got a POST and no transport ends, and its token is used', async () => {
  const id = await negotiated();
  assert.equal((await ask('POST', id, json.handshake()))[0], 200);
  assert.equal(rig.server.connectionCount, 1);
  await untilLater(rig, () => rig.server.connectionCount, 0);
  assert.equal((await ask('POST', id, 'x'))[0], 404);
  assert.equal((await refusedUpgrade(`${rig.url}?id=${id}`, as('ann').headers)).status, 404);
});
