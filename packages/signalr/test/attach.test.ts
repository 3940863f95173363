// A server with default options, attached to HTTP servers with and without other listeners.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it, type TestContext } from 'node:test';
import { defineHub } from '../src/hub.ts';
import type { SignalROptions } from '../src/options.ts';
import { SignalRServer } from '../src/server.ts';
import { makeClient } from './harness/core-client.ts';
import { negotiate, refusedUpgrade } from './harness/hand-socket.ts';

const hub = defineHub({ name: 'plain', methods: { whoAmI: ({ connection }) => connection.principal.id } });

async function start(t: TestContext, http: Server, options: Partial<SignalROptions> = {}): Promise<string> {
  const server = new SignalRServer({ mounts: [{ path: '/hub', hub }], ...options });
  server.attach(http);
  await new Promise<void>((done) => http.listen(0, '127.0.0.1', done));
  t.after(async () => {
    await server.close();
    await new Promise((done) => http.close(done));
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

it('other listeners keep the requests and upgrades that are not at a mount', async (t) => {
  const http = createServer((request, response) => response.end(`page ${request.url}`));
  http.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 418 Teapot\r\nConnection: close\r\n\r\n'));
  const url = await start(t, http);
  assert.equal(await (await fetch(`${url}/other`)).text(), 'page /other');
  assert.equal((await refusedUpgrade(`${url}/other`)).status, 418);
  assert.equal((await refusedUpgrade(`${url}/hub?id=none`)).status, 404);
  const client = makeClient(`${url}/hub`);
  await client.start();
  assert.equal(await client.invoke('whoAmI'), 'anonymous');
  await client.stop();
});

it('without other listeners, requests and upgrades that are not at a mount get 404', async (t) => {
  const url = await start(t, createServer());
  assert.equal((await fetch(`${url}/other`)).status, 404);
  assert.equal((await refusedUpgrade(`${url}/other`)).status, 404);
});

it('a connection token of one server opens nothing on another with its own default key', async (t) => {
  const [first, second] = [await start(t, createServer()), await start(t, createServer())];
  const token = await negotiate(`${first}/hub`);
  assert.equal((await fetch(`${second}/hub?id=${token}`)).status, 404);
  assert.equal((await fetch(`${first}/hub?id=${token}`)).status, 200);
  await fetch(`${first}/hub?id=${token}`, { method: 'DELETE' });
});

it('an authenticate that returns undefined without a promise lets nobody in', async (t) => {
  const authenticate = (() => undefined) as unknown as NonNullable<SignalROptions['authenticate']>;
  const url = await start(t, createServer(), { authenticate });
  assert.equal((await fetch(`${url}/hub/negotiate`, { method: 'POST' })).status, 401);
});
