// Tests the query parameters of the interface; each test is named after its sections of docs/interface.md.

import assert from 'node:assert/strict';
import { hashPassword } from '../../src/access/password.ts';
import { terminalCaller } from '../../src/domain/access/access.ts';
import { addUser } from '../../src/operations/people/users.ts';
import { adminPassword } from '../harness/site/app.ts';
import { type Site, startSite } from '../harness/site/site.ts';
import { testOnStores } from '../harness/stores/test-on-stores.ts';

type Problem = { readonly errors?: readonly { readonly field: string }[] };

async function ids(site: Site, path: string) {
  const { items, paging } = await site.list(path);
  assert.equal(paging.total, items.length, `the total of ${path}`);
  return items.map(({ id }) => id);
}

async function refused(site: Site, path: string, field: string) {
  const answer = await site.request('GET', path);
  assert.deepEqual([answer.status, (answer.body as Problem).errors?.[0]?.field], [400, field], path);
}

const periodical = ['/alarms/histories', '/alarms/statistics', '/alarms/interventions'] as const;

testOnStores(
  '4.1 stationId, dataServerId, tagGroupId, callGroupId, scenarioId filter, alone and together',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const north = await site.create('/stations', { name: 'North' });
    const plc = await site.create('/dataservers', { name: 'PLC', stationId: north });
    const fire = await site.create('/scenarios', { name: 'Fire' });
    const pumps = await site.create('/taggroups', { name: 'Pumps', scenarioIds: [fire] });
    const a = await site.alarms.send({ path: 'a', tagGroupId: pumps });
    const b = await site.alarms.send({ path: 'b', stationId: north });
    const c = await site.alarms.send({ path: 'c', dataServerId: plc, alarmActions: [{ type: 'callgroup', id: 9 }] });
    const d = await site.alarms.send({
      path: 'd',
      tagGroupId: pumps,
      ackActions: [
        { type: 'CallGroup', id: 9 },
        { type: 'CallGroup', id: 9 },
      ],
    });
    const e = await site.alarms.send({
      path: 'e',
      alarmActions: [
        { type: 'CallUser', id: 9 },
        { type: 'CallGroup', id: 99 },
      ],
    });
    await site.alarms.dismissThoseFromTocsin();
    for (const [query, expected] of [
      ['', [a, b, c, d, e]],
      [`stationId=${north}`, [b, c]],
      ['stationId=1', [a, d, e]],
      [`dataServerId=${plc}`, [c]],
      [`tagGroupId=${pumps}`, [a, d]],
      ['callGroupId=9', [c, d]],
      [`callGroupId=9&tagGroupId=${pumps}&stationId=1&dataServerId=1`, [d]],
      [`stationId=1&dataServerId=${plc}`, []],
      ['stationId=4294967295', []],
      ['tagGroupId=0', []],
      [`scenarioId=${fire}`, [a, d]],
      [`scenarioId=${fire}&callGroupId=9`, [d]],
      [`scenarioId=${fire}&callGroupId=4`, []],
      ['scenarioId=99', []],
    ] as const) {
      assert.deepEqual(await ids(site, `/alarms?${query}`), expected, query);
    }
    await site.alarms.send({ path: 'd', ackActions: [] });
    assert.deepEqual(await ids(site, '/alarms?callGroupId=9'), [c], 'an action that is gone counts no more');
    for (const name of [
      'stationId',
      'dataServerId',
      'tagGroupId',
      'scenarioId',
      'callGroupId',
      'alarmState',
      'inactiveMasked',
      'offset',
      'limit',
    ]) {
      for (const bad of ['-1', '1.5', 'x', '4294967296', '1e3', '%201'])
        await refused(site, `/alarms?${name}=${bad}`, name);
      await refused(site, `/alarms?${name}=1&${name}=1`, name);
    }
  },
);

testOnStores('3, 4.1 alarmState is one of 0 to 3, inactiveMasked one of 0 to 2', async (t, kind) => {
  const site = await startSite(t, kind);
  for (const path of ['rest', 'taken', 'over', 'active', 'masked at rest', 'masked active'])
    await site.alarms.send({ path });
  for (const path of ['rest', 'over', 'masked at rest']) await site.alarms.send({ path, raised: false });
  for (const id of [1, 2, 5]) await site.alarms.acknowledge(id);
  for (const id of [5, 6])
    await site.request('POST', `/alarms/${id}/mask`, { until: '2026-11-15T13:00:00Z', reason: 'x' });
  for (const [query, expected] of [
    ['', [2, 3, 4, 6]],
    ['alarmState=0', [1, 5]],
    ['alarmState=1', [2]],
    ['alarmState=2', [3]],
    ['alarmState=3', [4, 6]],
    ['inactiveMasked=0', [2, 3, 4, 6]],
    ['inactiveMasked=1', [2, 3, 4, 5, 6]],
    ['inactiveMasked=2', [5]],
    ['inactiveMasked=2&search=rest', [5]],
    ['inactiveMasked=2&alarmState=3', [4, 6]],
    ['inactiveMasked=1&alarmState=0', [1, 5]],
  ] as const) {
    assert.deepEqual(await ids(site, `/alarms?${query}`), expected, query);
  }
  await refused(site, '/alarms?alarmState=4', 'alarmState');
  await refused(site, '/alarms?inactiveMasked=3', 'inactiveMasked');
});

testOnStores('4.1, 4.3, 4.4 offset, limit, sort and search', async (t, kind) => {
  const site = await startSite(t, kind);
  for (let n = 1; n <= 12; n++)
    await site.alarms.send({ path: `tag ${n}`, alarmMessage: n % 2 === 0 ? 'even' : 'odd' });
  for (const path of ['/alarms', '/alarms/histories', '/alarms/statistics']) {
    const page = async (query: string) => {
      const { items, paging } = await site.list(`${path}?${query}`);
      assert.equal(
        paging.offset,
        path.endsWith('statistics') ? undefined : Number(/offset=(\d+)/.exec(query)?.[1] ?? 0),
      );
      return [items.map(({ id }) => id), paging.limit, paging.total];
    };
    assert.deepEqual(await page(''), [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 10, 12]);
    assert.deepEqual(await page('offset=10'), [[11, 12], 10, 12]);
    assert.deepEqual(await page('offset=4294967295'), [[], 10, 12]);
    assert.deepEqual(await page('limit=0'), [[], 0, 12]);
    assert.deepEqual(await page('limit=2&offset=3&sort=-id'), [[9, 8], 2, 12]);
    for (const sort of ['%2Bid', '+id', 'id']) assert.deepEqual(await page(`limit=1&sort=${sort}`), [[1], 1, 12], sort);
    assert.deepEqual((await page('limit=4294967295')).slice(1), [1_000, 12]);
    assert.deepEqual(await page('search=even&sort=-id&limit=2&offset=1'), [[10, 8], 2, 6]);
    for (const bad of ['name', 'ID', '--id', '-id,']) await refused(site, `${path}?sort=${bad}`, 'sort');
    assert.deepEqual(await ids(site, `${path}?search=tag%2012&nonsense=1`), [12], 'an unknown parameter is ignored');
  }
});

testOnStores(
  '4.3, 4.4, 4.5 stationId, dataServerId, tagGroupId, callGroupId, userId filter, alone and together',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const passwordHash = await hashPassword(adminPassword);
    const user = { caller: terminalCaller, name: 'Bo', role: 'operator', passwordHash, stationIds: [] } as const;
    const bo = await site.app.store.write(addUser, user);
    const asBo = await site.app.signIn('Bo');
    const north = await site.create('/stations', { name: 'North' });
    const plc = await site.create('/dataservers', { name: 'PLC', stationId: north });
    const pumps = await site.create('/taggroups', { name: 'Pumps' });
    await site.alarms.send({ path: 'a', tagGroupId: pumps });
    await site.alarms.send({ path: 'b', stationId: north });
    await site.alarms.send({ path: 'c', dataServerId: plc });
    await site.alarms.send({ path: 'd' });
    await site.request('POST', '/alarms/1/acknowledge');
    for (const id of [2, 3]) await site.as(asBo).request('POST', `/alarms/${id}/acknowledge`, {});
    for (const [query, entries, users] of [
      ['', [1, 2, 3, 4], [1, bo]],
      [`stationId=${north}`, [2, 3], [bo]],
      ['stationId=1', [1, 4], [1]],
      [`dataServerId=${plc}`, [3], [bo]],
      [`tagGroupId=${pumps}`, [1], [1]],
      ['tagGroupId=0', [], []],
      ['tagGroupId=0&stationId=1', [], []],
      ['userId=1', [1], [1]],
      [`userId=${bo}`, [2, 3], [bo]],
      [`userId=${bo}&dataServerId=${plc}&stationId=${north}`, [3], [bo]],
      [`userId=1&stationId=${north}`, [], []],
      ['userId=99', [], []],
      ['callGroupId=1', [], []],
      ['sort=-id', [4, 3, 2, 1], [bo, 1]],
      ['limit=1&offset=1', [2], [bo]],
    ] as const) {
      for (const path of periodical) {
        const { items, paging } = await site.list(`${path}?${query}`);
        const expected: readonly number[] = path.endsWith('interventions') ? users : entries;
        assert.deepEqual(
          items.map(({ id }) => id),
          expected,
          `${path}?${query}`,
        );
        if (!query.startsWith('limit')) assert.equal(paging.total, expected.length, `${path}?${query}`);
      }
    }
    await site.request('PUT', `/users/${bo}`, { name: 'Boris', role: 'operator' });
    const renamed = (await site.list('/alarms/interventions?search=boris')).items.map(({ id, user }) => [id, user]);
    assert.deepEqual(renamed, [[bo, 'Boris']], 'by the name somebody has now');
    for (const path of periodical) {
      for (const name of ['stationId', 'dataServerId', 'tagGroupId', 'callGroupId', 'userId', 'offset', 'limit']) {
        for (const bad of ['-1', 'x', '4294967296']) await refused(site, `${path}?${name}=${bad}`, name);
      }
      await refused(site, `${path}?sort=user`, 'sort');
    }
  },
);

testOnStores(
  '4.3, 4.4, 4.5 from is inclusive, to exclusive, with an offset, a space for its plus, or none',
  async (t, kind) => {
    const site = await startSite(t, kind);
    // Raised at noon UTC, which is 13:00 in the server's zone, and at each hour after.
    for (const path of ['a', 'b', 'c']) {
      const id = await site.alarms.send({ path });
      await site.alarms.acknowledge(id);
      site.app.clock.advance(3_600_000);
    }
    for (const [query, entries] of [
      ['from=2026-11-15T12:00:00Z', [1, 2, 3]],
      ['from=2026-11-15T12:00:00.001Z', [2, 3]],
      ['to=2026-11-15T12:00:00Z', []],
      ['to=2026-11-15T12:00:00.001Z', [1]],
      ['from=2026-11-15T13:00:00Z&to=2026-11-15T14:00:00Z', [2]],
      ['from=2026-11-15T14:00:00%2B01:00&to=2026-11-15T15:00:00%2B01:00', [2]],
      ['from=2026-11-15T14:00:00+01:00&to=2026-11-15T15:00:00+01:00', [2]],
      ['from=2026-11-15T14:00:00%2001:00&to=2026-11-15T15:00:00%2001:00', [2]],
      ['from=2026-11-15T08:00:00-05:00&to=2026-11-15T09:00:00-05:00', [2]],
      ['from=2026-11-15T14:00:00&to=2026-11-15T15:00:00', [2]],
      ['from=2026-11-15T14:00&to=2026-11-15T15:00', [2]],
      ['from=2026-11-15&to=2026-11-16', [1, 2, 3]],
      ['from=2026-11-16', []],
      ['from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z', [1, 2, 3]],
    ] as const) {
      assert.deepEqual(await ids(site, `/alarms/histories?${query}`), entries, query);
      assert.deepEqual(await ids(site, `/alarms/statistics?${query}`), entries, query);
      assert.deepEqual(await ids(site, `/alarms/interventions?${query}`), entries.length === 0 ? [] : [1], query);
    }
    for (const path of periodical) {
      for (const [from, to] of [
        ['2026-11-15T12:00:00Z', '2026-11-15T12:00:00Z'],
        ['2026-11-15T12:00:01Z', '2026-11-15T12:00:00Z'],
        ['2026-11-15T13:00:00', '2026-11-15T12:00:00Z'],
      ]) {
        await refused(site, `${path}?from=${from}&to=${to}`, 'from');
      }
      for (const bad of ['soon', '2026-11-31', '2026-11-15T24:01:00Z', '1763208000', '2026-11-15T12:00:00+99:00']) {
        await refused(site, `${path}?from=${encodeURIComponent(bad)}`, 'from');
        await refused(site, `${path}?to=${encodeURIComponent(bad)}`, 'to');
      }
    }
  },
);

testOnStores('4.4 an active occurrence counts until now or until the end of the period', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.alarms.send({ path: 'a' });
  site.app.clock.advance(7_200_500);
  const times = async (query: string) => {
    const [row] = (await site.list(`/alarms/statistics?${query}`)).items;
    return [row?.failureNumber, row?.failureTotalTime, row?.failureMeanTime];
  };
  assert.deepEqual(await times(''), [1, '02:00:00', '02:00:00']);
  assert.deepEqual(await times('to=2026-11-15T13:00:00Z'), [1, '01:00:00', '01:00:00']);
  assert.deepEqual(await times('to=2026-11-16T13:00:00Z'), [1, '02:00:00', '02:00:00'], 'the future has not been');
  await site.alarms.send({ path: 'a', raised: false });
  site.app.clock.advance(7_200_000);
  assert.deepEqual(await times(''), [1, '02:00:00', '02:00:00']);
  assert.deepEqual(await times('to=2026-11-15T12:30:00Z'), [1, '00:30:00', '00:30:00']);
});
