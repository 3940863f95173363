// Tests where requests are forwarded to, and when they are not: while this node shuts down, and while the other does not answer.

import assert from 'node:assert/strict';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { it, type TestContext } from 'node:test';
import type { Store } from '../store/store.ts';
import { PeerNodes } from './peer-nodes.ts';

async function listen(t: TestContext, server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('a poll that arrives during shutdown is not forwarded to another node, where it could wait for very long', async (t) => {
  // Never responds, as a node that holds a long poll.
  const other = await listen(t, createServer());
  const lookups: PromiseWithResolvers<void>[] = [];
  const read = async () => {
    const lookup = Promise.withResolvers<void>();
    lookups.push(lookup);
    await lookup.promise;
    return other;
  };
  const peers = new PeerNodes({ read } as unknown as Store, { now: () => 0 }, 'this', (error) =>
    assert.fail(String(error)),
  );
  const here = await listen(
    t,
    createServer((request, response) => void peers.forward('other', request, response)),
  );
  const ask = () => fetch(here, { signal: AbortSignal.timeout(60_000) });
  const before = ask();
  while (lookups.length === 0) await new Promise(setImmediate);
  peers.abortForwards();
  const after = ask();
  while (lookups.length === 1) await new Promise(setImmediate);
  for (const { resolve } of lookups) resolve();
  for (const result of await Promise.allSettled([before, after])) {
    assert.match(result.status === 'rejected' ? String(result.reason) : 'answered', /fetch failed/);
  }
});

/** A poll that another node holds; that node is asked whether it is alive, and once it is dead does `asDead` instead of answering. */
async function heldByOther(t: TestContext, asDead: (request: IncomingMessage) => void) {
  const held: string[] = [];
  let isAlive = true;
  const other = await listen(
    t,
    createServer((request, response) => {
      if (request.method !== 'HEAD') held.push(request.url ?? '');
      else if (isAlive) response.end();
      else asDead(request);
    }),
  );
  const store = { read: async () => other } as unknown as Store;
  const peers = new PeerNodes(store, { now: () => 0 }, 'this', () => {});
  // Awaited, because the mocked timers of the next test do not know the timer that it clears.
  const forwarded: Promise<unknown>[] = [];
  const here = await listen(
    t,
    createServer((request, response) => void forwarded.push(peers.forward('other', request, response))),
  );
  const poll = fetch(here).then(
    () => 'answered',
    () => Promise.all(forwarded).then(() => 'ended'),
  );
  const third = await listen(
    t,
    createServer((_, response) => response.end()),
  );
  /** What the poll is after as much time as a request takes. */
  const state = () => Promise.race([poll, fetch(third).then(() => 'held')]);
  const kill = () => {
    isAlive = false;
  };
  return { held, state, poll, kill };
}

it('a request held by a node that no longer answers is ended, and one held by a living node is not', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const { held, state, poll, kill } = await heldByOther(t, (request) => request.socket.destroy());
  while (held.length === 0) await new Promise(setImmediate);
  t.mock.timers.tick(5_000);
  assert.equal(await state(), 'held');
  kill();
  t.mock.timers.tick(5_000);
  assert.equal(await poll, 'ended');
});

it('a request held by a node that accepts connections and never answers is ended after 5 s more', async (t) => {
  // The types do not name the second yet.
  t.mock.timers.enable({ apis: ['setInterval', 'AbortSignal.timeout' as 'setInterval'] });
  const asked: IncomingMessage[] = [];
  const { held, state, poll, kill } = await heldByOther(t, (request) => void asked.push(request));
  while (held.length === 0) await new Promise(setImmediate);
  kill();
  t.mock.timers.tick(5_000);
  while (asked.length === 0) await new Promise(setImmediate);
  t.mock.timers.tick(4_999);
  assert.equal(await state(), 'held');
  t.mock.timers.tick(1);
  assert.equal(await poll, 'ended');
});

it('a request with an extra slash or a whole URL as its path goes to the node, never to a host that it names', async (t) => {
  const seen: (string | undefined)[] = [];
  const other = await listen(
    t,
    createServer((request, response) => {
      seen.push(request.url);
      response.end(request.headers.authorization);
    }),
  );
  const troubles: unknown[] = [];
  const store = { read: async () => other } as unknown as Store;
  const peers = new PeerNodes(store, { now: () => 0 }, 'this', (error) => troubles.push(error));
  const here = await listen(
    t,
    createServer(async (request, response) => {
      if (!(await peers.forward('other', request, response))) response.end('not forwarded');
    }),
  );
  const { hostname, port } = new URL(here);
  for (const path of ['//alarmhub.invalid/poll?id=1&x=%2f', 'http://alarmhub.invalid/poll', '/alarmhub/poll']) {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const asked = httpRequest({ hostname, port, path, headers: { authorization: 'Bearer secret' } }, (response) => {
      response.setEncoding('utf8').once('data', resolve);
    });
    asked.on('error', reject).end();
    assert.equal(await promise, 'Bearer secret', path);
  }
  assert.deepEqual(troubles, []);
  assert.deepEqual(seen, ['//alarmhub.invalid/poll?id=1&x=%2f', '/http://alarmhub.invalid/poll', '/alarmhub/poll']);
});
