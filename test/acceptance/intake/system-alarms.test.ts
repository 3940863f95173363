// System alarms live on a built-in data server of their station, which no caller can write to.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

const unknownGroup = { alarmActions: [{ type: 'CallGroup', id: 7 }] };

/** Raises one of Tocsin's own alarms and returns it. */
async function systemAlarm(site: Site, stationId = 1): Promise<Row> {
  await site.alarms.send({ path: 'pump', stationId, ...unknownGroup });
  const all = await site.list(`/alarms?view=full&stationId=${stationId}`);
  const found = all.items.find(({ system }) => system === true);
  assert.ok(found, 'a system alarm was raised');
  return found;
}

async function serverOf(site: Site, stationId: number): Promise<Row> {
  const { items } = await site.list(`/dataservers?stationId=${stationId}`);
  const [server, ...others] = items.filter(({ system }) => system === true);
  assert.ok(server !== undefined && others.length === 0, 'a station has one data server of that kind');
  return server;
}

testOnAnyStore(
  'system alarms live on a built-in data server "Tocsin" of the station they concern, made with it',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const north = await site.create('/stations', { name: 'North' });
    for (const stationId of [1, north]) {
      const { id, name, builtIn } = await serverOf(site, stationId);
      assert.deepEqual([name, builtIn], ['Tocsin', true]);
      const { dataServerId, fullPath, path } = await systemAlarm(site, stationId);
      assert.deepEqual([dataServerId, fullPath], [id, `Tocsin\\${path}`]);
    }
    const empty = await site.create('/stations', { name: 'Empty' });
    await site.ask('DELETE', `/stations/${empty}`);
    assert.equal((await site.list(`/dataservers?stationId=${empty}`)).items.length, 0, 'they go with the station');
  },
);

testOnAnyStore('no caller can write to the data server of system alarms', async (t, kind) => {
  const site = await startSite(t, kind);
  const { id, path, dataServerId, message } = await systemAlarm(site);
  const source = site.as(await site.keyFor(['alarms:write', 'alarms:read', 'alarms:mask']));
  const lie = { dataServerId, path, alarmMessage: 'all is well', raised: false };
  const taken = await source.alarms.report(lie);
  assert.notEqual(taken.id, id, 'the report is about another tag');
  assert.match(taken.warnings ?? '', /^dataServerId: /);
  assert.match(String((await site.alarms.get(taken.id)).fullPath), /^\? \d+ key:\d+\\/);
  const values = await source.request('POST', '/tags/values', [{ dataServerId, path: 'system/other', value: '1' }]);
  assert.equal((values.body as { code: string }[])[0]?.code, 'unprocessable');
  assert.equal((await source.request('DELETE', `/alarms/${id}`)).status, 422);
  assert.equal((await source.request('PUT', `/alarms/${id}/scenarios`, { scenarioIds: [] })).status, 422);
  for (const method of ['PUT', 'DELETE'])
    assert.notEqual((await site.request(method, `/dataservers/${dataServerId}`, { name: 'Mine' })).status, 200);
  const now = await site.alarms.get(Number(id));
  assert.deepEqual([now.message, now.state], [message, 2], 'the alarm says what it said');
  await site.alarms.acknowledge(Number(id));
  assert.equal((await site.request('GET', `/alarms/${id}`)).status, 404, 'people may still acknowledge it');
});

testOnAnyStore('tags of callers that happen to be called system/… stay theirs', async (t, kind) => {
  const site = await startSite(t, kind);
  const { path } = await systemAlarm(site);
  const { id, warnings } = await site.alarms.report({ path, alarmMessage: 'mine' });
  assert.equal(warnings, null);
  const { fullPath, system } = await site.alarms.get(id);
  assert.deepEqual([fullPath, system], [`API\\${path}`, false]);
});

testOnAnyStore('the full view has `system: true`; the 20-field shape stays as it is', async (t, kind) => {
  const site = await startSite(t, kind);
  const { id } = await systemAlarm(site);
  const { items } = await site.alarms.list();
  const short = items.find((alarm) => alarm.id === id);
  assert.equal(Object.keys(short ?? {}).length, 20);
  assert.equal((await site.alarms.get(Number(id))).system, true);
});

testOnStores('histories and statistics say in the full view which alarms are of Tocsin itself', async (t, kind) => {
  const site = await startSite(t, kind);
  const { id } = await systemAlarm(site);
  for (const [list, key] of [
    ['histories', 'tagId'],
    ['statistics', 'id'],
    // Sums of entries, and not of whole series.
    ['statistics?priority=1,2,3,4', 'id'],
  ] as const) {
    const path = `/alarms/${list}${list.includes('?') ? '&' : '?'}`;
    const { items } = await site.list(`${path}view=full`);
    assert.deepEqual(new Set(items.map((row) => row.system)), new Set([true, false]), list);
    assert.equal(items.find((row) => row[key] === id)?.system, true, list);
    assert.ok((await site.list(path)).items.every((row) => !('system' in row)));
  }
});
