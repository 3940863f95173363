// Tests clients whose token is revoked, or who leave, while the server authenticates them.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { it, type TestContext } from 'node:test';
import type { Principal } from '../src/principal.ts';
import { HandClient } from './harness/classic-client.ts';
import { negotiate, refusedUpgrade } from './harness/hand-socket.ts';
import { startRig } from './harness/rig.ts';
import { untilEqual } from './harness/until.ts';

const events = { Accept: 'text/event-stream' };

/** Starts a server whose `authenticate` can be held up. */
async function startSlowRig(t: TestContext) {
  let held: PromiseWithResolvers<void> | undefined;
  let looks = 0;
  let isGood = true;
  const authenticate = async (): Promise<Principal | undefined> => {
    // The state when authentication begins. A new object each time, as a real server returns.
    const principal = isGood ? { id: 'ann' } : undefined;
    looks += 1;
    await held?.promise;
    return principal;
  };
  const rig = await startRig({ authenticate });
  t.after(() => rig.stop());
  /** Whether the token was revoked or something about its holder changed, the server gets the same call. */
  const end = () => rig.server.closeConnectionsOf(({ id }) => id === 'ann');
  return {
    rig,
    change: end,
    revoke() {
      isGood = false;
      end();
    },
    restore() {
      isGood = true;
    },
    /** Starts the request and runs `work` while the server authenticates it. */
    async during<T>(ask: () => Promise<T>, work: () => unknown): Promise<T> {
      held = Promise.withResolvers();
      const before = looks;
      const asked = ask();
      await untilEqual(() => looks, before + 1);
      await work();
      held.resolve();
      held = undefined;
      return asked;
    },
  };
}

it('a token revoked during authentication opens no connection, of any kind', async (t) => {
  const { rig, during, revoke, restore, change } = await startSlowRig(t);
  const coreUrl = async () => `${rig.url}?id=${await negotiate(rig.url)}`;
  const classic = () => HandClient.negotiated(rig.url);
  const status = async (answer: Promise<{ status: number }>) => (await answer).status;
  const attempts: Record<string, () => Promise<() => Promise<number>>> = {
    'a WebSocket': async () => {
      const url = await coreUrl();
      return () => status(refusedUpgrade(url));
    },
    'one that did not negotiate': async () => () => status(refusedUpgrade(rig.url)),
    events: async () => {
      const url = await coreUrl();
      return () => status(fetch(url, { headers: events }));
    },
    polls: async () => {
      const url = await coreUrl();
      return () => status(fetch(url));
    },
    'a classic WebSocket': async () => {
      const client = await classic();
      return () => status(refusedUpgrade(client.address('connect', { transport: 'webSockets' })));
    },
    'classic events': async () => {
      const client = await classic();
      return () => status(fetch(client.address('connect', { transport: 'serverSentEvents' })));
    },
    'classic polls': async () => {
      const client = await classic();
      return () => status(client.poll('connect'));
    },
  };
  for (const [name, prepare] of Object.entries(attempts)) {
    restore();
    assert.equal(await during(await prepare(), revoke), 401, name);
    assert.equal(rig.server.connectionCount, 0, name);
  }
  restore();
  const client = await classic();
  assert.equal(await during(() => status(client.ask('ping')), change), 200, 'a token that is still good is');
});

it('a token revoked while the body arrives opens a connection that ends at once', async (t) => {
  const { rig, during, revoke } = await startSlowRig(t);
  const client = await HandClient.negotiated(rig.url);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 2 };
  const address = client.address('connect', { transport: 'longPolling' });
  const connect = request(address, { method: 'POST', headers });
  const answered = new Promise((resolve) => connect.on('response', resolve).on('error', resolve));
  await during(
    async () => connect.flushHeaders(),
    () => {},
  );
  // The request is authenticated before the ping, and now waits for its body.
  await client.ask('ping');
  revoke();
  connect.end('a=');
  await answered;
  await untilEqual(() => rig.server.connectionCount, 0);
  assert.deepEqual(rig.seen, []);
});

it('a client that leaves during authentication leaves nothing behind', async (t) => {
  const { rig, during } = await startSlowRig(t);
  const classic = await HandClient.negotiated(rig.url);
  const addresses = [
    classic.address('connect', { transport: 'serverSentEvents' }),
    `${rig.url}?id=${await negotiate(rig.url)}`,
  ];
  for (const address of addresses) {
    const leaving = request(address, { headers: events });
    const left = new Promise((resolve) => leaving.on('close', resolve).on('error', () => {}));
    await during(
      async () => leaving.end(),
      async () => {
        leaving.destroy();
        await left;
        // The server processes the disconnect before this request.
        await fetch(`${rig.url}/hubs`);
      },
    );
    await untilEqual(() => rig.server.connectionCount, 0);
    await classic.ask('ping');
    assert.equal(rig.server.connectionCount, 0);
  }
});
