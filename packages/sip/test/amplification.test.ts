// What a source of datagrams is sent that has not shown that it can be reached, over real sockets.

import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { type IncomingCall, UserAgent } from '../src/index.ts';
import { answer } from './harness/descriptions.ts';
import { FakeTimers } from './harness/fake-timers.ts';
import { until } from './harness/until.ts';

async function callerOf(t: TestContext, onInvite: (call: IncomingCall) => unknown) {
  const faults: unknown[] = [];
  const listen = [{ protocol: 'udp', address: '127.0.0.1', port: 0 }] as const;
  const timers = new FakeTimers();
  const agent = await UserAgent.start({ listen, timers, onInvite, onFault: (error) => faults.push(error) });
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(async () => {
    const closed = agent.close();
    await timers.advance(3_000);
    await closed;
    socket.close();
    assert.deepEqual(faults, []);
  });
  const received: string[] = [];
  socket.on('message', (bytes) => received.push(String(bytes)));
  const { port } = socket.address();
  let sent = 0;
  const send = (method: string, to = '<sip:b@b>'): void => {
    const text = [
      `${method} sip:b@127.0.0.1 SIP/2.0`,
      `Via: SIP/2.0/UDP 127.0.0.1:${port};branch=z9hG4bK${method === 'ACK' && to.includes('tag') ? 'ack' : 'one'}`,
      ...['From: <sip:a@b>;tag=1', `To: ${to}`, 'Call-ID: one', `CSeq: 1 ${method}`, 'Max-Forwards: 9'],
      `Contact: <sip:a@127.0.0.1:${port}>`,
      // As long as one with a description.
      `X: ${'x'.repeat(300)}`,
      ...['', ''],
    ].join('\r\n');
    sent += text.length;
    socket.send(text, agent.listeners[0]?.port ?? 0, '127.0.0.1');
  };
  /** Lets all repetitions come: what another socket is answered comes after them. */
  const untilOver = async (): Promise<void> => {
    await timers.advance(40_000);
    const other = createSocket('udp4').bind(0, '127.0.0.1');
    await once(other, 'listening');
    const via = `SIP/2.0/UDP 127.0.0.1:${other.address().port};branch=z9hG4bKother${received.length}`;
    const head = ['OPTIONS sip:b@127.0.0.1 SIP/2.0', `Via: ${via}`, 'From: <sip:o@b>;tag=2', 'To: <sip:b@b>'];
    const text = [...head, 'Call-ID: other', 'CSeq: 1 OPTIONS', 'Max-Forwards: 9', `X: ${'x'.repeat(900)}`, '', ''];
    other.send(text.join('\r\n'), agent.listeners[0]?.port ?? 0, '127.0.0.1');
    await once(other, 'message');
    other.close();
  };
  return { untilOver, send, received, sent: () => sent, bytes: () => received.join('').length };
}

test('who has not shown to be reachable is sent three times as much as came at most, and no BYE', async (t) => {
  let ended = '';
  const caller = await callerOf(t, async (call) => {
    call.once('ended', ({ cause }) => (ended = cause));
    await call.answer(answer);
  });
  caller.send('INVITE');
  await until(() => caller.received.some((text) => text.includes(' 200 ')), Boolean);
  await caller.untilOver();
  assert.equal(ended, 'no-response');
  assert.ok(caller.bytes() <= 3 * caller.sent(), `${caller.bytes()} bytes for ${caller.sent()}`);
  assert.ok(!caller.received.some((text) => text.startsWith('BYE')));
});

test('a refusal is repeated no more often than that', async (t) => {
  const caller = await callerOf(t, (call) => call.reject(403));
  caller.send('INVITE');
  await until(() => caller.received.some((text) => text.includes(' 403 ')), Boolean);
  await caller.untilOver();
  assert.ok(caller.bytes() <= 3 * caller.sent(), `${caller.bytes()} bytes for ${caller.sent()}`);
  // A tag of their own shows nothing.
  caller.send('ACK', '<sip:b@b>;tag=mine');
  caller.send('OPTIONS', '<sip:b@b>;tag=mine');
  await caller.untilOver();
  assert.ok(caller.bytes() <= 3 * caller.sent());
});

test('who confirms an answer is spoken to like anybody', async (t) => {
  const caller = await callerOf(t, async (call) => {
    call.once('answered', () => void call.hangUp());
    await call.answer(answer);
  });
  caller.send('INVITE');
  const answered = await until(
    () => caller.received.find((text) => text.includes(' 200 ')),
    (text) => text !== undefined,
  );
  caller.send('ACK', /^To: (.*)\r$/m.exec(answered ?? '')?.[1]);
  await until(() => caller.received.some((text) => text.startsWith('BYE')), Boolean);
});
