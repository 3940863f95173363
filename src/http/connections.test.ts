// Tests that closing connections leaves nothing behind.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Connections } from './connections.ts';
import { unreadLimits } from './unread-responses.ts';

const options = {
  stopGraceMs: 0,
  maxConnections: 10,
  proxies: [],
  unread: unreadLimits,
  onCrowded: () => {},
  onFault: (error: unknown) => assert.fail(String(error)),
  onUnread: () => {},
};

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('a client that leaves in the middle of its response during a stop leaves no timer behind', async () => {
  const before = timers();
  const connections = new Connections(options);
  const left = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.socket.once('close', () => left.resolve());
    connections.handle(request, response, () => response.write('the first part'));
  });
  connections.attach(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sent = get({ host: '127.0.0.1', port: (server.address() as AddressInfo).port });
  sent.on('error', () => {});
  const [response] = await once(sent, 'response');
  await once(response, 'data');
  const stopped = connections.stop();
  while (server.listening) await new Promise(setImmediate);
  sent.destroy();
  await Promise.all([stopped, left.promise]);
  assert.equal(timers(), before);
});
