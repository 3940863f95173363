// Responses that nobody reads are given up; those that are read slowly, or have nothing to read yet, are not.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { Connections } from '../../../src/http/connections.ts';
import { type UnreadLimits, unreadLimits } from '../../../src/http/unread-responses.ts';
import { makeCertificate } from '../../harness/server/certificate.ts';
import { until } from '../../harness/until.ts';

type Served = {
  readonly port: number;
  /** The number of open connections, of those that were given up, and of times that one was reported as quiet. */
  readonly open: () => number;
  readonly givenUp: () => number;
  readonly quiet: () => number;
};

/** Serves `answer` to every request. */
async function serve(
  t: TestContext,
  limits: UnreadLimits,
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  certificate?: { readonly cert: Buffer; readonly key: Buffer },
): Promise<Served> {
  let givenUp = 0;
  const connections = new Connections({
    stopGraceMs: 0,
    maxConnections: 1_000,
    proxies: [],
    unread: limits,
    onCrowded: () => {},
    onFault: (error) => assert.fail(String(error)),
    onUnread: (count) => {
      givenUp += count;
    },
  });
  const listener: RequestListener = (request, response) =>
    connections.handle(request, response, (asked, to) => answer(to, asked));
  const server = certificate === undefined ? createServer(listener) : createSecureServer(certificate, listener);
  connections.attach(server);
  let [open, quiet] = [0, 0];
  server.on('timeout', () => quiet++);
  server.on('connection', (socket) => {
    open++;
    socket.on('close', () => open--);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => connections.stop());
  return { port: (server.address() as AddressInfo).port, open: () => open, givenUp: () => givenUp, quiet: () => quiet };
}

/** Asks, and reads nothing until it is resumed. */
async function ask(t: TestContext, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
    .pause()
    .on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  return socket;
}

async function askSecurely(t: TestContext, port: number): Promise<Socket> {
  const socket = connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false })
    .pause()
    .on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket, 'secureConnect');
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  return socket;
}

/** More than the buffers of the system hold. */
const large = Buffer.alloc(16 * 2 ** 20);

test('a response of which nothing is read for a time is given up, and its connection closed', async (t) => {
  const { port, open, givenUp } = await serve(t, { ...unreadLimits, quietMs: 600 }, (response) => response.end(large));
  await ask(t, port);
  await until(open, (count) => count === 1);
  await until(open, (count) => count === 0);
  assert.equal(givenUp(), 1);
});

for (const isSecure of [false, true])
  test(`a response that is read slowly arrives whole${isSecure ? ' over TLS too' : ''}`, async (t) => {
    const certificate = isSecure ? makeCertificate(t, 'ec') : undefined;
    const limits = { ...unreadLimits, quietMs: 1_200 };
    const { port, givenUp } = await serve(t, limits, (response) => response.end(large), certificate);
    const socket = isSecure ? await askSecurely(t, port) : await ask(t, port);
    let read = 0;
    while (read < large.length) {
      // The pauses are short, and longer in all than the time without progress.
      const chunk = socket.read(64 * 1024) as Buffer | null;
      read += chunk?.length ?? 0;
      if (read < 8 * 2 ** 20 || chunk === null) await pause(20);
      assert.ok(!socket.destroyed || read >= large.length, `cut after ${read} bytes`);
    }
    assert.equal(givenUp(), 0);
  });

test('a response that waits for its turn behind one that is not ready is not unread', async (t) => {
  let end = (): unknown => assert.fail('not asked');
  const { port, givenUp, quiet } = await serve(t, { ...unreadLimits, quietMs: 100 }, (response, { url }) => {
    if (url === '/later') response.end('the second');
    else end = () => response.end('the first');
  });
  const socket = (await ask(t, port)).resume();
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  socket.write('GET /later HTTP/1.1\r\nHost: a\r\n\r\n');
  await until(quiet, (count) => count > 0);
  // Longer than a client may read nothing.
  await pause(300);
  end();
  await until(
    () => text,
    (read) => read.includes('the first') && read.includes('the second'),
  );
  assert.equal(givenUp(), 0);
});

test('a response that has nothing to read yet goes on', async (t) => {
  let end = (): unknown => assert.fail('not asked');
  const { port, open, givenUp, quiet } = await serve(t, { ...unreadLimits, quietMs: 100 }, (response) => {
    response.write('the beginning');
    end = () => response.end('the end');
  });
  const socket = (await ask(t, port)).resume();
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  await until(
    () => text,
    (read) => read.includes('the beginning'),
  );
  await until(quiet, (count) => count > 0);
  assert.equal(open(), 1);
  end();
  await until(
    () => text,
    (read) => read.includes('the end'),
  );
  assert.equal(givenUp(), 0);
});

test('when too many bytes wait in all, connections are closed until few enough do', async (t) => {
  const inAll = 5 * large.length;
  const { port, open } = await serve(t, { ...unreadLimits, inAll }, (response) => response.end(large));
  await Promise.all(Array.from({ length: 20 }, () => ask(t, port)));
  await until(open, (count) => count > 5);
  await until(open, (count) => count <= 5);
  assert.ok(open() >= 4, 'and no more of them');
});

test('when too many bytes wait for one client, its connection is closed', async (t) => {
  const limits = { ...unreadLimits, perConnection: large.length / 2 };
  const { port, open, givenUp } = await serve(t, limits, (response) => response.end(large));
  await ask(t, port);
  await until(open, (count) => count === 1);
  await until(open, (count) => count === 0);
  assert.equal(givenUp(), 1);
});
