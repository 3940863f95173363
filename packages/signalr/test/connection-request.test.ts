// Tests what a connection knows of its client: the request that opened its transport, and its principal.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { HttpTransportType } from '@microsoft/signalr';
import { defineHub, type HubConnection } from '../src/hub.ts';
import type { Principal } from '../src/principal.ts';
import { HandClient } from './harness/classic-client.ts';
import { makeClient } from './harness/core-client.ts';
import { RawClient, transports } from './harness/raw-rig.ts';
import { type Rig, startRig } from './harness/rig.ts';
import { until, untilEqual } from './harness/until.ts';

type Person = Principal & { readonly roles: readonly string[]; readonly request: number };

const ends: string[] = [];
const hub = defineHub({
  name: 'trades',
  methods: {
    about: ({ connection: { request } }, header, field, cookie) => [
      request.transport,
      request.headers[String(header)] ?? null,
      request.query.get(String(field)),
      request.cookies[String(cookie)] ?? null,
    ],
    roles: ({ connection }) => (connection.principal as Person).roles,
  },
  onDisconnected: ({ principal, request }: HubConnection) => {
    ends.push(`${principal.id} ${(principal as Person).roles} ${request.transport}`);
  },
});

let rig: Rig;
before(async () => {
  let count = 0;
  rig = await startRig({
    mounts: [
      { path: '/hub', hub },
      { path: '/raw', connections: { name: 'raw', onConnected: (end) => end.send(end.request.transport) } },
    ],
    // A new object for each request, as where principals are read from a token.
    authenticate: async () => ({ id: 'ann', roles: ['operator'], request: ++count }) as Person,
  });
});
after(() => rig.stop());

for (const transport of transports) {
  it(`a hub reads headers, query and cookies of a client over ${transport}, and its principal until the end`, async () => {
    ends.length = 0;
    const headers = { 'X-Tenant': 'north', Cookie: 'theme=dark%20blue; odd=%; bare' };
    const client = makeClient(`${rig.url}?plant=7&access_token=secret`, {
      transport: HttpTransportType[transport],
      headers,
    });
    await client.start();
    assert.deepEqual(await client.invoke('about', 'x-tenant', 'plant', 'theme'), [
      transport,
      'north',
      '7',
      'dark blue',
    ]);
    assert.deepEqual(await client.invoke('about', 'x-none', 'none', 'bare'), [transport, null, null, null]);
    assert.deepEqual(await client.invoke('about', 'x-none', 'none', 'odd'), [transport, null, null, '%']);
    assert.deepEqual(await client.invoke('roles'), ['operator']);
    await client.stop();
    await untilEqual(() => ends, [`ann operator ${transport}`]);
  });
}

it('a classic client is known by the request of its newest transport', async () => {
  const client = await HandClient.negotiated(rig.url, { plant: '7' });
  const about = async () =>
    JSON.parse(
      (await client.send('longPolling', { H: 'trades', M: 'about', A: ['x-none', 'plant', 'none'], I: 0 })).text,
    ).R;
  const events = await client.events();
  await client.start('serverSentEvents');
  assert.deepEqual(await about(), ['ServerSentEvents', null, '7', null]);
  events.stop();
  const poll = client.poll('reconnect', 'unknown,0').catch(() => {});
  await until(about, ([transport]) => transport === 'LongPolling');
  await client.ask('abort', { transport: 'longPolling' }, { method: 'POST' });
  await poll;
});

it('a raw connection knows its request, too', async () => {
  const client = await RawClient.connect(rig.url.replace('/hub', '/raw'), 'LongPolling');
  await untilEqual(() => client.text, 'LongPolling');
});
