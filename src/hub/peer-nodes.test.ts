// Handing requests on to another node while this one goes down.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
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

it('a poll that comes while a node goes down is not handed on, where it could wait for very long', async (t) => {
  // It holds what it gets, as a node holds a poll.
  const other = await listen(t, createServer());
  const looks: PromiseWithResolvers<void>[] = [];
  const read = async () => {
    const look = Promise.withResolvers<void>();
    looks.push(look);
    await look.promise;
    return other;
  };
  const neighbours = new PeerNodes({ read } as unknown as Store, { now: () => 0 }, 'this', (error) =>
    assert.fail(String(error)),
  );
  const here = await listen(
    t,
    createServer((request, response) => void neighbours.forward('other', request, response)),
  );
  const ask = () => fetch(here, { signal: AbortSignal.timeout(60_000) });
  const before = ask();
  while (looks.length === 0) await new Promise(setImmediate);
  neighbours.giveUp();
  const after = ask();
  while (looks.length === 1) await new Promise(setImmediate);
  for (const { resolve } of looks) resolve();
  for (const answer of await Promise.allSettled([before, after])) {
    assert.match(answer.status === 'rejected' ? String(answer.reason) : 'answered', /fetch failed/);
  }
});
