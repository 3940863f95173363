// Connections do not accumulate: slow ones are closed for good, and beyond a maximum new ones are refused.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { edgeServer } from '../../harness/server/edge-server.ts';
import { until } from '../../harness/until.ts';

const post =
  'POST /api/v1/stations HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer writer\r\nContent-Type: application/json\r\n';

/** Connects without ever closing: like a hostile client, it ignores the end that the server sends. */
async function clingingClient(t: TestContext, port: number, bytes: string): Promise<{ readonly text: () => string }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.after(() => socket.destroy());
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('latin1'))).on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  return { text: () => text };
}

function openConnections(server: { getConnections: (done: (error: Error | null, count: number) => void) => void }) {
  return new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
}

test('connections whose request took too long are answered and destroyed, whatever the client does', async (t) => {
  const { app, port } = await edgeServer(t);
  // Node checks them every two seconds.
  app.server.headersTimeout = 200;
  app.server.requestTimeout = 300;
  const slow = ['', 'GET /', `${post}Content-Length: 50\r\n\r\n{"name":`];
  const clients = await Promise.all(slow.flatMap((bytes) => [1, 2, 3].map(() => clingingClient(t, port, bytes))));
  await until(
    () => openConnections(app.server),
    (count) => count === clients.length,
  );
  await until(
    () => openConnections(app.server),
    (count) => count === 0,
  );
  for (const { text } of clients) assert.match(text(), /^HTTP\/1.1 408 [\s\S]*took too long/);
});

test('a body that stops arriving is refused with 408, which senders try again, and the refusal is reported', async (t) => {
  const refused: string[] = [];
  const observer = { onRefused: ({ code }: { readonly code: string }) => refused.push(code), onTaken: () => {} };
  const { app, port } = await edgeServer(t, { stalledMs: 300, observer });
  const { text } = await clingingClient(t, port, `${post}Content-Length: 50\r\n\r\n{"name":`);
  await until(text, (answer) => answer !== '');
  assert.match(text(), /^HTTP\/1.1 408 [\s\S]*"code":"request-timeout"/);
  assert.deepEqual(refused, ['request-timeout']);
  await until(
    () => openConnections(app.server),
    (count) => count === 0,
  );
});

test('the bytes of clients that leave in the middle of their bodies keep no later request out', async (t) => {
  const { app, port, url } = await edgeServer(t, { heldBytes: 1_000 });
  for (let time = 0; time < 2; time += 1) {
    const begun = once(app.server, 'request');
    const socket = connect({ port, host: '127.0.0.1' });
    socket.write(`${post}Content-Length: 900\r\n\r\n{"name":"${'x'.repeat(800)}`);
    await begun;
    // The body is counted when it is read.
    await new Promise(setImmediate);
    socket.destroy();
    await until(
      () => openConnections(app.server),
      (count) => count === 0,
    );
  }
  const headers = { authorization: 'Bearer writer', 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'x'.repeat(300) });
  const { status } = await fetch(`${url}/api/v1/stations`, { method: 'POST', headers, body });
  assert.notEqual(status, 503);
});

test('connections with a broken request or a last response are destroyed although the client keeps them open', async (t) => {
  const { app, port } = await edgeServer(t);
  const last = 'GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const broken = await clingingClient(t, port, 'NONSENSE\r\n\r\n');
  const answered = await clingingClient(t, port, last);
  await until(
    () => openConnections(app.server),
    (count) => count === 0,
  );
  assert.match(broken.text(), /^HTTP\/1.1 405 /);
  assert.match(answered.text(), /^HTTP\/1.1 200 /);
});

test('a client that sends on and on after a 413 is cut off', async (t) => {
  const { app, port } = await edgeServer(t);
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  t.after(() => socket.destroy());
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  const ended = new Promise<string>((resolve) =>
    socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? '')),
  );
  socket.write(`${post}Content-Length: 9000000000\r\n\r\n`);
  const chunk = Buffer.alloc(2 ** 20);
  const send = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', send);
  send();
  assert.match(await ended, /ECONNRESET|EPIPE/);
  assert.match(answer, /^HTTP\/1.1 413 /);
  assert.ok(socket.bytesWritten > 64 * 2 ** 20, 'only after 64 MiB');
  assert.equal(await openConnections(app.server), 0);
});

/** Sends a request on an open connection and returns the status. */
async function statusOn(socket: Socket, request: string): Promise<number> {
  socket.write(request);
  const [chunk] = await once(socket, 'data');
  return Number(/^HTTP\/1.1 (\d+)/.exec(String(chunk))?.[1]);
}

test('beyond the maximum of connections with a token others are refused, and requests on open ones are still answered', async (t) => {
  const server = await edgeServer(t, { maxConnections: 3 });
  const connectTo = async (): Promise<Socket> => {
    const socket = connect(server.port, '127.0.0.1').on('error', () => {});
    t.after(() => socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const body = '{"name":"North"}';
  const open: Socket[] = [];
  for (let n = 0; n < 3; n++) {
    const socket = await connectTo();
    open.push(socket);
    assert.equal(await statusOn(socket, `${post}Content-Length: ${body.length}\r\n\r\n${body}`), 200);
  }
  for (let n = 0; n < 5; n++) {
    const refused = await connectTo();
    refused.resume();
    await once(refused, 'close');
  }
  for (const socket of open)
    assert.equal(await statusOn(socket, `${post}Content-Length: ${body.length}\r\n\r\n${body}`), 200);
  assert.deepEqual(
    server.log().map(({ level, msg }) => [level, msg]),
    [[40, 'connections were refused, or closed for others: too many are open']],
    'one line a minute',
  );
  open[0]?.destroy();
  await until(
    () => openConnections(server.app.server),
    (count) => count === 2,
  );
  assert.equal(await statusOn(await connectTo(), `${post}Content-Length: ${body.length}\r\n\r\n${body}`), 200);
});
