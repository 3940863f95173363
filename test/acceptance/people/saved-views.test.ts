// Saved views of consoles: everybody has a list, supervisors share some, and stations keep theirs apart.

import assert from 'node:assert/strict';
import type { Answer } from '../../harness/site/app.ts';
import { newest } from '../../harness/site/journal.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

type View = { readonly name: string; readonly stationId?: number };
type Views = { readonly views: readonly View[]; readonly shared: readonly View[] };

const night = { name: 'Night', query: 'alarmState=3&stationId=1', columns: ['message', 'value'], sort: '-alarmTime' };
const named = (name: string) => ({ name, query: '', columns: [], sort: '' });
const views = (...names: string[]) => ({ views: names.map((name) => ({ name })) });

async function signInAs(site: Site, name: string, role: string, stationIds: readonly number[] = []): Promise<string> {
  await site.create('/users', { name, role, password: 'a long enough password', stationIds });
  return site.app.signIn(name, 'a long enough password');
}

function ask(
  site: Site,
  token: string,
  method: string,
  path: string,
  body?: object,
  ifMatch?: string,
): Promise<Answer> {
  const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  return site.app.request(method, `/api/v1${path}`, { token, headers, ...(body === undefined ? {} : { body }) });
}

testOnAnyStore(
  'a user keeps a list of views, which nobody else sees, and an old copy undoes nothing',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await signInAs(site, 'ana', 'observer');
    assert.deepEqual((await ask(site, ana, 'GET', '/views')).body, { views: [], shared: [] });
    const saved = await ask(site, ana, 'PUT', '/views', { views: [night, { name: 'Mine' }] });
    assert.deepEqual(saved.body, { views: [night, named('Mine')] });
    const shown = await ask(site, ana, 'GET', '/views');
    assert.equal(shown.headers.get('etag'), saved.headers.get('etag'));
    assert.deepEqual((shown.body as Views).views, [night, named('Mine')]);
    assert.deepEqual(await site.ask('GET', '/views'), { views: [], shared: [] }, 'not the administrator either');
    const tag = saved.headers.get('etag') ?? '';
    assert.equal((await ask(site, ana, 'PUT', '/views', views('A'), tag)).status, 200);
    assert.equal((await ask(site, ana, 'PUT', '/views', views('B'), tag)).status, 412);
    assert.deepEqual(((await ask(site, ana, 'GET', '/views')).body as Views).views, [named('A')]);
    const key = await site.keyFor(['alarms:read']);
    assert.equal((await ask(site, key, 'PUT', '/views', views('A'))).status, 404, 'a key is no person');
    assert.equal((await ask(site, key, 'GET', '/views')).status, 200);
  },
);

testOnStores('supervisors share views; those of a station are seen there alone', async (t, kind) => {
  const site = await startSite(t, kind);
  const [north, south] = [
    await site.create('/stations', { name: 'North' }),
    await site.create('/stations', { name: 'South' }),
  ];
  const operator = await signInAs(site, 'olga', 'operator');
  const chief = await signInAs(site, 'carl', 'supervisor', [north]);
  const southern = await signInAs(site, 'sam', 'observer', [south]);
  assert.equal((await ask(site, operator, 'PUT', '/views/shared', views('All'))).status, 403);
  assert.equal((await ask(site, chief, 'PUT', '/views/shared', views('All'))).status, 422);
  assert.equal((await ask(site, chief, 'PUT', `/views/shared?stationId=${south}`, views('South'))).status, 422);
  await site.ask('PUT', '/views/shared', views('All'));
  assert.equal((await ask(site, chief, 'PUT', `/views/shared?stationId=${north}`, views('North'))).status, 200);
  const seenBy = async (token: string) =>
    ((await ask(site, token, 'GET', '/views')).body as Views).shared.map(({ name, stationId }) => [name, stationId]);
  assert.deepEqual(await seenBy(operator), [
    ['All', undefined],
    ['North', north],
  ]);
  assert.deepEqual(await seenBy(southern), [['All', undefined]]);
  const foreign = await ask(site, southern, 'GET', `/views/shared?stationId=${north}`);
  assert.deepEqual(foreign.body, { views: [] });
  const { actor, after, stationId } = await newest(site, 'views.changed');
  assert.deepEqual([actor.split(':')[0], after, stationId], ['user', { names: ['North'] }, north]);
  const west = await site.create('/stations', { name: 'West' });
  await site.ask('PUT', `/views/shared?stationId=${west}`, views('West'));
  assert.equal((await seenBy(operator)).length, 3);
  await site.ask('DELETE', `/stations/${west}`);
  assert.equal((await seenBy(operator)).length, 2, 'they go with their station');
});

testOnAnyStore('lists, names and filters have limits', async (t, kind) => {
  const site = await startSite(t, kind);
  const many = Array.from({ length: 51 }, (_, index) => `view ${index}`);
  const refused: readonly (readonly [object, number])[] = [
    [views(...many), 400],
    [views('Night', 'NIGHT'), 422],
    [views(''), 400],
    [{ views: [{ ...night, query: 'x'.repeat(4_097) }] }, 400],
  ];
  for (const [body, status] of refused) assert.equal((await site.request('PUT', '/views', body)).status, status);
  assert.equal((await site.request('PUT', '/views', views(...many.slice(1)))).status, 200);
});
