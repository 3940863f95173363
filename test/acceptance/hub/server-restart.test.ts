// The server restarts: clients reconnect by themselves, and a client with a position misses nothing.

import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import type { TestContext } from 'node:test';
import type { HubConnectionBuilder } from '@microsoft/signalr';
import { freePort } from '../../../packages/sip/test/harness/ports.ts';
import { type HubClient, hubClient } from '../../harness/hub/hub-client.ts';
import type { TestApp } from '../../harness/site/app.ts';
import { startSite } from '../../harness/site/site.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const plainClients = 24;
const clientsWithPosition = 6;

const comesBack = (builder: HubConnectionBuilder) =>
  builder.withAutomaticReconnect({ nextRetryDelayInMilliseconds: () => 100 });

/** A client that resubscribes from its last position after each reconnect. */
async function clientWithPosition(t: TestContext, { url }: TestApp, token: string): Promise<HubClient> {
  const client = await hubClient(t, url, token, { build: comesBack });
  const { connection, positions } = client;
  const subscribe = async (since: string | undefined): Promise<void> => {
    const { position, recovered } = await connection.invoke('subscribe', since === undefined ? {} : { since });
    assert.equal(recovered, since !== undefined);
    positions.push(position);
  };
  await subscribe(undefined);
  connection.onreconnected(() => subscribe(positions.at(-1)));
  return client;
}

/** Negotiates on a kept-alive connection and returns the status. */
function negotiate({ url }: TestApp, token: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const asked = request(
      `${url}/alarmHub/negotiate?negotiateVersion=1`,
      { method: 'POST', agent, headers },
      (answer) => answer.resume().on('end', () => resolve(answer.statusCode ?? 0)),
    );
    asked.on('error', reject).end();
  });
}

async function untilHeard(clients: readonly HubClient[], path: string): Promise<void> {
  for (const { alarms } of clients) {
    await until(
      () => alarms.at(-1)?.path,
      (last) => last === path,
    );
  }
}

testOnStores(
  'after a restart all clients reconnect by themselves, and those with a position miss nothing',
  async (t, kind) => {
    const TOCSIN_PORT = String(await freePort());
    const site = await startSite(t, kind, { overrides: { TOCSIN_PORT } });
    const many = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));
    const plain = await many(plainClients, () => hubClient(t, site.app.url, site.token, { build: comesBack }));
    const placed = await many(clientsWithPosition, () => clientWithPosition(t, site.app, site.token));
    await site.alarms.send({ path: 'heard' });
    await untilHeard([...plain, ...placed], 'heard');

    // On another port, so that the clients are certainly disconnected.
    await site.restart({ TOCSIN_PORT: '0' });
    for (let n = 0; n < 5; n++) await site.alarms.send({ path: `missed ${n}` });

    await site.restart({ TOCSIN_PORT });
    for (const { connection } of [...plain, ...placed]) {
      await until(
        () => connection.state,
        (state) => state === 'Connected',
      );
    }
    const missed = ['missed 0', 'missed 1', 'missed 2', 'missed 3', 'missed 4'];
    await untilHeard(placed, 'missed 4');
    await site.alarms.send({ path: 'next' });
    await untilHeard([...plain, ...placed], 'next');
    const paths = ({ alarms }: HubClient) => alarms.map(({ path }) => path);
    for (const client of plain) assert.deepEqual(paths(client), ['heard', 'next'], 'nothing is replayed');
    for (const client of placed) assert.deepEqual(paths(client), ['heard', ...missed, 'next']);
  },
);

testOnStores(
  'clients that keep sending requests on open connections do not keep the server from stopping',
  async (t, kind) => {
    const { app, token } = await startSite(t, kind);
    const agents = Array.from({ length: 20 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    t.after(() => {
      for (const agent of agents) agent.destroy();
    });
    for (const agent of agents) assert.equal(await negotiate(app, token, agent), 200);
    const stopping = app.stop();
    // Until each connection is closed and new ones are refused.
    const untilRefused = (agent: Agent) =>
      until(
        () => negotiate(app, token, agent).catch((error) => error.code),
        (answer) => answer === 'ECONNREFUSED',
      );
    await Promise.all(agents.map(untilRefused));
    await stopping;
  },
);
