// The API keys that somebody has made do not outlive their removal unsaid.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

const expiryTime = '2099-01-01T00:00:00Z';

/** An administrator who has made a key; returns the id of the user and the token of the key. */
async function leaving(site: Site, name: string): Promise<{ readonly id: number; readonly token: string }> {
  const password = 'a long sentence of words';
  const id = await site.create('/users', { name, role: 'administrator', password });
  const body = { name: `gateway of ${name}`, scopes: ['alarms:read'], expiryTime };
  const { token } = await site
    .as(await site.app.signIn(name, password))
    .ask<{ token: string }>('POST', '/auth/keys', body);
  return { id, token };
}

testOnStores(
  'the removal of an administrator names the keys they made, and ends them or hands them over',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const works = async (token: string) => (await site.as(token).request('GET', '/alarms?limit=1')).status;
    const ana = await leaving(site, 'ana');
    const refused = await site.request('DELETE', `/users/${ana.id}`);
    const { code, detail } = refused.body as { code: string; detail: string };
    assert.deepEqual([refused.status, code], [409, 'still-referred-to']);
    assert.match(detail, /API key \d+ "gateway of ana".*keys=revoke.*keys=keep/);
    assert.equal(await works(ana.token), 200, 'a refused removal changes nothing');
    await site.ask('DELETE', `/users/${ana.id}?keys=revoke`);
    assert.equal(await works(ana.token), 401);
    const bo = await leaving(site, 'bo');
    await site.ask('DELETE', `/users/${bo.id}?keys=keep`);
    assert.equal(await works(bo.token), 200);
    const { items } = await site.list('/auth/keys');
    assert.deepEqual(
      items.map(({ name, createdBy }) => [name, createdBy]),
      [['gateway of bo', 'user:1']],
    );
  },
);

testOnAnyStore('the keys that were made with the keys of a removed user end with them', async (t, kind) => {
  const site = await startSite(t, kind);
  const password = 'a long sentence of words';
  const id = await site.create('/users', { name: 'ana', role: 'administrator', password });
  const make = (token: string, name: string, scopes: readonly string[]) =>
    site.as(token).ask<{ token: string }>('POST', '/auth/keys', { name, scopes, expiryTime });
  const first = await make(await site.app.signIn('ana', password), 'first', ['admin']);
  const second = await make(first.token, 'second', ['admin']);
  const third = await make(second.token, 'third', ['alarms:read']);
  const refused = await site.request('DELETE', `/users/${id}`);
  assert.match((refused.body as { detail: string }).detail, /"first".*"second".*"third"/);
  await site.ask('DELETE', `/users/${id}?keys=revoke`);
  for (const { token } of [first, second, third])
    assert.equal((await site.as(token).request('GET', '/alarms?limit=1')).status, 401);
});
