// Stations, data servers and tag groups: create, read, replace, list and remove, and their refusals.

import assert from 'node:assert/strict';
import { startTestApp, type TestApp } from '../../harness/site/app.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

type Problem = {
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { field: string; message: string }[];
};
type List = { readonly items: readonly { id: number; name: string }[]; readonly paging: object };

async function signedIn(t: Parameters<typeof startTestApp>[0], kind: 'sqlite' | 'postgres') {
  const app = await startTestApp(t, kind);
  const token = await app.signIn();
  const ask = (method: string, path: string, body?: unknown) => app.request(method, `/api/v1/${path}`, { token, body });
  const make = async (path: string, body: unknown): Promise<number> => {
    const answer = await ask('POST', path, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body as number;
  };
  return { app, ask, make };
}

function names(answer: Awaited<ReturnType<TestApp['request']>>): string[] {
  return (answer.body as List).items.map(({ name }) => name);
}

testOnAnyStore('the first start creates station 1 and its data servers API and Tocsin', async (t, kind) => {
  const { ask } = await signedIn(t, kind);
  const lastChange = '2026-11-15T12:00:00.000';
  assert.deepEqual((await ask('GET', 'stations/1')).body, {
    id: 1,
    name: 'Main',
    lastChange,
    scenarioIds: [],
  });
  assert.deepEqual((await ask('GET', 'dataservers')).body, {
    items: [
      { id: 1, name: 'API', stationId: 1, builtIn: true, system: false, lastChange },
      { id: 2, name: 'Tocsin', stationId: 1, builtIn: true, system: true, lastChange },
    ],
    paging: { offset: 0, limit: 1000, total: 2 },
  });
});

testOnAnyStore('a tag group is created, read, replaced and removed', async (t, kind) => {
  const { app, ask } = await signedIn(t, kind);
  const made = await ask('POST', 'taggroups', { id: 77, name: 'Pumps' });
  assert.equal(made.text, '1', 'the bare id, not the one in the body');
  app.clock.advance(1_500);
  const changed = await ask('PUT', 'taggroups/1', { name: 'Big pumps' });
  const lastChange = '2026-11-15T12:00:01.500';
  const expected = { id: 1, name: 'Big pumps', stationId: 1, scenarioIds: [], lastChange };
  assert.deepEqual([changed.status, changed.body], [200, expected]);
  assert.deepEqual((await ask('GET', 'taggroups/1')).body, expected);
  assert.deepEqual((await ask('DELETE', 'taggroups/1')).body, true);
  assert.equal((await ask('GET', 'taggroups/1')).status, 404);
  assert.equal((await ask('POST', 'taggroups', { name: 'Pumps' })).text, '2', 'an id never comes back');
});

testOnAnyStore('lists are paged, sorted and searched', async (t, kind) => {
  const { ask, make } = await signedIn(t, kind);
  for (const name of ['Pumps north', 'Pompes à chaleur', 'Boilers', 'Pumps south']) await make('taggroups', { name });
  assert.deepEqual(names(await ask('GET', 'taggroups?sort=-id&limit=2')), ['Pumps south', 'Boilers']);
  assert.deepEqual(names(await ask('GET', 'taggroups?sort=%2Bid&limit=2&offset=1')), ['Pompes à chaleur', 'Boilers']);
  assert.deepEqual(names(await ask('GET', 'taggroups?sort=+id&limit=1')), ['Pumps north'], 'an unencoded plus');
  assert.deepEqual(names(await ask('GET', 'taggroups?search=PUMPS')), ['Pumps north', 'Pumps south']);
  assert.deepEqual(names(await ask('GET', 'taggroups?search=south+pum')), ['Pumps south'], 'the last word is a prefix');
  assert.deepEqual(names(await ask('GET', 'taggroups?search=POMPES%20A')), ['Pompes à chaleur']);
  assert.deepEqual(names(await ask('GET', 'taggroups?search=%25%22*_')), [
    'Pumps north',
    'Pompes à chaleur',
    'Boilers',
    'Pumps south',
  ]);
  assert.deepEqual((await ask('GET', 'taggroups?limit=0')).body, {
    items: [],
    paging: { offset: 0, limit: 0, total: 4 },
  });
  const cut = (await ask('GET', 'taggroups?limit=4294967295&offset=9')).body as List;
  assert.deepEqual(cut, { items: [], paging: { offset: 9, limit: 1000, total: 4 } });
  assert.equal((await ask('GET', '/taggroups')).status, 200, 'two slashes count as one');
});

testOnAnyStore('names are unique per station', async (t, kind) => {
  const { ask, make } = await signedIn(t, kind);
  const north = await make('stations', { name: 'North' });
  await make('taggroups', { name: 'Pumps' });
  const other = await make('taggroups', { name: 'Valves' });
  await make('taggroups', { name: 'Pumps', stationId: north });
  const taken = await ask('POST', 'taggroups', { name: 'Pumps' });
  assert.deepEqual([taken.status, (taken.body as Problem).code], [409, 'name-taken']);
  assert.equal((await ask('PUT', `taggroups/${other}`, { name: 'Pumps' })).status, 409);
  assert.equal((await ask('PUT', `taggroups/${other}`, { name: 'Valves' })).status, 200, 'its own name is not taken');
  assert.equal((await ask('POST', 'stations', { name: 'North' })).status, 409);
  assert.deepEqual(names(await ask('GET', `taggroups?stationId=${north}`)), ['Pumps']);
});

testOnAnyStore(
  'an entry that is referred to cannot be removed, and the refusal names the reference',
  async (t, kind) => {
    const { ask, make } = await signedIn(t, kind);
    const north = await make('stations', { name: 'North' });
    const group = await make('taggroups', { name: 'Pumps', stationId: north });
    const refused = await ask('DELETE', `stations/${north}`);
    assert.deepEqual([refused.status, (refused.body as Problem).code], [409, 'still-referred-to']);
    assert.match((refused.body as Problem).detail, new RegExp(`tag group ${group} "Pumps"`));
    await ask('DELETE', `taggroups/${group}`);
    assert.equal((await ask('DELETE', `stations/${north}`)).status, 200, 'its built-in data server goes with it');
    assert.equal((await ask('DELETE', 'stations/1')).status, 409, 'station 1 takes the alarms that name none');
    assert.equal((await ask('DELETE', 'dataservers/1')).status, 409, 'so does its built-in data server');
    const renamed = await ask('PUT', 'dataservers/1', { name: 'Other' });
    assert.deepEqual([renamed.status, (renamed.body as Problem).errors?.[0]?.field], [422, 'name']);
  },
);

testOnAnyStore('bad input is refused by field name, and nothing is stored', async (t, kind) => {
  const { ask, make } = await signedIn(t, kind);
  const id = await make('taggroups', { name: 'Pumps' });
  const cases: readonly [body: unknown, status: number, field: string][] = [
    [{}, 400, 'name'],
    [{ name: '' }, 400, 'name'],
    [{ name: 7 }, 400, 'name'],
    [{ name: ['a'] }, 400, 'name'],
    [{ name: 'x'.repeat(257) }, 400, 'name'],
    ['{"name":"a\\u0000b"}', 422, 'name'],
    ['{"name":"\\ud800"}', 422, 'name'],
    [{ name: 'a', stationId: '1' }, 400, 'stationId'],
    [{ name: 'a', stationId: -1 }, 400, 'stationId'],
    [{ name: 'a', stationId: 1.5 }, 400, 'stationId'],
    ['{"name":"a","stationId":1e0}', 400, 'stationId'],
    [{ name: 'a', stationId: 4_294_967_296 }, 400, 'stationId'],
    [{ name: 'a', stationId: 99 }, 422, 'stationId'],
    ['{"name":"a","name":"b"}', 400, 'name'],
    ['{"name":"a","__proto__":{}}', 400, '__proto__'],
    ['{"name":"a","x":{"constructor":1}}', 400, 'x.constructor'],
  ];
  for (const [body, status, field] of cases) {
    for (const [method, path] of [
      ['POST', 'taggroups'],
      ['PUT', `taggroups/${id}`],
    ] as const) {
      const answer = await ask(method, path, body);
      const label = `${method} ${JSON.stringify(body).slice(0, 60)}: ${answer.text}`;
      // A PUT refuses any change of the station, existing or not: 422 either way.
      assert.equal(answer.status, status, label);
      assert.equal((answer.body as Problem).errors?.[0]?.field, field, label);
    }
  }
  assert.deepEqual(names(await ask('GET', 'taggroups')), ['Pumps']);
  for (const [query, field] of [
    ['limit=-1', 'limit'],
    ['limit=0x10', 'limit'],
    ['offset=1.5', 'offset'],
    ['sort=name', 'sort'],
    ['limit=1&limit=2', 'limit'],
    ['stationId=a', 'stationId'],
  ]) {
    const answer = await ask('GET', `taggroups?${query}`);
    assert.deepEqual(
      [answer.status, (answer.body as Problem).errors?.[0]?.field],
      [400, field],
      `${query} ${answer.text}`,
    );
  }
  assert.equal((await ask('GET', 'taggroups?nonsense=1')).status, 200, 'an unknown parameter is ignored');
  for (const odd of ['abc', '-1', '4294967296']) assert.equal((await ask('GET', `taggroups/${odd}`)).status, 404, odd);
});

testOnAnyStore('concurrent creations and removals end in the state that their responses say', async (t, kind) => {
  const { ask } = await signedIn(t, kind);
  const made = await Promise.all(
    Array.from({ length: 60 }, (_, n) => ask('POST', 'taggroups', { name: `g${n % 40}` })),
  );
  assert.equal(made.filter(({ status }) => status === 200).length, 40);
  assert.equal(made.filter(({ status }) => status === 409).length, 20);
  const ids = made.filter(({ status }) => status === 200).map(({ body }) => body as number);
  const removed = await Promise.all([...ids, ...ids].map((id) => ask('DELETE', `taggroups/${id}`)));
  assert.equal(removed.filter(({ status }) => status === 200).length, 40);
  assert.equal(removed.filter(({ status }) => status === 404).length, 40);
});
