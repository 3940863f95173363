// Strangers on TCP: who does not read what they are sent, pings without end, or opens many connections, costs little and is cut off.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { UserAgent } from '../src/index.ts';
import { until } from './harness/until.ts';

async function listening(t: TestContext): Promise<number> {
  const agent = await UserAgent.start({ listen: [{ protocol: 'tcp', address: '127.0.0.1', port: 0 }] });
  t.after(() => agent.close());
  return agent.listeners[0]?.port ?? 0;
}

function stranger(t: TestContext, port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  return socket;
}

const asking = (number: number): string =>
  [
    'OPTIONS sip:a@127.0.0.1 SIP/2.0',
    `Via: SIP/2.0/TCP 127.0.0.1;branch=z9hG4bK${number}`,
    'From: <sip:b@127.0.0.1>;tag=b',
    'To: <sip:a@127.0.0.1>',
    `Call-ID: ${number}`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
    '\r\n',
  ].join('\r\n');

test('a stranger who asks and does not read is cut off, and the next one is answered', async (t) => {
  const port = await listening(t);
  const deaf = stranger(t, port);
  deaf.pause();
  let isCut = false;
  deaf.once('close', () => (isCut = true));
  let sent = 0;
  const before = process.memoryUsage().arrayBuffers;
  while (!isCut && sent < 200_000) {
    for (let burst = 0; burst < 200; burst++) deaf.write(asking(sent++));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await until(
    () => isCut,
    (cut) => cut,
  );
  assert.ok(process.memoryUsage().arrayBuffers - before < 64 * 2 ** 20, 'what it has not read is not kept');
  const other = stranger(t, port);
  other.write(asking(sent));
  const [answer] = await once(other, 'data');
  assert.match(String(answer), /^SIP\/2\.0 480 /);
});

test('pings that come together are answered once', async (t) => {
  const port = await listening(t);
  const socket = stranger(t, port);
  let answered = 0;
  socket.on('data', (bytes: Buffer) => (answered += bytes.length));
  const pings = 2_000_000;
  socket.write('\r\n\r\n'.repeat(pings));
  socket.write(asking(1));
  await until(
    () => answered,
    (bytes) => bytes > 200,
  );
  assert.ok(answered < pings / 100, `${answered} bytes of answers`);
});

test('one address has 32 connections, and leaves room for others', async (t) => {
  const port = await listening(t);
  const sockets = Array.from({ length: 40 }, () => stranger(t, port));
  let closed = 0;
  for (const socket of sockets) socket.once('close', () => closed++);
  await until(
    () => closed,
    (count) => count === 8,
  );
  const [first] = sockets;
  first?.write(asking(1));
  assert.match(String((await once(first as Socket, 'data'))[0]), /^SIP\/2\.0 480 /);
});
