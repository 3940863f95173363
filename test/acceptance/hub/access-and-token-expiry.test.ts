// Access to the hub: its paths, disconnection after a token is revoked, and the station bounds of a key.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { createApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config.ts';
import { classicClient } from '../../harness/hub/classic-page.ts';
import { hubClient } from '../../harness/hub/hub-client.ts';
import { type Answer, freshStore } from '../../harness/site/app.ts';
import { fakeClock } from '../../harness/site/clock.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const paths = (rows: readonly Record<string, unknown>[]) => rows.map(({ path }) => path);
const has = (count: number) => (rows: readonly unknown[]) => rows.length >= count;
const password = 'a staple for the horse';
/** The maximum time that a connection survives its revoked token. */
const soonMs = 5_000;

type Holder = { readonly token: string; readonly id: number };

async function key(site: Site, body: object = {}): Promise<Holder> {
  const expiryTime = new Date(site.app.clock.now() + 86_400_000).toISOString();
  return site.ask<Holder>('POST', '/auth/keys', { name: 'k', expiryTime, scopes: ['alarms:read'], ...body });
}

async function person(site: Site, name: string): Promise<Holder> {
  const id = await site.create('/users', { name, password, role: 'operator' });
  return { id, token: await site.app.signIn(name, password) };
}

testOnStores('a key that is used for the hub alone has been used', async (t, kind) => {
  const site = await startSite(t, kind);
  const { id, token } = await key(site);
  const lastUsed = async () => (await site.list('/auth/keys')).items.find((one) => one.id === id)?.lastUsedTime;
  assert.equal(await lastUsed(), undefined);
  await hubClient(t, site.app.url, token);
  await until(lastUsed, (time) => time === '2026-11-15T13:00:00.000+01:00');
});

testOnStores('a client is disconnected within 5 s of the end of its token; others stay connected', async (t, kind) => {
  const site = await startSite(t, kind);
  const scenes: [string, Holder, end: (holder: Holder) => Promise<Answer>][] = [
    ['a key that is revoked', await key(site), ({ id }) => site.request('DELETE', `/auth/keys/${id}`)],
    ['one who signs out', await person(site, 'ana'), (own) => site.as(own.token).request('POST', '/auth/logout')],
    ['one who is removed', await person(site, 'bo'), ({ id }) => site.request('DELETE', `/users/${id}`)],
    [
      'one whose password is changed',
      await person(site, 'cy'),
      ({ id }) => site.request('PUT', `/users/${id}`, { name: 'cy', role: 'operator', password: 'another one here' }),
    ],
  ];
  const stays = await hubClient(t, site.app.url, site.token);
  for (const [name, holder, end] of scenes) {
    const client = await hubClient(t, site.app.url, holder.token);
    const classic = await classicClient(t, site.app.url, holder.token, 'webSockets');
    assert.equal((await end(holder)).status, 200, name);
    const isGone = () => client.connection.state === 'Disconnected' && classic.hub.state !== 1;
    await until(isGone, (isSo) => isSo, soonMs);
    await site.alarms.send({ path: name });
    await until(
      () => paths(stays.alarms),
      (heard) => heard.includes(name),
    );
    assert.deepEqual([client.alarms, classic.alarms], [[], []], name);
  }
  assert.equal(stays.connection.state, 'Connected');
});

testOnStores(
  "a connection ends with its token by the server's clock, however the process's differs",
  async (t, kind) => {
    const site = await startSite(t, kind, { clock: fakeClock(Date.UTC(2099, 0)) });
    const { token } = await key(site);
    const client = await hubClient(t, site.app.url, token);
    const classic = await classicClient(t, site.app.url, token, 'webSockets');
    site.app.clock.advance(86_400_000);
    const isGone = () => client.connection.state !== 'Connected' && classic.hub.state !== 1;
    await until(isGone, (isSo) => isSo, soonMs);
  },
);

testOnStores('a bound key recovers no alarms of another station, whatever filter it sends', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  const bound = await key(site, { stationIds: [north] });
  const first = await hubClient(t, site.app.url, bound.token);
  const { position } = await first.connection.invoke('subscribe', {});
  await site.alarms.send({ path: 'not theirs' });
  await site.alarms.send({ path: 'theirs', stationId: north });
  // So that the next client subscribes after both alarms.
  await until(() => first.alarms, has(1));
  const again = await hubClient(t, site.app.url, bound.token);
  const filter = { since: position, stations: [1, north], changes: true };
  assert.equal((await again.connection.invoke('subscribe', filter)).recovered, true);
  await site.alarms.send({ path: 'not theirs again' });
  await site.alarms.send({ path: 'end', stationId: north });
  for (const { alarms } of [first, again]) {
    await until(() => alarms, has(2));
    assert.deepEqual(paths(alarms), ['theirs', 'end']);
  }
});

test('both protocol families find the hub at the configured paths below the base path, and nowhere else', async (t) => {
  const overrides = { TOCSIN_BASE_PATH: '/alertws', TOCSIN_HUB_PATHS: '/bell,/signalr' };
  const site = await startSite(t, 'sqlite', { overrides });
  const mounts = ['/bell', '/signalr'];
  const clients = await Promise.all(
    mounts.flatMap((path) => [
      hubClient(t, site.app.url, site.token, { path }),
      classicClient(t, site.app.url, site.token, 'webSockets', path),
    ]),
  );
  await site.alarms.send({ path: 'pump' });
  for (const { alarms } of clients) await until(() => paths(alarms), has(1));
  const { origin } = new URL(site.app.url);
  for (const url of [`${site.app.url}/alarmHub`, `${origin}/bell`, `${origin}/signalr`]) {
    const headers = { authorization: `Bearer ${site.token}` };
    assert.equal((await fetch(`${url}/negotiate`, { method: 'POST', headers })).status, 404, url);
  }
});

test('a token in the query string is accepted by the hub only, and is never logged', async (t) => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const config = readConfig({ ...(await freshStore(t, 'sqlite')), TOCSIN_ADMIN_PASSWORD: password });
  const app = createApp(config, { clock: fakeClock(), log, onBroken: assert.fail });
  const { url } = await app.start();
  t.after(() => app.stop());
  const signedIn = await fetch(`${url}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password, grant_type: 'password' }),
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const status = async (path: string, method = 'GET') =>
    (await fetch(`${url}${path}access_token=${token}`, { method })).status;
  assert.equal(await status('/alarmHub/negotiate?', 'POST'), 200);
  assert.equal(await status('/signalr/negotiate?clientProtocol=2.1&'), 200);
  assert.equal(await status('/signalr/connect?transport=nonsense&'), 400);
  assert.equal(await status('/alarmHub?id=nonsense&'), 404);
  assert.equal(await status('/api/v1/alarms?'), 401);
  assert.equal(await status('/nothing?'), 404);
  const { alarms } = await classicClient(t, url, token, 'serverSentEvents');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  await fetch(`${url}/api/v1/alarms`, { method: 'POST', headers, body: '{"path":"pump"}' });
  await until(() => alarms, has(1));
  assert.ok(lines.length > 0);
  assert.deepEqual(
    lines.filter((line) => line.includes(token)),
    [],
  );
});
