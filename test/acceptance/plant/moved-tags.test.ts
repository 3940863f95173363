// The tags of a placeholder, and those of a renamed data server, are changed in pieces; each tag stays one alarm all the while.

import assert from 'node:assert/strict';
import type { PollingLoop } from '../../../src/dispatch/polling-loop.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { executeSql, poisonUpdates } from '../../harness/stores/execute-sql.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

const number = 42_000;

async function leavePieces(site: Site): Promise<void> {
  await (site.app.polled.pendingWork as PollingLoop).stop();
}

async function placeholderOf(site: Site): Promise<number> {
  return (await placeholdersOf(site))[0] ?? 0;
}

async function placeholdersOf(site: Site): Promise<readonly number[]> {
  const { items } = await site.list('/dataservers');
  return items.filter(({ placeholder }) => placeholder !== undefined).map(({ id }) => Number(id));
}

const on = async (site: Site, server: number) => (await site.list(`/alarms?dataServerId=${server}`)).paging.total;

function tags(more: object): object[] {
  return Array.from({ length: 200 }, (_, n) => ({ path: `tag ${n}`, eventCondition: { value: '>5' }, ...more }));
}

testOnStores(
  'many tags of a placeholder are moved in pieces, and one that is reported meanwhile at once',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ids = await site.ask<number[]>('POST', '/alarms/batch', tags({ dataServerId: number, raised: true }));
    const [from, real] = [await placeholderOf(site), await site.create('/dataservers', { name: 'Boilers' })];
    await leavePieces(site);
    assert.equal(await site.ask('POST', `/dataservers/${from}/move`, { dataServerId: real }), 200);
    const moved = await on(site, real);
    assert.ok(moved <= 100, `${moved} were moved in one transaction`);

    const unmoved = ids.at(-1) ?? 0;
    const valued = ids.at(-2) ?? 0;
    assert.equal((await site.alarms.get(unmoved)).dataServerId, from);
    assert.equal(await site.alarms.send({ dataServerId: number, path: 'tag 199', raised: false }), unmoved);
    await site.ask('POST', '/tags/values', [{ dataServerId: real, path: 'tag 198', value: '1' }]);
    for (const id of [unmoved, valued]) {
      const { dataServerId, fullPath, state } = await site.alarms.get(id);
      assert.deepEqual([dataServerId, String(fullPath).startsWith('Boilers\\tag 19'), state], [real, true, 2]);
    }
    await site.restart();
    await until(
      () => on(site, real),
      (total) => total === 200,
    );
    assert.equal(await on(site, from), 0);
  },
);

testOnStores('two moves to one data server do not bring two tags of one path together', async (t, kind) => {
  const site = await startSite(t, kind);
  const ids = await site.ask<number[]>('POST', '/alarms/batch', tags({ dataServerId: number }));
  const last = ids.at(-1) ?? 0;
  const other = await site.alarms.send({ dataServerId: number + 1, path: 'tag 199' });
  const [from, second] = await placeholdersOf(site);
  const real = await site.create('/dataservers', { name: 'Boilers' });
  await leavePieces(site);
  await site.ask('POST', `/dataservers/${from}/move`, { dataServerId: real });
  const refused = await site.request('POST', `/dataservers/${second}/move`, { dataServerId: real });
  assert.deepEqual([refused.status, (refused.body as { code: string }).code], [409, 'name-taken']);

  // As an earlier version allowed it.
  await executeSql(site.app, `update data_servers set moved_to = ${real} where id = ${second}`);
  await executeSql(
    site.app,
    `insert into pending_moves (id, data_server_id, moved_to, after_id, actor) values (900, ${second}, ${real}, 0, 'user:1')`,
  );
  for (const reported of [number, number + 1, number])
    assert.equal(await site.alarms.send({ dataServerId: reported, path: 'tag 199', raised: false }), last);
  await site.restart();
  await until(
    () => on(site, real),
    (total) => total === 200,
  );
  const told = await until(
    async () => (await site.alarms.fromTocsin()).find(({ path }) => path === `system/tags-not-moved/${second}`),
    (alarm) => alarm !== undefined,
  );
  assert.match(String(told?.message), /^1 tags of data server .* "Boilers", .*"tag 199"\.$/);
  assert.equal((await site.alarms.get(other)).dataServerId, second);
  assert.equal((await site.alarms.get(last)).dataServerId, real);
});

testOnStores('a move that cannot go on is set aside, and the next one is carried out', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.ask('POST', '/alarms/batch', tags({ dataServerId: number }));
  const from = await placeholderOf(site);
  const real = await site.create('/dataservers', { name: 'Boilers' });
  const south = await site.create('/dataservers', { name: 'South' });
  await site.ask('POST', '/alarms/batch', tags({ dataServerId: south }));
  await leavePieces(site);
  await site.ask('POST', `/dataservers/${from}/move`, { dataServerId: real });
  await site.ask('PUT', `/dataservers/${south}`, { name: 'Depot' });
  await executeSql(site.app, poisonUpdates(kind, 'alarms', `new.data_server_id = ${real}`));
  await site.restart();
  await until(
    async () => (await site.list(`/alarms?dataServerId=${south}&limit=1000`)).items,
    (items) => items.every(({ name }) => String(name).startsWith('Depot\\')),
  );
  const [aside] = (await site.alarms.fromTocsin()).filter(({ path }) => String(path).includes('set-aside/move/'));
  assert.match(String(aside?.message), /cannot all be changed because of a fault in Tocsin/);
  await executeSql(site.app, `drop trigger poison${kind === 'sqlite' ? '' : ' on alarms'}`);
  site.app.clock.advance(60_000);
  await until(
    () => on(site, real),
    (total) => total === 200,
  );
});

testOnStores('many tags of a renamed data server get their new names in pieces', async (t, kind) => {
  const site = await startSite(t, kind);
  const server = await site.create('/dataservers', { name: 'South' });
  await site.ask('POST', '/alarms/batch', tags({}));
  await site.ask('POST', '/alarms/batch', tags({ dataServerId: server }));
  await leavePieces(site);
  await site.ask('PUT', `/dataservers/${server}`, { name: 'Depot' });
  const named = async (name: string) => {
    const { items } = await site.list(`/alarms?dataServerId=${server}&limit=1000`);
    return items.filter((row) => String(row.name).startsWith(`${name}\\`)).length;
  };
  const atOnce = await named('Depot');
  assert.ok(atOnce > 0 && atOnce <= 100, `${atOnce} were renamed in one transaction`);
  await site.restart();
  await until(
    () => named('Depot'),
    (total) => total === 200,
  );
  assert.equal(await named('South'), 0);
});

testOnStores('tags that have the name of their data server keep it when that is renamed and back', async (t, kind) => {
  const site = await startSite(t, kind);
  const server = await site.create('/dataservers', { name: 'South' });
  await site.ask('POST', '/alarms/batch', tags({}));
  await site.ask('POST', '/alarms/batch', tags({ dataServerId: server }));
  await leavePieces(site);
  for (const name of ['Depot', 'South', 'Depot', 'South']) await site.ask('PUT', `/dataservers/${server}`, { name });
  const tables = await tablesOf(site.app.environment);
  assert.equal((await tables.all('pending_moves')).length, 1);
  await site.restart();
  await until(
    () => tables.all('pending_moves'),
    (rows) => rows.length === 0,
  );
  await tables.close();
  const { items } = await site.list(`/alarms?dataServerId=${server}&limit=1000`);
  const wrong = items.filter(({ name, path }) => name !== `South\\${path}`);
  assert.deepEqual(wrong, []);
});

testOnAnyStore(
  'an intervention counts where its occurrence began, also if the tag has moved since',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const north = await site.create('/stations', { name: 'North' });
    const id = await site.alarms.send({ dataServerId: number, path: 'pump' });
    const from = await placeholderOf(site);
    const real = await site.create('/dataservers', { name: 'Boilers', stationId: north });
    site.app.clock.advance(60_000);
    await site.alarms.acknowledge(id);
    await site.ask('POST', `/dataservers/${from}/move`, { dataServerId: real });
    site.app.clock.advance(120_000);
    await site.alarms.send({ dataServerId: number, path: 'pump', raised: false });
    const of = async (filter: string) =>
      (await site.list(`/alarms/interventions?${filter}`)).items.map((row) => [
        row.interventionNumber,
        row.interventionMeanTime,
      ]);
    assert.deepEqual(await of(`dataServerId=${real}`), []);
    const whole = [[1, '00:02:00']];
    for (const filter of ['', `dataServerId=${from}`, 'stationId=1']) assert.deepEqual(await of(filter), whole, filter);
  },
);
