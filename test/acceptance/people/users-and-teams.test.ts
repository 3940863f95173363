// Users and teams: numbers, PINs and passwords, roles, references, and the protection of the last administrator.

import assert from 'node:assert/strict';
import { passwordMatches } from '../../../src/access/password.ts';
import { getPeopleVersion } from '../../../src/operations/people/version.ts';
import { adminPassword } from '../../harness/app.ts';
import { askAs, callingDesk, detail, listed, names, type Row, refusal } from '../../harness/calling-desk.ts';
import { tablesOf } from '../../harness/table-rows.ts';
import { testOnStores } from '../../harness/test-on-stores.ts';

const voice = { channel: 'voice', address: '+33123456789' };

testOnStores('a user is created, read, replaced and removed', async (t, kind) => {
  const { app, ask, make, get } = await callingDesk(t, kind);
  const number = { channel: 'sms', address: '+33699999999', final: false, countTry: 2, timeToRetry: 30 };
  const id = await make('users', { id: 99, name: 'ana', firstName: 'Ana', language: 'fr', numbers: [voice, number] });
  assert.deepEqual(await get(`users/${id}`), {
    id,
    name: 'ana',
    firstName: 'Ana',
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
        id: 1,
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
      },
      {
        id: 2,
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
      },
    ],
    lastChange: '2026-11-15T12:00:00.000',
  });
  app.clock.advance(1_500);
  const changed = await ask('PUT', `users/${id}`, { name: 'Anna', role: 'supervisor', timeZone: 'Asia/Tokyo' });
  assert.equal(changed.status, 200, changed.text);
  const { name, role, timeZone, numbers, lastChange } = changed.body as Row;
  assert.deepEqual(
    [name, role, timeZone, numbers, lastChange],
    ['Anna', 'supervisor', 'Asia/Tokyo', [], '2026-11-15T12:00:01.500'],
  );
  assert.deepEqual(changed.body, await get(`users/${id}`));
  assert.equal((await ask('DELETE', `users/${id}`)).body, true);
  assert.equal((await ask('GET', `users/${id}`)).status, 404);
  assert.ok((await make('users', { name: 'ana' })) > id, 'an id never comes back');
});

testOnStores('a PUT of the object that a GET returned changes nothing', async (t, kind) => {
  const { ask, make, get } = await callingDesk(t, kind);
  const boss = await make('users', { name: 'boss' });
  const scheduleId = await make('schedules', { name: 'Nights' });
  const numbers = [{ ...voice, scheduleId, ackAutoDefault: 1 }];
  const id = await make('users', { name: 'ana', role: 'observer', stationIds: [1], replacedById: boss, numbers });
  const before = await get(`users/${id}`);
  const { status, body } = await ask('PUT', `users/${id}`, before);
  assert.equal(status, 200);
  assert.deepEqual(body, before);
  const teamId = await make('teams', { name: 'A', members: [{ userId: id, relief: true }, { userId: boss }] });
  const team = await get(`teams/${teamId}`);
  assert.deepEqual((await ask('PUT', `teams/${teamId}`, team)).body, team);
});

testOnStores('numbers keep their order, and their ids as long as they exist', async (t, kind) => {
  const { ask, make, get } = await callingDesk(t, kind);
  const numbers = ['a', 'b', 'c'].map((address) => ({ channel: 'email', address: `${address}@example.org` }));
  const id = await make('users', { name: 'ana', numbers });
  const before = (await get(`users/${id}`)).numbers as Row[];
  const other = await make('users', { name: 'bo', numbers: [voice] });
  const [stranger] = (await get(`users/${other}`)).numbers as Row[];
  const added = { channel: 'pager', address: '17' };
  const given = [before[2], added, { ...before[0], address: 'new@example.org' }, { ...voice, id: stranger?.id }];
  const { body } = await ask('PUT', `users/${id}`, { name: 'ana', numbers: given });
  const after = (body as Row).numbers as Row[];
  assert.deepEqual(
    after.map(({ address }) => address),
    ['c@example.org', '17', 'new@example.org', '+33123456789'],
  );
  assert.deepEqual([after[0]?.id, after[2]?.id], [before[2]?.id, before[0]?.id]);
  const ids = new Set([...before, ...after, stranger].map((number) => number?.id));
  assert.equal(ids.size, 6, "neither the id of one that went nor another user's is given again");
  assert.deepEqual((await get(`users/${other}`)).numbers, [stranger], 'the other user is untouched');
});

testOnStores('PIN and password are stored hashed and never returned', async (t, kind) => {
  const { app, ask, make } = await callingDesk(t, kind);
  const id = await make('users', { name: 'ana', pin: '4321', password: 'a long secret' });
  const stored = async () => {
    const tables = await tablesOf(app.environment);
    const row = (await tables.all('users')).find((user) => user.id === id);
    await tables.close();
    return row;
  };
  const shown = (await ask('GET', `users/${id}`)).text + (await ask('GET', 'users')).text;
  assert.doesNotMatch(shown, /4321|secret|pin|password|argon/i);
  const before = await stored();
  assert.ok(await passwordMatches('4321', before?.pin_hash ?? ''));
  await app.signIn('ana', 'a long secret');
  await ask('PUT', `users/${id}`, { name: 'ana' });
  assert.deepEqual(
    [(await stored())?.pin_hash, (await stored())?.password_hash],
    [before?.pin_hash, before?.password_hash],
  );
  await ask('PUT', `users/${id}`, { name: 'ana', pin: null });
  assert.equal((await stored())?.pin_hash, null, 'null takes it away');
  assert.ok((await stored())?.password_hash);
  assert.doesNotMatch(JSON.stringify(app.logLines), /4321|a long secret/);
});

testOnStores('a new password, a lesser role or removal affects open sessions at once', async (t, kind) => {
  const { app, ask, make } = await callingDesk(t, kind);
  const id = await make('users', { name: 'ana', role: 'supervisor', password: 'a long secret' });
  const token = await app.signIn('ana', 'a long secret');
  const asAna = askAs(app, token);
  assert.equal((await asAna('POST', 'teams', { name: 'A' })).status, 200);
  await ask('PUT', `users/${id}`, { name: 'ana', role: 'observer' });
  assert.equal((await asAna('POST', 'teams', { name: 'B' })).status, 403);
  assert.equal((await asAna('GET', 'teams')).status, 200, 'and the session goes on');
  await ask('PUT', `users/${id}`, { name: 'ana', password: 'another secret' });
  assert.equal((await asAna('GET', 'teams')).status, 401);
  const again = askAs(app, await app.signIn('ana', 'another secret'));
  await ask('DELETE', `users/${id}`);
  assert.equal((await again('GET', 'teams')).status, 401);
});

testOnStores('the last administrator cannot be removed, demoted or bound to stations', async (t, kind) => {
  const { ask, make } = await callingDesk(t, kind);
  const removed = await ask('DELETE', 'users/1');
  assert.equal(removed.status, 409);
  assert.match(detail(removed), /last administrator/);
  assert.deepEqual(refusal(await ask('PUT', 'users/1', { name: 'admin', role: 'operator' })), [422, 'role']);
  assert.deepEqual(refusal(await ask('PUT', 'users/1', { name: 'admin', stationIds: [1] })), [422, 'stationIds']);
  await make('users', { name: 'no password', role: 'administrator' });
  await make('users', { name: 'bound', role: 'administrator', password: 'a long secret', stationIds: [1] });
  assert.equal((await ask('DELETE', 'users/1')).status, 409, 'neither could do what an administrator must');
  await make('users', { name: 'second', role: 'administrator', password: 'a long secret' });
  assert.equal((await ask('PUT', 'users/1', { name: 'admin', role: 'operator' })).status, 200);
});

testOnStores('only administrators change users; readers of the directory see them', async (t, kind) => {
  const { app, make } = await callingDesk(t, kind);
  await make('users', { name: 'ana', role: 'supervisor', password: 'a long secret' });
  const asAna = askAs(app, await app.signIn('ana', 'a long secret'));
  assert.deepEqual(names(await asAna('GET', 'users')), ['admin', 'ana']);
  for (const [method, path] of [
    ['POST', 'users'],
    ['PUT', 'users/2'],
    ['DELETE', 'users/2'],
  ] as const) {
    assert.equal((await asAna(method, path, { name: 'ana' })).status, 403, method);
  }
});

testOnStores('a bound caller sees the users of its stations and of all stations', async (t, kind) => {
  const { make, bound } = await callingDesk(t, kind);
  const [north, south] = [await make('stations', { name: 'North' }), await make('stations', { name: 'South' })];
  await make('users', { name: 'northern', stationIds: [north] });
  const southern = await make('users', { name: 'southern', stationIds: [south] });
  await make('users', { name: 'both', stationIds: [north, south] });
  const asNorth = await bound(north);
  const page = await asNorth('GET', 'users?search=');
  assert.deepEqual(names(page), ['admin', 'northern', 'both']);
  assert.equal((await asNorth('GET', `users/${southern}`)).status, 404);
  assert.equal((await asNorth('POST', 'teams', { name: 'A' })).status, 422, 'teams are shared by all stations');
  const shared = await make('teams', { name: 'A', members: [{ userId: southern }] });
  assert.deepEqual(names(await asNorth('GET', 'teams')), ['A']);
  assert.equal((await asNorth('DELETE', `teams/${shared}`)).status, 422);
});

testOnStores('names are unique regardless of case, and found by any word of both names', async (t, kind) => {
  const { ask, make } = await callingDesk(t, kind);
  await make('users', { name: 'zoe.smith', firstName: 'Zoë Amélie' });
  assert.equal((await ask('POST', 'users', { name: 'ZOË.smith' })).status, 409);
  assert.equal((await ask('PUT', 'users/1', { name: 'Zoe.Smith' })).status, 409);
  await make('teams', { name: 'Night' });
  assert.equal((await ask('POST', 'teams', { name: 'Night' })).status, 409);
  for (const search of ['smith', 'ameli', 'SMITH+ZO']) {
    assert.deepEqual(names(await ask('GET', `users?search=${search}`)), ['zoe.smith'], search);
  }
  assert.deepEqual(names(await ask('GET', 'users?sort=-id&limit=1')), ['zoe.smith']);
  assert.deepEqual(names(await ask('GET', 'users?offset=1')), ['zoe.smith']);
});

testOnStores('a user who is referred to cannot be removed, and the refusal names the reference', async (t, kind) => {
  const { app, token, ask, make } = await callingDesk(t, kind);
  const id = await make('users', { name: 'ana' });
  const refused = async (why: RegExp) => {
    const answer = await ask('DELETE', `users/${id}`);
    assert.equal(answer.status, 409, String(why));
    assert.match(detail(answer), why);
  };
  const team = await make('teams', { name: 'Night A', members: [{ userId: id }] });
  await refused(/team 1 "Night A"/);
  await ask('PUT', `teams/${team}`, { name: 'Night A' });
  const other = await make('users', { name: 'bo', replacedById: id });
  await refused(/user \d+ "bo"/);
  await ask('DELETE', `users/${other}`);
  const override = { userId: id, from: '2026-11-20T08:00', to: '2026-11-21T08:00' };
  const schedule = await make('schedules', { name: 'Nights', overrides: [override] });
  await refused(/schedule 1 "Nights"/);
  await ask('DELETE', `schedules/${schedule}`);
  const body = { path: 'Pump', raised: false, alarmActions: [{ type: 'CallUser', id }] };
  const alarm = await app.request('POST', '/api/v1/alarms', { token, body });
  await refused(/alarm \d+ "Pump"/);
  await ask('DELETE', `alarms/${alarm.body}`);
  assert.equal((await ask('DELETE', `users/${id}`)).status, 200);
});

testOnStores('a cycle of replacements is refused', async (t, kind) => {
  const { ask, make } = await callingDesk(t, kind);
  const a = await make('users', { name: 'a' });
  const c = await make('users', { name: 'c', replacedById: a });
  const b = await make('users', { name: 'b', replacedById: c });
  assert.deepEqual(refusal(await ask('PUT', `users/${a}`, { name: 'a', replacedById: b })), [422, 'replacedById']);
  assert.deepEqual(refusal(await ask('PUT', `users/${a}`, { name: 'a', replacedById: a })), [422, 'replacedById']);
  assert.equal((await ask('PUT', `users/${a}`, { name: 'a', replacedById: 1 })).status, 200);
});

testOnStores('a team contains each user once, and only existing users', async (t, kind) => {
  const { ask } = await callingDesk(t, kind);
  const team = (members: object[]) => ask('POST', 'teams', { name: 'A', members });
  assert.deepEqual(refusal(await team([{ userId: 1 }, { userId: 1 }])), [422, 'members[1].userId']);
  assert.deepEqual(refusal(await team([{ userId: 1 }, { userId: 77 }])), [422, 'members[1].userId']);
  assert.deepEqual(refusal(await team([{ relief: true }])), [400, 'members[0].userId']);
  assert.deepEqual(listed(await ask('GET', 'teams')), []);
});

testOnStores('every change of people increases the people version, and nothing else does', async (t, kind) => {
  const { app, ask, make } = await callingDesk(t, kind);
  let version = await app.store.read(getPeopleVersion, {});
  assert.ok(version > 0, 'the first administrator is one');
  const rises = async (what: string, change: () => Promise<unknown>, by: boolean) => {
    await change();
    const now = await app.store.read(getPeopleVersion, {});
    assert.equal(now > version, by, what);
    assert.ok(by || now === version, what);
    version = now;
  };
  await rises('a list', () => ask('GET', 'users'), false);
  await rises('a sign-in', () => app.signIn('admin', adminPassword), false);
  await rises('an alarm', () => ask('POST', 'alarms', { path: 'Pump' }), false);
  await rises('a refusal', () => ask('POST', 'users', { name: 'ADMIN' }), false);
  await rises('a user', () => make('users', { name: 'ana' }), true);
  for (const path of ['teams', 'schedules', 'scenarios', 'callgroups', 'callgroupgroupings']) {
    await rises(`a new one of ${path}`, () => make(path, { name: 'A' }), true);
    await rises(`a change of ${path}`, () => ask('PUT', `${path}/1`, { name: 'B' }), true);
    await rises(`a removal of ${path}`, () => ask('DELETE', `${path}/1`), true);
  }
  await rises('a change of a user', () => ask('PUT', 'users/2', { name: 'ana', numbers: [voice] }), true);
  await rises('a removed user', () => ask('DELETE', 'users/2'), true);
});
