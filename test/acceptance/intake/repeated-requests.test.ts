// Idempotency-Key: every POST that makes something returns the same answer to the same request for a day.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

function sender(site: Site, key: string) {
  return (path: string, body: object) =>
    site.app.request('POST', `/api/v1${path}`, { token: site.token, body, headers: { 'idempotency-key': key } });
}

testOnAnyStore('a repeated request that makes something gets the same answer and makes nothing', async (t, kind) => {
  const site = await startSite(t, kind);
  const post = sender(site, 'k1');
  const bodies: readonly (readonly [path: string, body: object])[] = [
    ['/stations', { name: 'North' }],
    ['/dataservers', { name: 'Boilers' }],
    ['/taggroups', { name: 'Pumps' }],
    ['/users', { name: 'ana', role: 'operator', password: 'correct horse staple' }],
    ['/teams', { name: 'Night', members: [] }],
    ['/callgroups', { name: 'Duty' }],
    ['/callgroupgroupings', { name: 'All' }],
    ['/schedules', { name: 'Weekdays' }],
    ['/scenarios', { name: 'Fire' }],
  ];
  for (const [path, body] of bodies) {
    const first = await post(path, body);
    assert.equal(first.status, 200, `${path}: ${first.text}`);
    const again = await post(path, body);
    assert.deepEqual([again.status, again.text], [200, first.text], path);
    const other = await post(path, { ...body, name: 'Another' });
    assert.equal(other.status, 422, `${path}: the same key with another body`);
    assert.match(other.text, /Idempotency-Key/);
  }
  const { id } = (await site.list('/users?search=ana')).items[0] ?? {};
  assert.equal(id, 2, 'each was made once');
});

testOnAnyStore(
  'a repeated call calls once; the same key with another body is taken, with a warning',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const post = sender(site, 'k1');
    const come = { userIds: [ana.id], msgText: 'Come' };
    assert.equal((await post('/call/users', come)).text, 'true');
    await ana.isCalled(/Come/);
    await ana.hears();
    const again = await post('/call/users', come);
    assert.deepEqual([again.text, again.headers.get('tocsin-warnings')], ['true', null]);
    // Her number rests after a ring, whatever it was for.
    await site.advance('2m');
    await ana.isNotCalled();
    const other = await post('/call/users', { ...come, msgText: 'Hurry' });
    assert.equal(other.text, 'true');
    assert.match(other.headers.get('tocsin-warnings') ?? '', /^Idempotency-Key: was used for another body/);
    await ana.isCalled(/Hurry/);
    await ana.hears();
    assert.equal((await post('/call/users', { ...come, msgText: 'Hurry' })).text, 'true');
    await site.advance('2m');
    await ana.isNotCalled();
  },
);

testOnAnyStore('a request that was refused may be repeated with its key', async (t, kind) => {
  const site = await startSite(t, kind);
  const post = sender(site, 'k1');
  const body = { name: 'Boilers', stationId: 2 };
  assert.equal((await post('/dataservers', body)).status, 422);
  await site.create('/stations', { name: 'North' });
  assert.equal((await post('/dataservers', body)).status, 200);
});

testOnAnyStore('a repeated comment is stored once', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.alarms.send({ path: 'pump' });
  const post = sender(site, 'k1');
  for (let n = 0; n < 2; n++)
    assert.equal((await post(`/alarms/${id}/comments`, { comment: 'on my way' })).text, 'true');
  const events = await site.ask<readonly { event: string }[]>('GET', `/alarms/${id}/timeline`);
  assert.equal(events.filter(({ event }) => event === 'commented').length, 1);
});
