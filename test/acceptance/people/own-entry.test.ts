// People change their own numbers, PIN, language and duty without an administrator, and supervisors the duty of others.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import { type Caller, detail, type Row, refusal } from '../../harness/site/site-caller.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

const password = 'a lantern in the rain';
const voice = { channel: 'voice', address: '+33123456789' };

async function signedIn(site: Site, name: string, more: object = {}): Promise<{ id: number; as: Caller }> {
  const id = await site.create('/users', { name, password, numbers: [voice], ...more });
  return { id, as: site.as(await site.app.signIn(name, password)) };
}

testOnAnyStore('people change their own numbers, PIN, language and duty, and nothing else', async (t, kind) => {
  const site = await startSite(t, kind);
  const { id, as } = await signedIn(site, 'ana', { firstName: 'Ana', role: 'observer' });
  const before = await as.ask('GET', '/me');
  assert.deepEqual(before, await site.ask('GET', `/users/${id}`));
  assert.equal((await as.request('PUT', `/users/${id}`, { name: 'ana', role: 'administrator' })).status, 403);
  site.app.clock.advance(1_000);
  const sent = {
    language: 'fr',
    timeZone: 'Asia/Tokyo',
    onDuty: false,
    pin: '4321',
    role: 'administrator',
    name: 'boss',
  };
  const changed = await as.request('PUT', '/me', sent);
  assert.equal(changed.status, 200, changed.text);
  assert.equal(changed.headers.get('tocsin-ignored-fields'), 'role, name');
  const lastChange = '2026-11-15T12:00:01.000';
  assert.deepEqual(changed.body, { ...before, language: 'fr', timeZone: 'Asia/Tokyo', onDuty: false, lastChange });
  assert.deepEqual(await as.ask('GET', '/me'), changed.body, 'what is not given stays');
  assert.deepEqual(refusal(await as.request('PUT', '/me', { timeZone: 'Mars/Olympus' })), [422, 'timeZone']);
  assert.deepEqual(refusal(await as.request('PUT', '/me', { numbers: [{ ...voice, scheduleId: 77 }] })), [
    422,
    'numbers[0].scheduleId',
  ]);
  const [entry] = (await site.list('/journal?kind=user.changed&limit=1')).items;
  const { actor, after } = entry as Row & { after: Row };
  assert.deepEqual([actor, after.pinSet], [`user:${id}`, true]);
  assert.ok(!JSON.stringify(entry).includes('4321'));
  const old = { 'if-match': '"old"' };
  const stale = await site.app.request('PUT', '/api/v1/me', { token: as.token, headers: old, body: { onDuty: true } });
  assert.equal(stale.status, 412);
  assert.equal((await site.as(await site.keyFor(['directory:read'])).request('GET', '/me')).status, 404);
});

testOnAnyStore('a number that a person enters is not verified, and not called', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { password });
  const group = await site.group('Pumps', [await site.team('Pumps', [ana])]);
  const as = site.as(await site.app.signIn('ana', password));
  const [known] = (await as.ask('GET', '/me')).numbers as [Row];
  const added = { channel: 'voice', address: '+33999999999', verified: true };
  const changed = await as.ask('PUT', '/me', { numbers: [added, known] });
  const verified = (numbers: unknown) => (numbers as readonly Row[]).map((one) => [one.address, one.verified]);
  assert.deepEqual(verified(changed.numbers), [
    [added.address, false],
    [known.address, true],
  ]);
  await site.alarms.raise(group);
  assert.equal((await ana.isCalled()).address, known.address, 'the first number is passed over');
  await ana.takes();
  // Another address under the id of a verified number is another number.
  const moved = await as.request('PUT', '/me', { numbers: [{ ...known, address: '+33888888888' }] });
  assert.deepEqual(verified((moved.body as Row).numbers), [['+33888888888', false]]);
  assert.match(moved.headers.get('tocsin-warnings') ?? '', /none of your numbers is valid and verified/);
  const readiness = await site.ask<{ items: readonly Row[] }>('GET', '/oncall/readiness');
  assert.match(JSON.stringify(readiness.items), /has no number that is valid and verified/);
  // An administrator vouches for it.
  const whole = {
    ...(await site.ask('GET', `/users/${ana.id}`)),
    numbers: [{ channel: 'voice', address: '+33888888888' }],
  };
  assert.deepEqual(verified((await site.ask('PUT', `/users/${ana.id}`, whole)).numbers), [['+33888888888', true]]);
});

testOnAnyStore('a supervisor sets anybody off duty, or has them replaced, and nothing else', async (t, kind) => {
  const site = await startSite(t, kind);
  const { id: ana, as: asAna } = await signedIn(site, 'ana', { role: 'operator' });
  const { id: bo, as } = await signedIn(site, 'bo', { role: 'supervisor' });
  const before = await site.ask('GET', `/users/${ana}`);
  assert.equal((await asAna.request('PUT', `/users/${bo}/duty`, { onDuty: false })).status, 403);
  assert.equal((await as.request('PUT', `/users/${ana}`, { ...before, onDuty: false })).status, 403);
  assert.deepEqual(await as.ask('PUT', `/users/${ana}/duty`, { onDuty: false }), { ...before, onDuty: false });
  assert.deepEqual(await as.ask('PUT', `/users/${ana}/duty`, { replacedById: bo }), {
    ...before,
    onDuty: false,
    replacedById: bo,
  });
  assert.deepEqual(refusal(await as.request('PUT', `/users/${bo}/duty`, { replacedById: ana })), [422, 'replacedById']);
  assert.deepEqual(refusal(await as.request('PUT', `/users/${ana}/duty`, { replacedById: 77 })), [422, 'replacedById']);
  assert.deepEqual(await as.ask('PUT', `/users/${ana}/duty`, { onDuty: true, replacedById: 0 }), before);
  assert.equal((await as.request('PUT', '/users/77/duty', { onDuty: false })).status, 404);
  const north = await site.create('/stations', { name: 'North' });
  const south = await site.create('/stations', { name: 'South' });
  const { as: asNorth } = await signedIn(site, 'cy', { role: 'supervisor', stationIds: [north] });
  const { id: dan } = await signedIn(site, 'dan', { stationIds: [north] });
  const { id: eve } = await signedIn(site, 'eve', { stationIds: [north, south] });
  const { id: fay } = await signedIn(site, 'fay', { stationIds: [south] });
  assert.equal((await asNorth.request('PUT', `/users/${dan}/duty`, { onDuty: false })).status, 200);
  for (const [id, status] of [
    [ana, 422],
    [eve, 422],
    [fay, 404],
  ])
    assert.equal((await asNorth.request('PUT', `/users/${id}/duty`, { onDuty: false })).status, status);
  assert.match(detail(await asNorth.request('PUT', `/users/${eve}/duty`, {})), /other stations as well/);
});

testOnAnyStore('a number is verified by giving back the code that was sent to it', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { password, language: 'fr' });
  const group = await site.group('Pumps', [await site.team('Pumps', [ana])]);
  const as = site.as(await site.app.signIn('ana', password));
  const number = { channel: 'sms', address: '+33999999999' };
  const [{ id }] = (await as.ask('PUT', '/me', { numbers: [number] })).numbers as [Row];
  const verify = (body: object = {}, by: Caller = as) =>
    by.request('POST', `/users/${ana.id}/numbers/${id}/verify`, body);
  const wrongCode = async (code: string, message: RegExp) => {
    const answer = await verify({ code });
    assert.deepEqual(refusal(answer), [422, 'code']);
    assert.match(detail(answer), message);
  };
  await wrongCode('123456', /ask for one first/);
  assert.deepEqual((await verify()).body, { sent: true, verified: false });
  const { text, address } = (await ana.messages()).at(-1) as Row;
  const [, code = ''] = /^Votre code pour confirmer ce numéro : (\d{6})\./.exec(String(text)) ?? [];
  assert.equal(address, number.address);
  await wrongCode(code === '123456' ? '123457' : '123456', /not the one that was sent/);
  const { id: bo, as: asBo } = await signedIn(site, 'bo');
  assert.equal((await verify({ code }, asBo)).status, 403);
  assert.equal((await as.request('POST', `/users/${ana.id}/numbers/77/verify`, {})).status, 404);
  assert.equal((await site.request('POST', `/users/${bo}/numbers/${id}/verify`, {})).status, 404);
  assert.deepEqual((await verify({ code: ` ${code} ` })).body, { sent: false, verified: true });
  assert.equal((await verify()).status, 409);
  const [verified] = (await as.ask('GET', '/me')).numbers as [Row];
  assert.deepEqual([verified.id, verified.verified], [id, true]);
  await site.alarms.raise(group);
  await ana.hasText(/Pump1 is too hot/);
  assert.ok(!JSON.stringify(await site.list('/journal?limit=1000')).includes(code), 'no code is in the journal');
});

testOnStores('a code expires, can be guessed five times, and is sent five times an hour', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { password });
  const as = site.as(await site.app.signIn('ana', password));
  const change = async (address: string): Promise<unknown> =>
    ((await as.ask('PUT', '/me', { numbers: [{ channel: 'voice', address }] })).numbers as [Row])[0].id;
  let id = await change('+33999999999');
  const verify = (body: object = {}) => as.request('POST', `/users/${ana.id}/numbers/${id}/verify`, body);
  const lastCode = async (): Promise<string> =>
    /\d{6}/.exec(String(((await ana.messages()).at(-1) as Row).text))?.[0] ?? '';
  await verify();
  site.app.clock.advance(15 * 60_000);
  assert.match(detail(await verify({ code: await lastCode() })), /no longer valid/);
  await verify();
  const code = await lastCode();
  for (let guess = 0; guess < 5; guess++) assert.match(detail(await verify({ code: 'guess' })), /not the one/);
  assert.match(detail(await verify({ code })), /no longer valid/);
  // A code of one address says nothing about another.
  await verify();
  const old = await lastCode();
  id = await change('+33888888888');
  assert.match(detail(await verify({ code: old })), /ask for one first/);
  for (const status of [200, 200, 429]) assert.equal((await verify()).status, status);
  site.app.clock.advance(60 * 60_000);
  assert.equal((await verify()).status, 200);
});
