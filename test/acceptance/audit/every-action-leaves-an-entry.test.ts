// Every action that the audit trail covers leaves an entry: who, what, when, from where, before and after.

import assert from 'node:assert/strict';
import { noteClockStep } from '../../../src/operations/system/clock-step.ts';
import { adminPassword, startTestApp } from '../../harness/site/app.ts';
import { type Entry, journalOf, newest } from '../../harness/site/journal.ts';
import { Site, startSite } from '../../harness/site/site.ts';
import type { Row } from '../../harness/site/site-caller.ts';
import { voice } from '../../harness/site/site-phones.ts';
import { tablesOf } from '../../harness/stores/table-rows.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';
import { until } from '../../harness/until.ts';

/** Asserts the newest entry of a kind; of `before` and `after` only the given fields. */
async function assertNewest(site: Site, kind: string, expected: Partial<Entry>, query = ''): Promise<void> {
  const entry = await newest(site, kind, query);
  const { before, after, ...rest } = expected;
  const given = (fields: Row | undefined, names: Row | undefined) =>
    Object.fromEntries(Object.keys(names ?? {}).map((name) => [name, fields?.[name]]));
  const shown = Object.fromEntries(Object.keys(rest).map((name) => [name, entry[name as keyof Entry]]));
  assert.deepEqual(shown, rest, kind);
  assert.deepEqual(given(entry.before, before), before ?? {}, `${kind}, before`);
  assert.deepEqual(given(entry.after, after), after ?? {}, `${kind}, after`);
  assert.equal(entry.time.slice(0, 10), '2026-11-15');
}

/** The number of refusals that the entries of a kind count. */
async function countedIn(site: Site, kind: string): Promise<number> {
  await site.app.poll();
  return (await journalOf(site, `&kind=${kind}`)).reduce((sum, { after }) => sum + Number(after?.count), 0);
}

const byAdmin = { actor: 'user:1', address: '127.0.0.1' };

testOnAnyStore('changes of the directory, keys, media and alarms by people are recorded', async (t, kind) => {
  const scripts = { '7-open.sh': '#!/bin/sh\n' };
  const site = await startSite(t, kind, { scripts, overrides: { TOCSIN_CALL_PAUSE: '60' } });
  const { app } = site;
  await assertNewest(site, 'store.created', { actor: 'system' });
  const rules = { untilAcknowledged: true, pauseSeconds: 60, longestPauseSeconds: 1800, timeToTakeSeconds: 900 };
  const priorities = [1, 2].map((priority) => ({ priority, ...rules, endOnReturn: false, ackExpiryMinutes: 0 }));
  await assertNewest(site, 'callPolicy.changed', { actor: 'system', after: { priorities } });
  await site.ask('PUT', '/callpolicy', { priorities: [], cap: { attempts: 30, minutes: 15 } });
  const emptied = { before: { priorities, callAgain: undefined }, after: { priorities: [], callAgain: undefined } };
  await assertNewest(site, 'callPolicy.changed', { ...byAdmin, ...emptied });
  await assertNewest(site, 'callingMeans.changed', { actor: 'system', after: { hasSimulator: true } });
  await assertNewest(site, 'scripts.changed', { actor: 'system', before: {}, after: { scripts: [[7, null]] } });
  await assertNewest(site, 'sign-in', { ...byAdmin, subject: 'user:1', after: { name: 'admin' } });

  const stationId = await site.create('/stations', { name: 'North' });
  await assertNewest(site, 'station.created', {
    ...byAdmin,
    stationId,
    subject: `station:${stationId}`,
    after: { name: 'North' },
  });
  const server = await site.create('/dataservers', { name: 'PLC', stationId });
  await site.ask('PUT', `/dataservers/${server}`, { name: 'PLC 2', stationId });
  await assertNewest(site, 'dataServer.changed', {
    ...byAdmin,
    stationId,
    subject: `dataServer:${server}`,
    before: { name: 'PLC', stationId: undefined },
    after: { name: 'PLC 2', stationId: undefined },
  });
  await site.ask('DELETE', `/dataservers/${server}`);
  await assertNewest(site, 'dataServer.removed', { ...byAdmin, stationId, before: { name: 'PLC 2', stationId } });

  const user = {
    name: 'ana',
    role: 'operator',
    numbers: [voice('+33100000001')],
    password: adminPassword,
    pin: '1234',
  };
  const id = await site.create('/users', user);
  const subject = `user:${id}`;
  await assertNewest(site, 'user.created', {
    ...byAdmin,
    subject,
    after: { name: 'ana', passwordSet: true, pinSet: true },
  });
  await site.ask('PUT', `/users/${id}`, { ...user, pin: undefined, password: undefined, role: 'observer' });
  await assertNewest(site, 'user.changed', {
    ...byAdmin,
    subject,
    before: { name: 'ana', role: 'operator' },
    after: { name: 'ana', role: 'observer', passwordSet: undefined, firstName: undefined },
  });
  const teamId = await site.create('/teams', { name: 'Pumps', members: [{ userId: id }] });
  await assertNewest(site, 'team.created', { ...byAdmin, after: { members: [{ userId: id, relief: false }] } });
  const scheduleId = await site.schedule(teamId, '08:00', '16:00');
  const override = { userId: id, from: '2026-11-20T08:00', to: '2026-11-20T09:00', reason: 'swap' };
  await site.ask('POST', `/schedules/${scheduleId}/swap`, override);
  const { before: was, after: is } = await newest(site, 'schedule.changed');
  assert.deepEqual([was?.overrides, (is?.overrides as Row[] | undefined)?.[0]?.reason], [[], 'swap']);
  const groupId = await site.group('Pumps', [teamId], { stationId });
  await assertNewest(site, 'callGroup.created', { ...byAdmin, stationId, subject: `callGroup:${groupId}` });
  const scenarioId = await site.create('/scenarios', {
    name: 'Fire',
    alarmActions: [{ type: 'CallGroup', id: groupId }],
  });
  await assertNewest(site, 'scenario.created', { ...byAdmin, subject: `scenario:${scenarioId}` });

  const key = await site.ask<{ id: number }>('POST', '/auth/keys', {
    name: 'PLC',
    scopes: ['alarms:write'],
    expiryTime: '2027-01-01',
  });
  await assertNewest(site, 'key.created', {
    ...byAdmin,
    subject: `key:${key.id}`,
    after: { name: 'PLC', scopes: ['alarms:write'] },
  });
  await site.ask('DELETE', `/auth/keys/${key.id}`);
  await assertNewest(site, 'key.revoked', {
    ...byAdmin,
    subject: `key:${key.id}`,
    before: { name: 'PLC', scopes: ['alarms:write'] },
  });

  const file = { method: 'PUT', headers: { authorization: `Bearer ${site.token}` }, body: 'What to do' };
  await fetch(`${app.url}/api/v1/media/pump.txt`, file);
  await assertNewest(site, 'media.stored', { ...byAdmin, subject: 'media:pump.txt', after: { size: 10 } });
  await site.ask('DELETE', '/media/pump.txt');
  await assertNewest(site, 'media.removed', { ...byAdmin, subject: 'media:pump.txt', before: { size: 10 } });

  const before = (await journalOf(site)).length;
  const alarm = await site.alarms.send({
    path: 'Pump',
    alarmMessage: 'hot',
    stationId,
    eventCondition: { resettable: false },
  });
  await site.alarms.send({ path: 'Pump', alarmMessage: 'hotter', stationId });
  assert.equal((await journalOf(site)).length, before, 'reports of alarms leave no entry');
  const about = { ...byAdmin, stationId, subject: `alarm:${alarm}` };
  await site.ask('POST', `/alarms/${alarm}/mask`, { until: '2026-11-15T16:00:00Z', reason: 'repair' });
  const maskOf = { until: Date.parse('2026-11-15T16:00:00Z'), reason: 'repair', by: 'admin' };
  await assertNewest(site, 'alarm.masked', { ...about, before: { mask: undefined }, after: { mask: maskOf } });
  await site.ask('POST', `/alarms/${alarm}/unmask`);
  await assertNewest(site, 'alarm.unmasked', { ...about, before: { mask: maskOf }, after: { mask: undefined } });
  await site.ask('POST', `/alarms/${alarm}/acknowledge`, { comment: 'on my way' });
  await assertNewest(site, 'alarm.acknowledged', {
    ...about,
    before: { state: 3 },
    after: { state: 1, ackUser: 'admin', comment: 'on my way' },
  });
  await site.ask('POST', `/alarms/${alarm}/comments`, { comment: 'bearing' });
  await assertNewest(site, 'alarm.commented', {
    ...about,
    before: { comment: 'on my way' },
    after: { comment: 'bearing' },
  });
  await site.alarms.send({ path: 'Pump', stationId, raised: false });
  await site.ask('POST', `/alarms/${alarm}/reset`);
  await assertNewest(site, 'alarm.reset', { ...about, before: { state: 1 }, after: { state: 0 } });
  await site.ask('PUT', `/alarms/${alarm}/scenarios`, { scenarioIds: [scenarioId] });
  await assertNewest(site, 'alarm.scenarios-attached', {
    ...about,
    before: { scenarioIds: [] },
    after: { scenarioIds: [scenarioId] },
  });
  await site.ask('DELETE', `/alarms/${alarm}`);
  await assertNewest(site, 'alarm.removed', { ...about, before: { path: 'Pump', state: 0 } });

  const bulk = [await site.alarms.send({ path: 'A' }), await site.alarms.send({ path: 'B' })];
  await site.ask('POST', '/alarms/acknowledge', { ids: bulk });
  const acknowledged = (await journalOf(site, '&kind=alarm.acknowledged')).slice(0, 2).map((entry) => entry.subject);
  assert.deepEqual(new Set(acknowledged), new Set(bulk.map((one) => `alarm:${one}`)));

  const masked = await site.alarms.send({ path: 'C' });
  await site.ask('POST', `/alarms/${masked}/mask`, { until: '2026-11-15T12:00:05Z', reason: 'repair' });
  await site.advance('10s');
  await assertNewest(site, 'alarm.mask-expired', { actor: 'system', subject: `alarm:${masked}` });

  const step = { knownSteps: 0, kind: 'forward', setMs: 5_000, byMs: 5_000, aheadMs: 0 } as const;
  await app.store.write(noteClockStep, { ...step, since: app.clock.now() });
  await assertNewest(site, 'clock.stepped', { actor: 'system', after: { kind: 'forward', setMs: 5_000 } });
});

testOnAnyStore(
  'sign-ins, sign-outs and refusals are recorded, repeated refusals once a minute with their number',
  async (t, kind) => {
    const app = await startTestApp(t, kind);
    const site = new Site(t, app, await app.signIn());
    const guess = (username: string) =>
      app.request('POST', '/api/v1/auth/login', {
        body: { grant_type: 'password', username, password: 'not the password' },
      });
    /** The newest entry of the kind, once the refusals counted in all of them are `count`. */
    const refused = async (kind: string, count: number): Promise<Entry> => {
      await until(
        () => countedIn(site, kind),
        (found) => found === count,
      );
      return newest(site, kind);
    };
    const anonymous = { actor: 'anonymous', address: '127.0.0.1' };

    assert.equal((await guess('Admin')).status, 400);
    const failed = await refused('sign-in.failed', 1);
    assert.deepEqual([failed.actor, failed.address, failed.subject], ['anonymous', '127.0.0.1', 'user:1']);
    assert.deepEqual([failed.after?.name, failed.after?.code, failed.after?.count], ['Admin', 'wrong-credentials', 1]);

    const second = await app.signIn();
    await app.request('POST', '/api/v1/auth/logout', { token: second });
    await assertNewest(site, 'sign-out', { ...byAdmin, subject: 'user:1' });
    await app.signIn();
    const { items } = await site.list('/auth/sessions?sort=-id');
    await site.ask('DELETE', `/auth/sessions/${items[0]?.id}`);
    await assertNewest(site, 'session.ended', { ...byAdmin, subject: 'user:1', before: { sessionId: items[0]?.id } });

    await app.request('GET', '/api/v1/stations');
    await app.request('GET', '/api/v1/stations', { token: second });
    const bad = await refused('request.refused', 1);
    assert.deepEqual(
      { actor: bad.actor, address: bad.address },
      anonymous,
      'a request without a token is not recorded',
    );
    assert.deepEqual([bad.after?.code, bad.after?.route], ['not-signed-in', 'GET /api/v1/stations']);
    for (let count = 0; count < 5; count++) await app.request('GET', '/api/v1/stations', { token: second });
    app.clock.advance(60_000);
    assert.equal(
      (await refused('request.refused', 6)).after?.count,
      5,
      'further ones are counted until a minute is over',
    );

    const key = await site.keyFor(['alarms:write']);
    await app.request('GET', '/api/v1/stations', { token: key });
    const denied = await refused('request.refused', 7);
    assert.deepEqual([denied.actor, denied.after?.code], ['key:1', 'scope-missing']);
    const token = await site.keyFor(['history:read']);
    const hub = await fetch(`${app.url}/alarmHub/negotiate?negotiateVersion=1`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    assert.equal(hub.status, 403);
    const refusedHub = await refused('request.refused', 8);
    assert.deepEqual([refusedHub.actor, refusedHub.after?.route], ['key:2', 'hub']);
  },
);

testOnAnyStore('a flood of refusals from many addresses leaves few entries', async (t, kind) => {
  const app = await startTestApp(t, kind, { overrides: { TOCSIN_TRUSTED_PROXIES: '127.0.0.1' } });
  const site = new Site(t, app, await app.signIn());
  for (let address = 0; address < 300; address++)
    await app.request('GET', '/api/v1/stations', {
      token: 'guess',
      headers: { 'x-forwarded-for': `198.51.${Math.floor(address / 256)}.${address % 256}` },
    });
  app.clock.advance(60_000);
  await until(
    () => countedIn(site, 'request.refused'),
    (count) => count === 300,
  );
  assert.ok((await journalOf(site, '&kind=request.refused')).length <= 102);
});

testOnStores('requests for calls, attempts and answers by telephone are recorded', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001')] });
  const bo = await site.person('bo', { numbers: [voice('+33100000002')] });
  const groupId = await site.group('Pumps', [await site.team('Pumps', [ana])]);
  const reliefId = await site.group('Relief', [await site.team('Relief', [bo])]);
  await site.ask('PUT', `/callgroups/${groupId}`, {
    ...(await site.ask('GET', `/callgroups/${groupId}`)),
    reliefGroupId: reliefId,
  });
  const alarm = await site.alarms.raise(groupId);
  await ana.isCalled();
  await site.ask('POST', `/alarms/${alarm}/escalate`);
  await assertNewest(site, 'call.escalated', { ...byAdmin, stationId: 1, subject: `alarm:${alarm}` });
  await bo.isCalled();
  await ana.takes();
  const byPhone = { actor: `user:${ana.id}`, address: '+33100000001', stationId: 1 };
  await assertNewest(site, 'call.answered', {
    ...byPhone,
    subject: `user:${ana.id}`,
    after: {
      user: 'ana',
      channel: 'voice',
      answer: 'take',
      taken: [alarm],
      through: 'user:1',
      throughAddress: '127.0.0.1',
    },
  });
  await assertNewest(site, 'alarm.acknowledged', { ...byPhone, subject: `alarm:${alarm}`, after: { ackUser: 'ana' } });
  const reached = { user: 'ana', channel: 'voice', address: '+33100000001', state: 'reached' };
  const attempt = { actor: 'system', stationId: 1, after: { ...reached, alarmId: alarm, callGroupId: groupId } };
  await assertNewest(site, 'call.attempt', attempt, `&subject=user:${ana.id}`);

  await site.ask('POST', '/call/users', { userIds: [bo.id, 99], msgText: 'Bring the key' });
  await assertNewest(site, 'call.requested', {
    ...byAdmin,
    stationId: undefined,
    after: { kind: 'message', userIds: [bo.id, 99], calledIds: [bo.id], text: 'Bring the key' },
  });
  await assertNewest(site, 'call.attempt', {
    subject: 'user:99',
    after: { state: 'failed', detail: 'does not exist' },
  });
  await site.ask('POST', '/call/groups', { callGroupIds: [groupId], msgText: 'Come' });
  await assertNewest(site, 'call.requested', {
    ...byAdmin,
    stationId: 1,
    subject: `callGroup:${groupId}`,
    after: { text: 'Come' },
  });
  await site.ask('POST', `/callgroups/${groupId}/drill`);
  await assertNewest(site, 'call.drilled', { ...byAdmin, stationId: 1, subject: `callGroup:${groupId}` });
  await site.advance('10m');
  const recorded = (await journalOf(site, '&kind=call.attempt')).map(({ after }) => Number(after?.attemptId));
  const tables = await tablesOf(site.app.environment);
  const rows = (await tables.all('call_attempts')).filter(({ state }) => state === 'reached' || state === 'failed');
  await tables.close();
  assert.ok(rows.length >= 6, `${rows.length} attempts`);
  assert.deepEqual(recorded.toSorted(), rows.map(({ id }) => Number(id)).toSorted(), 'each attempt once');
  await site.expectWhatRings();
});

testOnAnyStore(
  'an account that is guessed at has a row of its own beside 300 made-up names, of which no text is kept',
  async (t, kind) => {
    const app = await startTestApp(t, kind, { overrides: { TOCSIN_TRUSTED_PROXIES: '127.0.0.1' } });
    const site = new Site(t, app, await app.signIn());
    const guess = (username: string, n: number) =>
      app.request('POST', '/api/v1/auth/login', {
        body: { grant_type: 'password', username, password: 'not the password' },
        headers: { 'x-forwarded-for': `10.${n >> 8}.${n & 255}.1` },
      });
    for (let n = 0; n < 150; n++) await guess(`correct horse battery ${n}`, n);
    for (let n = 0; n < 150; n++) await guess(`made up ${n}`, 1_000);
    await guess('ADMIN', 2_000);
    await app.poll();
    app.clock.advance(60_000);
    await until(
      () => countedIn(site, 'sign-in.failed'),
      (found) => found === 301,
    );
    const items = await journalOf(site, '&kind=sign-in.failed');
    assert.equal(items.filter(({ subject }) => subject === 'user:1').length, 1);
    assert.doesNotMatch(JSON.stringify(items), /horse|made up/);
    const ofOne = items.filter(({ address }) => address === '10.3.232.1');
    assert.ok(ofOne.length <= 4, 'the names of one address are counted together by code, at once and after a minute');
  },
);
