// The journal: filters, paging by cursor, stations, and no secrets.

import assert from 'node:assert/strict';
import { adminPassword } from '../../harness/site/app.ts';
import { type Entry, journalOf, journalPage } from '../../harness/site/journal.ts';
import { startSite } from '../../harness/site/site.ts';
import { refusal } from '../../harness/site/site-caller.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

const idsOf = (entries: readonly Entry[]): readonly number[] => entries.map(({ id }) => id);

testOnStores('entries are listed newest first, page by page, and filtered', async (t, kind) => {
  const site = await startSite(t, kind);
  const stationId = await site.create('/stations', { name: 'North' });
  const key = await site.keyFor(['directory:write', 'directory:read']);
  const groups: number[] = [];
  for (let index = 0; index < 12; index++) {
    site.app.clock.advance(index % 2 === 0 ? 1_000 : 0);
    const caller = index % 3 === 0 ? site.as(key) : site;
    groups.push(await caller.create('/taggroups', { name: `group ${index}`, stationId }));
  }
  const all = await journalOf(site);
  const instants = all.map(({ time, id }) => [Date.parse(time), id] as const);
  const sorted = instants.toSorted((one, other) => other[0] - one[0] || other[1] - one[1]);
  assert.deepEqual(instants, sorted);

  const paged: Entry[] = [];
  for (let cursor = '', pages = 0; pages === 0 || cursor !== ''; pages++) {
    const { items, paging } = await journalPage(site, `?limit=5${cursor && `&cursor=${cursor}`}`);
    assert.equal(paging.limit, 5);
    paged.push(...items);
    cursor = paging.next ?? '';
    // An entry that is added meanwhile does not move the pages.
    if (pages === 0) await site.create('/taggroups', { name: 'added meanwhile', stationId });
  }
  assert.deepEqual(idsOf(paged), idsOf(all));
  assert.equal((await journalPage(site)).items.length, 10);
  assert.equal((await journalPage(site, '?limit=5000')).paging.limit, 1000);
  assert.deepEqual(refusal(await site.request('GET', '/journal?cursor=x')), [400, 'cursor']);

  const created = await journalOf(site, `&kind=tagGroup.created&stationId=${stationId}`);
  assert.equal(created.length, 13);
  assert.equal((await journalOf(site, '&actor=key:1')).length, 4);
  assert.equal((await journalOf(site, '&actor=key:1&kind=sign-in')).length, 0);
  const [third] = await journalOf(site, `&subject=tagGroup:${groups[3]}`);
  assert.deepEqual([third?.actor, third?.after?.name], ['key:1', 'group 3']);
  const from = encodeURIComponent(created.at(-5)?.time ?? '');
  const to = encodeURIComponent(created.at(-9)?.time ?? '');
  assert.deepEqual(
    (await journalOf(site, `&from=${from}&to=${to}`)).map(({ after }) => after?.name),
    ['group 7', 'group 6', 'group 5', 'group 4'],
  );
  const reader = site.as(await site.keyFor(['audit:read']));
  assert.ok((await journalOf(reader)).length > 10);
  assert.equal((await site.as(key).request('GET', '/journal')).status, 403);
});

testOnAnyStore('a supervisor bound to a station sees its entries and no person of another', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'Secret North' });
  const ana = await site.person('ana', { stationIds: [1], numbers: [voice('+33100000001')] });
  const bo = await site.person('secret bo', { stationIds: [north], numbers: [voice('+33666000002')] });
  const group = await site.group('Pumps', [await site.team('Pumps', [ana, bo])]);
  await site.group('Secret group', [await site.team('Secret team', [bo])], { stationId: north });
  await site.create('/users', { name: 'sue', role: 'supervisor', stationIds: [1], password: adminPassword });
  const sue = site.as(await site.app.signIn('sue', adminPassword));
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  await bo.isCalled();
  await site.alarms.send({ path: 'Secret alarm', stationId: north });
  await bo.takes();
  await site.ask('POST', '/call/users', { userIds: [bo.id], msgText: 'Secret message' });
  // The number rests a while after the call before.
  await site.advance('1m');
  await bo.isCalled();
  await bo.hears();
  await site.ask('POST', `/alarms/${alarm}/comments`, { comment: 'seen' });

  const everything = await journalOf(site);
  assert.match(JSON.stringify(everything), /secret bo.*Secret message|Secret message.*secret bo/s);
  const assertClean = async (): Promise<readonly Entry[]> => {
    const own = await journalOf(sue);
    assert.doesNotMatch(JSON.stringify(own), /secret|33666/i);
    assert.ok(own.every(({ stationId }) => stationId === 1));
    assert.ok(own.every(({ actor, subject }) => ![actor, subject].includes(`user:${bo.id}`)));
    return own;
  };
  const kinds = new Set((await assertClean()).map((entry) => entry.kind));
  for (const seen of ['callGroup.created', 'alarm.commented', 'call.attempt', 'sign-in'])
    assert.ok(kinds.has(seen), `${seen} is theirs: ${[...kinds]}`);
  assert.deepEqual(await journalOf(sue, `&stationId=${north}`), []);
  assert.deepEqual(await journalOf(sue, `&subject=user:${bo.id}`), []);
  for (const team of (await site.list('/teams')).items)
    await site.ask('PUT', `/teams/${team.id}`, { name: team.name, members: [] });
  await site.ask('DELETE', `/users/${bo.id}`);
  await assertClean();
  await site.expectWhatRings();
});

testOnAnyStore('a call for an alarm of another station does not show its id to a bound supervisor', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  const ana = await site.person('ana', { stationIds: [1], numbers: [voice('+33100000001')] });
  const group = await site.group('Pumps', [await site.team('Pumps', [ana])]);
  await site.create('/users', { name: 'sue', role: 'supervisor', stationIds: [1], password: adminPassword });
  const sue = site.as(await site.app.signIn('sue', adminPassword));
  const alarmActions = [{ type: 'CallGroup', id: group }];
  const foreign = await site.alarms.send({ path: 'of North', stationId: north, alarmActions });
  await ana.isCalled();
  await ana.takes();
  const own = await site.alarms.send({ path: 'of station 1', alarmActions });
  // The number rests a while after the call before.
  await site.advance('1m');
  await ana.isCalled();
  await ana.takes();
  await site.settle();
  const idsIn = (entries: readonly Entry[]): readonly unknown[] =>
    entries.flatMap(({ after }) => [after?.alarmId ?? [], after?.alarmIds ?? [], after?.taken ?? []]).flat(2);
  const calls = async (caller: typeof sue): Promise<readonly unknown[]> => [
    ...idsIn(await journalOf(caller, '&kind=call.attempt')),
    ...idsIn(await journalOf(caller, '&kind=call.answered')),
  ];
  const [whole, seen] = [await calls(site), await calls(sue)];
  assert.ok(whole.includes(foreign) && whole.includes(own), JSON.stringify(whole));
  assert.ok(!seen.includes(foreign) && seen.includes(own), JSON.stringify(seen));
});

testOnAnyStore('no secret and no hash of one is in the audit trail', async (t, kind) => {
  const site = await startSite(t, kind);
  const { app } = site;
  const secrets = ['a very secret password', '86420'];
  const user = { name: 'ana', role: 'operator', password: secrets[0], pin: secrets[1] };
  const id = await site.create('/users', user);
  await site.ask('PUT', `/users/${id}`, user);
  secrets.push(await site.keyFor(['alarms:read']), await app.signIn('ana', secrets[0]), site.token);
  const guess = { grant_type: 'password', username: 'ana', password: 'another secret password' };
  await app.request('POST', '/api/v1/auth/login', { body: guess });
  await app.request('GET', '/api/v1/users', { token: 'tock_of-nobody' });
  secrets.push(guess.password, 'tock_of-nobody', adminPassword);
  const tables = await tablesOf(app.environment);
  const users = await tables.all('users');
  const held = [...(await tables.all('sessions')), ...(await tables.all('api_keys'))];
  secrets.push(
    ...users.flatMap(({ password_hash, pin_hash }) => [password_hash ?? [], pin_hash ?? []].flat()),
    ...held.map(({ token_hash }) => token_hash),
  );
  await app.stop();
  const trail = JSON.stringify(await tables.all('audit_entries'));
  await tables.close();
  assert.ok(secrets.length >= 12 && secrets.every((secret) => secret.length > 4));
  for (const kindOf of ['sign-in.failed', 'request.refused', 'user.changed', 'key.created'])
    assert.ok(trail.includes(kindOf), kindOf);
  for (const secret of secrets) assert.ok(!trail.includes(secret), secret);
});
