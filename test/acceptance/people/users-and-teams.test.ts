// Users and teams: numbers, PINs and passwords, roles, references, and the protection of the last administrator.

import assert from 'node:assert/strict';
import { passwordMatches } from '../../../src/access/password.ts';
import { getPeopleVersion } from '../../../src/operations/people/version.ts';
import { adminPassword } from '../../harness/site/app.ts';
import { startSite } from '../../harness/site/site.ts';
import { detail, listed, names, type Row, refusal } from '../../harness/site/site-caller.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

const editorScopes = ['directory:read', 'directory:write', 'alarms:ack'];

const voice = { channel: 'voice', address: '+33123456789' };

testOnAnyStore('a user is created, read, replaced and removed', async (t, kind) => {
  const site = await startSite(t, kind);
  const number = { channel: 'sms', address: '+33699999999', final: false, countTry: 2, timeToRetry: 30 };
  const id = await site.create('/users', {
    id: 99,
    name: 'ana',
    firstName: 'Ana',
    lastName: 'Silva',
    displayName: 'Ana of the pumps',
    language: 'fr',
    numbers: [voice, number],
  });
  assert.deepEqual(await site.ask('GET', `/users/${id}`), {
    id,
    name: 'ana',
    firstName: 'Ana',
    lastName: 'Silva',
    identities: [],
    displayName: 'Ana of the pumps',
    language: 'fr',
    timeZone: 'Europe/Paris',
    role: 'operator',
    statusId: 1,
    onDuty: true,
    replacedById: null,
    virtual: false,
    stationIds: [],
    numbers: [
      {
        // Number 1 is the simulated phone of the administrator.
        id: 2,
        channel: 'voice',
        address: '+33123456789',
        valid: true,
        verified: true,
        final: true,
        countTry: 1,
        timeToRetry: 60,
        countAck: 1,
        timeToAck: 120,
        ackAutoDefault: 0,
        scheduleId: null,
        priorities: null,
        followUps: { taken: false, back: false },
      },
      {
        id: 3,
        channel: 'sms',
        address: '+33699999999',
        valid: true,
        verified: true,
        final: false,
        countTry: 2,
        timeToRetry: 30,
        countAck: 1,
        timeToAck: 120,
        ackAutoDefault: 0,
        scheduleId: null,
        priorities: null,
        followUps: { taken: false, back: false },
      },
    ],
    lastChange: '2026-11-15T12:00:00.000',
  });
  site.app.clock.advance(1_500);
  const changed = await site.request('PUT', `/users/${id}`, {
    name: 'Anna',
    role: 'supervisor',
    timeZone: 'Asia/Tokyo',
  });
  assert.equal(changed.status, 200, changed.text);
  const { name, role, timeZone, numbers, lastChange } = changed.body as Row;
  const channels = (numbers as readonly Row[]).map(({ channel }) => channel);
  assert.deepEqual(
    [name, role, timeZone, channels, lastChange],
    ['Anna', 'supervisor', 'Asia/Tokyo', ['simulator'], '2026-11-15T12:00:01.500'],
  );
  assert.deepEqual(changed.body, await site.ask('GET', `/users/${id}`));
  assert.equal((await site.request('DELETE', `/users/${id}`)).body, true);
  assert.equal((await site.request('GET', `/users/${id}`)).status, 404);
  assert.ok((await site.create('/users', { name: 'ana' })) > id, 'an id never comes back');
});

testOnAnyStore('a PUT of the object that a GET returned changes nothing', async (t, kind) => {
  const site = await startSite(t, kind);
  const boss = await site.create('/users', { name: 'boss' });
  const scheduleId = await site.create('/schedules', { name: 'Nights' });
  const numbers = [{ ...voice, scheduleId, ackAutoDefault: 1 }];
  const id = await site.create('/users', {
    name: 'ana',
    role: 'observer',
    stationIds: [1],
    replacedById: boss,
    numbers,
  });
  const before = await site.ask('GET', `/users/${id}`);
  const { status, body } = await site.request('PUT', `/users/${id}`, before);
  assert.equal(status, 200);
  assert.deepEqual(body, before);
  const teamId = await site.create('/teams', { name: 'A', members: [{ userId: id, relief: true }, { userId: boss }] });
  const team = await site.ask('GET', `/teams/${teamId}`);
  assert.deepEqual((await site.request('PUT', `/teams/${teamId}`, team)).body, team);
});

testOnAnyStore('numbers keep their order, and their ids as long as they exist', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = ['a', 'b', 'c'].map((address) => ({ channel: 'email', address: `${address}@example.org` }));
  const id = await site.create('/users', { name: 'ana', numbers });
  const before = (await site.ask('GET', `/users/${id}`)).numbers as Row[];
  const other = await site.create('/users', { name: 'bo', numbers: [voice] });
  const [stranger] = (await site.ask('GET', `/users/${other}`)).numbers as Row[];
  const added = { channel: 'pager', address: '17' };
  const given = [before[2], added, { ...before[0], address: 'new@example.org' }, { ...voice, id: stranger?.id }];
  const { body } = await site.request('PUT', `/users/${id}`, { name: 'ana', numbers: given });
  const after = (body as Row).numbers as Row[];
  assert.deepEqual(
    after.map(({ address }) => address),
    ['c@example.org', '17', 'new@example.org', '+33123456789'],
  );
  assert.deepEqual([after[0]?.id, after[2]?.id], [before[2]?.id, before[0]?.id]);
  const ids = new Set([...before, ...after, stranger].map((number) => number?.id));
  assert.equal(ids.size, 6, "neither the id of one that went nor another user's is given again");
  assert.deepEqual((await site.ask('GET', `/users/${other}`)).numbers, [stranger], 'the other user is untouched');
});

testOnStores('PIN and password are stored hashed and never returned', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.create('/users', { name: 'ana', pin: '4321', password: 'a long secret' });
  const stored = async () => {
    const tables = await tablesOf(site.app.environment);
    const row = (await tables.all('users')).find((user) => user.id === id);
    await tables.close();
    return row;
  };
  const shown = (await site.request('GET', `/users/${id}`)).text + (await site.request('GET', '/users')).text;
  assert.doesNotMatch(shown, /4321|secret|pin|password|argon/i);
  const before = await stored();
  assert.ok(await passwordMatches('4321', before?.pin_hash ?? ''));
  await site.app.signIn('ana', 'a long secret');
  await site.request('PUT', `/users/${id}`, { name: 'ana' });
  assert.deepEqual(
    [(await stored())?.pin_hash, (await stored())?.password_hash],
    [before?.pin_hash, before?.password_hash],
  );
  await site.request('PUT', `/users/${id}`, { name: 'ana', pin: null });
  assert.equal((await stored())?.pin_hash, null, 'null takes it away');
  assert.ok((await stored())?.password_hash);
  assert.doesNotMatch(JSON.stringify(site.app.logLines), /4321|a long secret/);
});

testOnAnyStore('a new password, a lesser role or removal affects open sessions at once', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.create('/users', { name: 'ana', role: 'supervisor', password: 'a long secret' });
  const token = await site.app.signIn('ana', 'a long secret');
  const asAna = site.as(token);
  assert.equal((await asAna.request('POST', '/teams', { name: 'A' })).status, 200);
  await site.request('PUT', `/users/${id}`, { name: 'ana', role: 'observer' });
  assert.equal((await asAna.request('POST', '/teams', { name: 'B' })).status, 403);
  assert.equal((await asAna.request('GET', '/teams')).status, 200, 'and the session goes on');
  await site.request('PUT', `/users/${id}`, { name: 'ana', password: 'another secret' });
  assert.equal((await asAna.request('GET', '/teams')).status, 401);
  const again = site.as(await site.app.signIn('ana', 'another secret'));
  await site.request('DELETE', `/users/${id}`);
  assert.equal((await again.request('GET', '/teams')).status, 401);
});

testOnStores('the last administrator cannot be removed, demoted or bound to stations', async (t, kind) => {
  const site = await startSite(t, kind);
  const removed = await site.request('DELETE', '/users/1');
  assert.equal(removed.status, 409);
  assert.match(detail(removed), /last administrator/);
  assert.deepEqual(refusal(await site.request('PUT', '/users/1', { name: 'admin', role: 'operator' })), [422, 'role']);
  assert.deepEqual(refusal(await site.request('PUT', '/users/1', { name: 'admin', stationIds: [1] })), [
    422,
    'stationIds',
  ]);
  await site.create('/users', { name: 'no password', role: 'administrator' });
  await site.create('/users', { name: 'bound', role: 'administrator', password: 'a long secret', stationIds: [1] });
  assert.equal((await site.request('DELETE', '/users/1')).status, 409, 'neither could do what an administrator must');
  await site.create('/users', { name: 'second', role: 'administrator', password: 'a long secret' });
  assert.equal((await site.request('PUT', '/users/1', { name: 'admin', role: 'operator' })).status, 200);
});

testOnStores('a PUT of a user without stationIds does not unbind them', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.create('/users', { name: 'bound', role: 'administrator', stationIds: [1] });
  const stations = async () => (await site.ask('GET', `/users/${id}`)).stationIds;
  await site.ask('PUT', `/users/${id}`, { name: 'bound', firstName: 'Bo' });
  assert.deepEqual(await stations(), [1]);
  await site.ask('PUT', `/users/${id}`, { name: 'bound', stationIds: [] });
  assert.deepEqual(await stations(), [], 'who says so unbinds them');
});

testOnAnyStore('only administrators change users; readers of the directory see them', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.create('/users', { name: 'ana', role: 'supervisor', password: 'a long secret' });
  const asAna = site.as(await site.app.signIn('ana', 'a long secret'));
  assert.deepEqual(names(await asAna.request('GET', '/users')), ['admin', 'ana']);
  for (const [method, path] of [
    ['POST', 'users'],
    ['PUT', 'users/2'],
    ['DELETE', 'users/2'],
  ] as const) {
    assert.equal((await asAna.request(method, `/${path}`, { name: 'ana' })).status, 403, method);
  }
});

testOnAnyStore('a bound caller sees the users of its stations and of all stations', async (t, kind) => {
  const site = await startSite(t, kind);
  const [north, south] = [
    await site.create('/stations', { name: 'North' }),
    await site.create('/stations', { name: 'South' }),
  ];
  const northern = await site.create('/users', { name: 'northern', stationIds: [north] });
  const southern = await site.create('/users', { name: 'southern', stationIds: [south] });
  await site.create('/users', { name: 'both', stationIds: [north, south] });
  const asNorth = await site.as(await site.keyFor(editorScopes, [north]));
  const page = await asNorth.request('GET', '/users?search=');
  assert.deepEqual(names(page), ['admin', 'northern', 'both']);
  assert.equal((await asNorth.request('GET', `/users/${southern}`)).status, 404);
  assert.equal(
    (await asNorth.request('POST', '/teams', { name: 'A' })).status,
    422,
    'teams are shared by all stations',
  );
  const theirs = await site.create('/teams', { name: 'A', members: [{ userId: southern }] });
  const shared = await site.create('/teams', { name: 'B', members: [{ userId: southern }, { userId: northern }] });
  assert.deepEqual(names(await asNorth.request('GET', '/teams')), ['B']);
  const { members } = await asNorth.ask('GET', `/teams/${shared}`);
  assert.deepEqual(members, [{ userId: northern, relief: false }], 'only the member whom the caller sees');
  assert.equal((await asNorth.request('DELETE', `/teams/${shared}`)).status, 422);
  assert.equal((await asNorth.request('DELETE', `/teams/${theirs}`)).status, 404);
});

testOnAnyStore(
  'somebody without a number has a stored simulated phone until they get another number',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [] });
    const group = await site.group('Pumps', [await site.team('Pumps', [ana])]);
    const own = `/users/${ana.id}`;
    const { numbers, ...rest } = (await site.ask('GET', own)) as Row & { numbers: readonly Row[] };
    const [phone] = numbers;
    assert.deepEqual([phone?.channel, phone?.address, phone?.verified], ['simulator', 'simulated phone', true]);
    await site.alarms.raise(group);
    assert.equal((await ana.isCalled()).address, 'simulated phone');
    await ana.takes();
    const [attempt] = await site.callHistories();
    assert.equal(attempt?.channel, 'simulator');
    // Sent back as it was, it stays what it is.
    assert.deepEqual((await site.ask('PUT', own, { ...rest, numbers })).numbers, numbers);
    const real = await site.ask('PUT', own, { ...rest, numbers: [...numbers, voice] });
    assert.deepEqual(
      (real.numbers as readonly Row[]).map(({ channel }) => channel),
      ['voice'],
    );
    const none = (await site.ask('PUT', own, { ...rest, numbers: [] })).numbers as readonly Row[];
    assert.deepEqual(
      none.map(({ channel }) => channel),
      ['simulator'],
    );
    await site.restart({ TOCSIN_SIMULATOR: 'false' });
    assert.deepEqual((await site.ask('PUT', own, { ...rest, numbers: [] })).numbers, []);
    const bo = await site.create('/users', { name: 'bo' });
    assert.deepEqual((await site.ask('GET', `/users/${bo}`)).numbers, []);
  },
);

testOnAnyStore('names are unique regardless of case, and found by any word of all names', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.create('/users', {
    name: 'zoe.smith',
    firstName: 'Zoë Amélie',
    lastName: 'Éluard',
    displayName: 'Captain',
  });
  assert.equal((await site.request('POST', '/users', { name: 'ZOË.smith' })).status, 409);
  assert.equal((await site.request('PUT', '/users/1', { name: 'Zoe.Smith' })).status, 409);
  await site.create('/teams', { name: 'Night' });
  assert.equal((await site.request('POST', '/teams', { name: 'Night' })).status, 409);
  for (const search of ['smith', 'ameli', 'SMITH+ZO', 'eluard', 'captain+am']) {
    assert.deepEqual(names(await site.request('GET', `/users?search=${search}`)), ['zoe.smith'], search);
  }
  assert.deepEqual(names(await site.request('GET', '/users?sort=-id&limit=1')), ['zoe.smith']);
  assert.deepEqual(names(await site.request('GET', '/users?offset=1')), ['zoe.smith']);
});

testOnAnyStore('a user who is referred to cannot be removed, and the refusal names the reference', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.create('/users', { name: 'ana' });
  const refused = async (why: RegExp) => {
    const answer = await site.request('DELETE', `/users/${id}`);
    assert.equal(answer.status, 409, String(why));
    assert.match(detail(answer), why);
  };
  const team = await site.create('/teams', { name: 'Night A', members: [{ userId: id }] });
  await refused(/team 1 "Night A"/);
  await site.request('PUT', `/teams/${team}`, { name: 'Night A' });
  const other = await site.create('/users', { name: 'bo', replacedById: id });
  await refused(/user \d+ "bo"/);
  await site.request('DELETE', `/users/${other}`);
  const override = { userId: id, from: '2026-11-20T08:00', to: '2026-11-21T08:00' };
  const schedule = await site.create('/schedules', { name: 'Nights', overrides: [override] });
  await refused(/schedule 1 "Nights"/);
  await site.request('DELETE', `/schedules/${schedule}`);
  const body = { path: 'Pump', raised: false, alarmActions: [{ type: 'CallUser', id }] };
  const alarm = await site.alarms.send(body);
  await refused(/alarm \d+ "Pump"/);
  await site.request('DELETE', `/alarms/${alarm}`);
  assert.equal((await site.request('DELETE', `/users/${id}`)).status, 200);
});

testOnAnyStore('a cycle of replacements is refused', async (t, kind) => {
  const site = await startSite(t, kind);
  const a = await site.create('/users', { name: 'a' });
  const c = await site.create('/users', { name: 'c', replacedById: a });
  const b = await site.create('/users', { name: 'b', replacedById: c });
  assert.deepEqual(refusal(await site.request('PUT', `/users/${a}`, { name: 'a', replacedById: b })), [
    422,
    'replacedById',
  ]);
  assert.deepEqual(refusal(await site.request('PUT', `/users/${a}`, { name: 'a', replacedById: a })), [
    422,
    'replacedById',
  ]);
  assert.equal((await site.request('PUT', `/users/${a}`, { name: 'a', replacedById: 1 })).status, 200);
});

testOnAnyStore('a team contains each user once, and only existing users', async (t, kind) => {
  const site = await startSite(t, kind);
  const team = (members: object[]) => site.request('POST', '/teams', { name: 'A', members });
  assert.deepEqual(refusal(await team([{ userId: 1 }, { userId: 1 }])), [422, 'members[1].userId']);
  assert.deepEqual(refusal(await team([{ userId: 1 }, { userId: 77 }])), [422, 'members[1].userId']);
  assert.deepEqual(refusal(await team([{ relief: true }])), [400, 'members[0].userId']);
  assert.deepEqual(listed(await site.request('GET', '/teams')), []);
});

testOnAnyStore('every change of people increases the people version, and nothing else does', async (t, kind) => {
  const site = await startSite(t, kind);
  let version = await site.app.store.read(getPeopleVersion, {});
  assert.ok(version > 0, 'the first administrator is one');
  const rises = async (what: string, change: () => Promise<unknown>, by: boolean) => {
    await change();
    const now = await site.app.store.read(getPeopleVersion, {});
    assert.equal(now > version, by, what);
    assert.ok(by || now === version, what);
    version = now;
  };
  await rises('a list', () => site.request('GET', '/users'), false);
  await rises('a sign-in', () => site.app.signIn('admin', adminPassword), false);
  await rises('an alarm', () => site.request('POST', '/alarms', { path: 'Pump' }), false);
  await rises('a refusal', () => site.request('POST', '/users', { name: 'ADMIN' }), false);
  await rises('a user', () => site.create('/users', { name: 'ana' }), true);
  for (const path of ['teams', 'schedules', 'scenarios', 'callgroups', 'callgroupgroupings']) {
    await rises(`a new one of ${path}`, () => site.create(`/${path}`, { name: 'A' }), true);
    await rises(`a change of ${path}`, () => site.request('PUT', `/${path}/1`, { name: 'B' }), true);
    await rises(`a removal of ${path}`, () => site.request('DELETE', `/${path}/1`), true);
  }
  await rises('a change of a user', () => site.request('PUT', '/users/2', { name: 'ana', numbers: [voice] }), true);
  await rises('a removed user', () => site.request('DELETE', '/users/2'), true);
});

testOnStores('an identity belongs to one person, whatever its case, and goes with the user', async (t, kind) => {
  const site = await startSite(t, kind);
  const identities = [
    { kind: 'email', address: 'Ana@example.org' },
    { kind: 'chat', address: '@ana:example.org' },
  ];
  const ana = await site.create('/users', { name: 'ana', identities });
  assert.deepEqual((await site.ask('GET', `/users/${ana}`)).identities, identities);
  const make = (...own: readonly object[]) => site.request('POST', '/users', { name: 'bo', identities: own });
  const mail = { kind: 'email', address: 'ana@EXAMPLE.org' };
  assert.deepEqual(refusal(await make({ kind: 'chat', address: 'bo' }, mail)), [422, 'identities[1].address']);
  assert.deepEqual(refusal(await make({ kind: 'email', address: 'nobody' })), [422, 'identities[0].address']);
  const twice = { kind: 'chat', address: 'bo' };
  assert.deepEqual(refusal(await make(twice, twice)), [422, 'identities[1].address']);
  assert.equal((await make({ ...mail, kind: 'chat' })).status, 200, 'the same address of another kind');
  const user = await site.ask('GET', `/users/${ana}`);
  await site.ask('PUT', `/users/${ana}`, { ...user, identities: identities.slice(0, 1) });
  assert.deepEqual((await site.ask('GET', `/users/${ana}`)).identities, identities.slice(0, 1));
  await site.ask('DELETE', `/users/${ana}`);
  assert.equal((await site.request('POST', '/users', { name: 'carl', identities: [mail] })).status, 200);
});
