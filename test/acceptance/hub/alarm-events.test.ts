// The hub sends each new alarm once, after its commit, to the clients that may see it and subscribed to it.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { HttpTransportType, type HubConnectionBuilder } from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { readAlarmEvents } from '../../../src/operations/alarms/events.ts';
import { classicClient } from '../../harness/hub/classic-page.ts';
import { hubClient } from '../../harness/hub/hub-client.ts';
import { startTestApp } from '../../harness/site/app.ts';
import { startSite } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { failRead } from '../../harness/site/store-faults.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const paths = (rows: readonly Record<string, unknown>[]) => rows.map(({ path }) => path);
const has = (count: number) => (rows: readonly unknown[]) => rows.length >= count;

testOnStores('6 onAlarm sends the same alarm as the list, on every transport and protocol', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.alarms.send({ path: 'before' });
  const packed = (builder: HubConnectionBuilder) => builder.withHubProtocol(new MessagePackHubProtocol());
  const { WebSockets, ServerSentEvents, LongPolling } = HttpTransportType;
  const clients = [
    await hubClient(t, site.app.url, site.token, { transport: WebSockets }),
    await hubClient(t, site.app.url, site.token, { transport: WebSockets, build: packed, path: '/signalr/alarmHub' }),
    await hubClient(t, site.app.url, site.token, { transport: ServerSentEvents, path: '/hubs/alarmHub' }),
    await hubClient(t, site.app.url, site.token, { transport: LongPolling, path: '/signalr' }),
    await hubClient(t, site.app.url, site.token, { transport: LongPolling, build: packed }),
  ];
  const id = await site.alarms.send({
    path: 'pump',
    alarmMessage: 'hot',
    value: '93',
    priority: 2,
    names: { fr: 'Pompe' },
  });
  const shown = (await site.alarms.list('?search=pump')).items[0];
  for (const { alarms } of clients) {
    await until(() => alarms, has(1));
    assert.deepEqual(alarms, [shown]);
    assert.deepEqual(Object.keys(alarms[0] ?? {}), Object.keys(shown ?? {}), 'in the same order');
  }
  assert.equal(shown?.id, id);
});

testOnStores(
  "the hub uses the names in the server's language, also in recovered events; the list uses Accept-Language",
  async (t, kind) => {
    const site = await startSite(t, kind, { overrides: { TOCSIN_LANGUAGE: 'fr-CA' } });
    const core = await hubClient(t, site.app.url, site.token);
    const { position } = await core.connection.invoke('subscribe', { changes: true });
    const classic = await classicClient(t, site.app.url, site.token, 'webSockets');
    const id = await site.alarms.send({ path: 'pump', names: { fr: 'Pompe', de: 'Pumpe' } });
    await site.alarms.send({ path: 'valve', names: { de: 'Ventil' } });
    await site.alarms.send({ path: 'door' });
    await site.alarms.acknowledge(id);
    await until(() => core.changes, has(1));
    await until(() => classic.alarms, has(3));
    const later = await hubClient(t, site.app.url, site.token);
    await later.connection.invoke('subscribe', { changes: true, since: position });
    await until(() => later.changes, has(1));
    const named = (rows: readonly Record<string, unknown>[]) => rows.map(({ localizedName }) => localizedName);
    for (const { alarms } of [core, classic, later]) assert.deepEqual(named(alarms), ['Pompe', 'valve', 'door']);
    for (const { changes } of [core, later]) assert.deepEqual(named(changes), ['Pompe']);
    const asked = async (headers: Record<string, string>) =>
      ((await site.app.request('GET', `/api/v1/alarms/${id}`, { token: site.token, headers })).body as Row)
        .localizedName;
    assert.deepEqual([await asked({}), await asked({ 'accept-language': 'de' })], ['pump', 'Pumpe']);
  },
);

testOnStores('each occurrence is sent once; changes only to clients that subscribed to them', async (t, kind) => {
  const site = await startSite(t, kind);
  const plain = await hubClient(t, site.app.url, site.token);
  const curious = await hubClient(t, site.app.url, site.token);
  assert.equal((await curious.connection.invoke('subscribe', { changes: true })).recovered, false);
  const id = await site.alarms.send({ path: 'pump' });
  await site.alarms.send({ path: 'pump', value: '7' });
  await site.alarms.acknowledge(id);
  await site.alarms.send({ path: 'pump', raised: false });
  await site.request('POST', `/alarms/${id}/mask`, { until: '2026-11-15T13:00:00Z', reason: 'work' });
  await site.alarms.send({ path: 'pump' });
  site.app.clock.advance(3_600_000);
  await until(() => plain.alarms, has(2));
  await site.alarms.send({ path: 'last' });
  await until(() => curious.alarms, has(3));
  await until(() => plain.alarms, has(3));
  for (const { alarms } of [plain, curious]) {
    assert.deepEqual(paths(alarms), ['pump', 'pump', 'last'], 'masked, it is told of when the mask ends');
  }
  assert.deepEqual(plain.changes, []);
  assert.deepEqual(
    curious.changes.map(({ state, masked }) => [state, masked]),
    [
      [3, false],
      [1, false],
      [0, false],
      [0, true],
      [3, true],
    ],
  );
});

testOnStores('a client receives only alarms of its stations that match its filter', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  const pumps = await site.create('/taggroups', { name: 'Pumps' });
  const bound = await site.keyFor(['alarms:read'], [north]);
  const theirs = await hubClient(t, site.app.url, bound);
  const byGroup = await hubClient(t, site.app.url, site.token);
  await byGroup.connection.invoke('subscribe', { tagGroups: [pumps] });
  const byPriority = await hubClient(t, site.app.url, site.token);
  await byPriority.connection.invoke('Subscribe', { priorities: [1, 2], stations: [1] });
  await site.alarms.send({ path: 'a', tagGroupId: pumps });
  await site.alarms.send({ path: 'b', stationId: north, priority: 1 });
  await site.alarms.send({ path: 'c', priority: 1 });
  const everything = await hubClient(t, site.app.url, site.token);
  await site.alarms.send({ path: 'end', stationId: north, priority: 2 });
  await site.alarms.send({ path: 'end', tagGroupId: pumps, priority: 2 });
  await until(() => everything.alarms, has(2));
  await until(() => byPriority.alarms, has(2));
  await until(() => byGroup.alarms, has(2));
  await until(() => theirs.alarms, has(2));
  assert.deepEqual(paths(theirs.alarms), ['b', 'end']);
  assert.deepEqual(paths(byGroup.alarms), ['a', 'end']);
  assert.deepEqual(paths(byPriority.alarms), ['c', 'end']);
  for (const [filter, sentence] of [
    [{ stations: 'all' }, /stations must be a list/],
    [{ station: [1] }, /no field station/],
    [{ changes: 1 }, /changes must be true or false/],
    ['everything', /must be an object/],
  ] as const) {
    await assert.rejects(byGroup.connection.invoke('subscribe', filter), sentence);
  }
});

testOnStores(
  'a client that subscribes with a position gets the events since then once, and none before it',
  async (t, kind) => {
    const site = await startSite(t, kind);
    // A client that connects after the witness received an alarm connects after that alarm; PostgreSQL assigns its
    // position a moment later.
    const witness = await hubClient(t, site.app.url, site.token);
    await site.alarms.send({ path: 'before' });
    await until(() => witness.alarms, has(1));
    const first = await hubClient(t, site.app.url, site.token);
    const { position } = await first.connection.invoke('subscribe');
    await site.alarms.send({ path: 'heard' });
    await until(() => first.positions, has(1));
    const heard = first.positions.at(-1);
    await first.connection.stop();
    for (let n = 0; n < 12; n++) await site.alarms.send({ path: `missed ${n}` });
    await until(() => witness.alarms, has(14));
    const second = await hubClient(t, site.app.url, site.token);
    const answer = await second.connection.invoke('subscribe', { since: heard });
    assert.equal(answer.recovered, true);
    await site.alarms.send({ path: 'new' });
    await until(() => second.alarms, has(13));
    assert.deepEqual(paths(second.alarms), [...Array.from({ length: 12 }, (_, n) => `missed ${n}`), 'new']);
    const third = await hubClient(t, site.app.url, site.token);
    await third.connection.invoke('subscribe', { since: position });
    await until(() => third.alarms, has(14));
    assert.deepEqual(paths(third.alarms)[0], 'heard', 'from where it first subscribed, not before');
    const changed = String(position).replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
    for (const since of ['1.x.y', changed, '']) {
      assert.equal((await third.connection.invoke('subscribe', { since })).recovered, false, 'not ours');
    }
  },
);

testOnStores('a token without alarms:read cannot connect, and a revoked one is disconnected', async (t, kind) => {
  const site = await startSite(t, kind);
  const { app } = site;
  await assert.rejects(hubClient(t, app.url, 'nonsense'), /401/);
  const source = await site.keyFor(['alarms:write']);
  await assert.rejects(hubClient(t, app.url, source), /403/);
  const expiryTime = new Date(app.clock.now() + 86_400_000).toISOString();
  const body = { name: 'reader', scopes: ['alarms:read'], expiryTime };
  const { id, token: key } = await site.ask<{ id: number; token: string }>('POST', '/auth/keys', body);
  const reader = await hubClient(t, app.url, key);
  const admin = await hubClient(t, app.url, site.token);
  const ends = new Promise<void>((resolve) => reader.connection.onclose(() => resolve()));
  await site.ask('DELETE', `/auth/keys/${id}`);
  await ends;
  assert.equal(admin.connection.state, 'Connected', 'nobody else has to go');
});

testOnStores('a POST with an Upgrade header for another protocol is served normally', async (t, kind) => {
  const app = await startTestApp(t, kind);
  const token = await app.signIn();
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
  const body = JSON.stringify({ path: 'pump' });
  const status = await new Promise((resolve, reject) => {
    const outgoing = request(
      `${app.url}/api/v1/alarms`,
      {
        method: 'POST',
        headers: {
          ...headers,
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': body.length,
        },
      },
      (answer) => resolve(answer.resume().statusCode),
    );
    outgoing.on('error', reject).end(body);
  });
  assert.equal(status, 200);
});

testOnAnyStore(
  'a client whose subscribe since a position meets an error of the database is closed, and gets everything when it comes back',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const reconnecting = (builder: HubConnectionBuilder) => builder.withAutomaticReconnect([0, 0, 100, 1_000]);
    const first = await hubClient(t, site.app.url, site.token);
    const { position } = await first.connection.invoke('subscribe', {});
    await site.alarms.send({ path: 'missed' });
    const client = await hubClient(t, site.app.url, site.token, { build: reconnecting });
    let comebacks = 0;
    client.connection.onreconnected(() => void comebacks++);
    const { isLost } = failRead(site.app.store, readAlarmEvents);
    await assert.rejects(client.connection.invoke('subscribe', { since: position }));
    assert.equal(isLost(), true);
    await until(
      () => comebacks,
      (count) => count === 1,
    );
    await client.connection.invoke('subscribe', { since: position });
    await site.alarms.send({ path: 'later' });
    await until(() => client.alarms, has(2));
    assert.deepEqual(paths(client.alarms), ['missed', 'later']);
  },
);
