// The demo plant: made in an empty installation, rings the phone of Ana, lives, and is removed without a trace.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { schema } from '../../../src/migrations/schema.ts';
import { createApiKey } from '../../../src/operations/access/api-keys.ts';
import { beginDemo, beginDemoRemoval, stepDemo } from '../../../src/operations/demo/change-demo.ts';
import { recount } from '../../harness/history/recount.ts';
import { endWhen, startServer } from '../../harness/server/server-process.ts';
import type { Answer } from '../../harness/site/app.ts';
import { journalOf, newest } from '../../harness/site/journal.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import type { Problem } from '../../harness/site/site-caller.ts';
import { type StoreName, storesUnderTest } from '../../harness/stores/stores.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

type Demo = {
  readonly state: string;
  readonly possible: boolean;
  readonly alarmId: number;
  readonly userId: number;
  readonly stationIds: readonly number[];
  readonly raiseTime: string;
};

const settings = { TOCSIN_TIME_ZONE: 'Europe/Paris' };

/** A site with its demo plant, whose phones the site watches. */
async function startDemo(t: TestContext, kind: StoreName): Promise<{ site: Site; demo: Demo }> {
  const site = await startSite(t, kind, { overrides: settings });
  const demo = await site.ask<Demo>('POST', '/demo');
  const { items } = await site.list('/users');
  site.watchPhones(Object.fromEntries(items.map(({ name, id }) => [String(name), Number(id)])));
  // Bo is called from the start.
  await site.expectWhatRings();
  return { site, demo };
}

/** Tables whose rows stay or change by themselves: the journal, the log, counters, and what a running node notes. */
const notCompared: ReadonlySet<string> = new Set([
  'events',
  'alarm_descriptions',
  'audit_entries',
  'audit_seals',
  'meta',
  'nodes',
  'provider_health',
  'provider_leases',
  'unopened_providers',
]);

/** Every other row of the store, by table. */
async function rowsOf({ app }: Site): Promise<Readonly<Record<string, readonly string[]>>> {
  const tables = await tablesOf(app.environment);
  const found: Record<string, readonly string[]> = {};
  for (const table of schema.tables.filter((name) => !notCompared.has(name)))
    found[table] = (await tables.select(`SELECT * FROM ${table}`)).map((row) => JSON.stringify(row)).toSorted();
  await tables.close();
  return found;
}

function refusal({ status, body }: Answer): [status: number, code: string] {
  return [status, (body as Problem).code];
}

/** Lets the plant make a number of moves. */
async function live(site: Site, moves: number): Promise<void> {
  const before = await movesOf(site);
  for (let made = 0; made < moves; made++) {
    await site.advance('60s');
    await until(
      async () => {
        await site.app.poll();
        return movesOf(site);
      },
      (now) => now > before + made,
    );
  }
}

async function movesOf({ app }: Site): Promise<number> {
  const tables = await tablesOf(app.environment);
  const [row] = await tables.all('demo_plants');
  await tables.close();
  return row?.moves ?? 0;
}

testOnStores('the demo plant is made, and ten seconds later the phone of Ana rings', async (t, kind) => {
  const { site, demo } = await startDemo(t, kind);
  assert.equal(demo.state, 'ready');
  const counts = await Promise.all(
    ['stations', 'users', 'callgroups', 'scenarios', 'alarms', 'alarms/histories', 'call/histories'].map(
      async (path) => [path, (await site.list(`/${path}?limit=1`)).paging.total] as const,
    ),
  );
  const { stations, users, callgroups, scenarios, alarms = 0, ...histories } = Object.fromEntries(counts);
  assert.deepEqual({ stations, users, callgroups, scenarios }, { stations: 5, users: 9, callgroups: 5, scenarios: 5 });
  assert.equal(alarms, 21, 'alarms that stand');
  const occurrences = histories['alarms/histories'] ?? 0;
  assert.ok(occurrences >= 4_000 && occurrences <= 8_000, `${occurrences} occurrences`);
  assert.ok((histories['call/histories'] ?? 0) > 100);
  const ana = site.phoneOf(demo.userId, 'ana');
  await ana.isNotCalled();
  await site.advance('10s');
  await until(
    () => site.ask<{ state: number }>('GET', `/alarms/${demo.alarmId}`),
    ({ state }) => state === 3,
  );
  await ana.isCalled(/Lift station 4: Wet well level very high, 2\.64 m/);
  await ana.takes();
  const { state, ackUser } = await site.ask('GET', `/alarms/${demo.alarmId}`);
  assert.deepEqual([state, ackUser], [1, 'ana']);
  assert.equal((await newest(site, 'demo.made')).actor, 'user:1');
});

testOnAnyStore('its history adds up, and Ana is on duty for pumps', async (t, kind) => {
  const { site } = await startDemo(t, kind);
  const tables = await tablesOf(site.app.environment);
  const found = await recount(tables);
  await tables.close();
  // What returned to normal by itself months ago is not acknowledged by the next acknowledgement of its tag.
  const compared = (lines: readonly string[]) => lines.map((line) => line.replace(/ unacknowledged_since=\w+/, ''));
  for (const [name, { wrong, missing }] of Object.entries(found))
    assert.deepEqual([name, compared(wrong)], [name, compared(missing)]);
  const { items } = await site.list('/oncall');
  const onDuty = (name: string) => items.find((group) => group.name === name)?.members as readonly { user: string }[];
  assert.deepEqual(
    onDuty('Pumps').map(({ user }) => user),
    ['ana'],
  );
});

testOnAnyStore('it is not made beside anything of a real plant, nor twice', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: settings });
  const team = await site.create('/teams', { name: 'Fitters', members: [] });
  assert.deepEqual(refusal(await site.request('POST', '/demo')), [409, 'not-empty']);
  assert.equal((await site.ask<Demo>('GET', '/demo')).possible, false);
  await site.ask('DELETE', `/teams/${team}`);
  assert.equal((await site.ask<Demo>('GET', '/demo')).possible, true);
  const [one, other] = await Promise.all([site.ask<Demo>('POST', '/demo'), site.ask<Demo>('POST', '/demo')]);
  assert.deepEqual(
    [one, other].map(({ state }) => state),
    ['ready', 'ready'],
  );
  assert.equal((await site.list('/stations')).paging.total, 5);
  assert.equal((await journalOf(site, '&kind=demo.made')).length, 1);
});

testOnStores('alarms come, go and are taken, and the removal leaves nothing but the journal', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: settings });
  const before = await rowsOf(site);
  const demo = await site.ask<Demo>('POST', '/demo');
  const users = (await site.list('/users')).items;
  site.watchPhones(Object.fromEntries(users.map(({ name, id }) => [String(name), Number(id)])));
  await site.expectWhatRings();
  await live(site, 25);
  await site.ask('POST', `/alarms/${demo.alarmId}/comments`, { comment: 'seen' });
  await site.ask('POST', '/call/users', { userIds: [demo.userId], msgText: 'Come to the gate' });
  await site.phoneOf(demo.userId, 'ana').isCalled();
  assert.equal(await site.ask('DELETE', '/demo'), true);
  assert.deepEqual(await rowsOf(site), before);
  assert.equal((await newest(site, 'demo.removed')).actor, 'user:1');
  assert.equal((await site.ask<Demo>('GET', '/demo')).possible, true);
  assert.deepEqual(refusal(await site.request('DELETE', '/demo')), [404, 'not-found']);
});

testOnAnyStore('it is not removed while something of the real plant refers to it', async (t, kind) => {
  const { site, demo } = await startDemo(t, kind);
  const members = [{ userId: demo.userId, relief: false }];
  const team = await site.create('/teams', { name: 'Fitters', members });
  const alarm = await site.alarms.send({ path: 'Own/Pump', stationId: demo.stationIds[0] });
  const answer = await site.request('DELETE', '/demo');
  assert.deepEqual(refusal(answer), [409, 'still-referred-to']);
  const { detail } = answer.body as { detail: string };
  assert.match(detail, new RegExp(`alarm ${alarm} .*team ${team} "Fitters"`));
  assert.equal((await site.ask<Demo>('GET', '/demo')).state, 'ready');
  await site.ask('DELETE', `/teams/${team}`);
  await site.alarms.acknowledge(alarm);
  await site.ask('DELETE', `/alarms/${alarm}`);
  assert.equal(await site.ask('DELETE', '/demo'), true);
});

testOnAnyStore('it is removed with the keys that its people have made', async (t, kind) => {
  const { site, demo } = await startDemo(t, kind);
  await site.app.store.write(createApiKey, {
    caller: { actor: `user:${demo.userId}`, stationIds: [] },
    ...{ name: 'of the plant', tokenHash: 'a hash', scopes: ['alarms:read'], stationIds: [] },
    expiresAt: site.app.clock.now() + 86_400_000,
  });
  assert.equal(await site.ask('DELETE', '/demo'), true);
  assert.deepEqual((await site.list('/auth/keys')).items, []);
  assert.equal((await site.ask<Demo>('GET', '/demo')).possible, true);
});

testOnStores(
  'half-made it is completed or removed after a restart, and half-removed it is removed',
  async (t, kind) => {
    const site = await startSite(t, kind, { overrides: settings });
    const before = await rowsOf(site);
    const caller = { actor: 'user:1', stationIds: [] };
    const crashAfter = async (steps: number): Promise<void> => {
      for (let step = 0; step < steps; step++) await site.app.store.write(stepDemo, {});
      await site.restart();
      await site.app.poll();
    };
    const settled = () =>
      until(
        () => site.ask<Demo>('GET', '/demo'),
        ({ state }) => state === 'ready' || state === 'none',
      );
    const begin = { caller, seed: 7, timeZone: 'Europe/Paris' };
    await site.app.store.write(beginDemo, begin);
    await crashAfter(6);
    assert.equal((await settled()).state, 'ready');
    assert.equal((await site.list('/alarms?limit=1')).paging.total, 21);
    await site.app.store.write(beginDemoRemoval, { caller });
    await crashAfter(4);
    assert.equal((await settled()).state, 'none');
    assert.deepEqual(await rowsOf(site), before);
    await site.app.store.write(beginDemo, begin);
    for (let step = 0; step < 5; step++) await site.app.store.write(stepDemo, {});
    assert.equal(await site.ask('DELETE', '/demo'), true);
    assert.deepEqual(await rowsOf(site), before);
  },
);

const skip = storesUnderTest().includes('postgres') ? false : 'two nodes share a PostgreSQL database';

test('postgres: of two nodes one makes each move, and either removes the plant', { skip }, async (t) => {
  const { site, demo } = await startDemo(t, 'postgres');
  const other = await site.startNode();
  await site.advance('10s');
  for (const node of [site, other, site, other]) node.app.poll();
  await site.phoneOf(demo.userId, 'ana').isCalled();
  await until(
    async () => {
      for (const node of [site, other]) node.app.poll();
      return movesOf(site);
    },
    (moves) => moves === 1,
  );
  const { items } = await site.list(`/alarms/histories?alarmId=${demo.alarmId}&sort=-id&limit=2`);
  const raised = items.filter(({ alarmTime }) => Date.parse(String(alarmTime)) >= site.app.clock.now() - 10_000);
  assert.equal(raised.length, 1);
  assert.equal(await other.ask('DELETE', '/demo'), true);
  assert.equal((await site.ask<Demo>('GET', '/demo')).state, 'none');
});

test('`tocsin demo` has a folder of its own, touches no data of the real plant, and leaves nothing', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-test-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const own = { TOCSIN_DATA_DIR: join(folder, 'data'), TOCSIN_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const server = await startServer({ ...own, TMPDIR: folder }, { words: ['demo', '--port', '0'] });
  assert.match((await readdir(folder)).join(), /^tocsin-demo-\w+$/);
  assert.equal((await fetch(`${server.url}/api/v1/demo`)).status, 401);
  const { code, output } = await server.end('SIGINT');
  assert.deepEqual([code, await readdir(folder)], [0, []]);
  assert.match(output, /user {6}admin\n {6}password {2}\S+\n/);
});

test('a demo that is stopped while it starts leaves no folder', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-test-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const hasBegun = async () => {
    const [demo = ''] = await readdir(folder);
    return demo !== '' && (await readdir(join(folder, demo))).length > 0;
  };
  const { code } = await endWhen({ TMPDIR: folder }, ['demo', '--port', '0'], 'SIGINT', hasBegun);
  assert.deepEqual([code, await readdir(folder)], [130, []]);
});
