// The call policy: seeded once from the settings, then changed through the interface without a restart.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { detail, type Row, refusal } from '../../../harness/site/site-caller.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { storesUnderTest } from '../../../harness/stores/stores.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const once = (address: string) => ({ numbers: [voice(address, { countTry: 1 })] });
const rules = {
  untilAcknowledged: true,
  pause: 300,
  longestPause: 1800,
  timeToTake: 900,
  endOnReturn: false,
  ackExpiryMinutes: 0,
};

/** The settings that the newest start has named as overruled. */
function overruled(site: Site): unknown[] {
  return site.app.logLines.flatMap((line) => ('settings' in line ? (line.settings as string[]) : []));
}

testOnAnyStore(
  'settings seed the policy at the first start; later the policy counts, which is logged',
  async (t, kind) => {
    const site = await startSite(t, kind, {
      overrides: { TOCSIN_CALL_UNTIL_ACKNOWLEDGED: '2', TOCSIN_CALL_END_ON_RETURN: '4', TOCSIN_CALL_PAUSE: '60' },
    });
    const { lastChange, ...policy } = await site.ask('GET', '/callpolicy');
    assert.match(String(lastChange), /^2026-11-15T/);
    assert.deepEqual(policy, {
      priorities: [
        { ...rules, priority: 2, pause: 60 },
        { ...rules, priority: 4, untilAcknowledged: false, pause: 60, timeToTake: 0, endOnReturn: true },
      ],
      callAgain: true,
      cap: { attempts: 30, minutes: 15 },
      lastResortGroupId: null,
      tolls: { allowedPrefixes: [], perPersonDay: null, perCountryDay: null, budgetDay: null },
      onlyPriority1: { count: 0, users: [] },
      handOverNotices: false,
      siteName: '',
      languages: ['de', 'en', 'fr'],
      defaultLanguage: 'en',
      texts: {},
    });
    await site.restart();
    assert.deepEqual(overruled(site), []);
    await site.ask('PUT', '/callpolicy', { ...policy, callAgain: false });
    await site.restart({ TOCSIN_CALL_PAUSE: '61', TOCSIN_CALL_AGAIN: 'true', TOCSIN_CALL_CAP: '30/15' });
    assert.deepEqual(overruled(site), ['TOCSIN_CALL_PAUSE', 'TOCSIN_CALL_AGAIN']);
    const after = await site.ask('GET', '/callpolicy');
    assert.deepEqual([after.priorities, after.callAgain], [policy.priorities, false]);
  },
);

testOnAnyStore('a changed policy counts at once, each priority with rules of its own', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana', once('+33100000001')), await site.person('bo', once('+33100000002'))];
  const groupOf = async (name: string, member: typeof ana) => site.group(name, [await site.team(name, [member])]);
  const [slow, fast] = [await groupOf('Slow', ana), await groupOf('Fast', bo)];
  await site.ask('PUT', '/callpolicy', {
    priorities: [
      { ...rules, priority: 2, pause: 600 },
      { ...rules, priority: 3, pause: 60, longestPause: 60 },
    ],
  });
  await site.alarms.raise(slow, { path: 'Slow', priority: 2 });
  await site.alarms.raise(fast, { path: 'Fast', priority: 3 });
  await ana.isCalled();
  await bo.isCalled();
  for (let round = 1; round <= 3; round++) {
    await site.advance('89s');
    await bo.isNotCalled();
    await site.advance('1s');
    await bo.isCalled();
    await site.expectWhatRings();
  }
  await ana.isNotCalled();
  await site.ask('PUT', '/callpolicy', { priorities: [] });
  await site.advance('30m');
  await bo.isNotCalled();
  await ana.isNotCalled();
  await site.expectWhatRings();
});

testOnAnyStore('without a cap a person is called however often', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_CAP: 'off' } });
  assert.equal((await site.ask('GET', '/callpolicy')).cap, null);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 40, timeToRetry: 1 })] });
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 3 });
  await site.advance('14m');
  assert.deepEqual(await site.callHistories('&status=2'), []);
  await ana.isCalled();
  const policy = await site.ask('GET', '/callpolicy');
  await site.ask('PUT', '/callpolicy', { ...policy, cap: { attempts: 5, minutes: 15 } });
  await site.advance('40s');
  const calls = () => site.callHistories(`&userId=${ana.id}`);
  const before = await calls();
  assert.equal(before.at(-1)?.reasonCode, 'bundled', 'one message says that an alarm waits');
  await site.advance('5m');
  assert.equal((await calls()).length, before.length, 'a cap that is set counts for what was called before');
  await site.expectWhatRings();
});

testOnAnyStore('a last resort that does not exist or has nobody is refused; one that is set stays', async (t, kind) => {
  const site = await startSite(t, kind);
  const team = await site.team('Last', [await site.person('ana')]);
  const [empty, last] = [await site.group('Empty', []), await site.group('Last', [team])];
  const set = (lastResortGroupId: number) => site.request('PUT', '/callpolicy', { priorities: [], lastResortGroupId });
  const unknown = await set(77);
  assert.deepEqual(refusal(unknown), [422, 'lastResortGroupId']);
  assert.match(detail(unknown), /call group 77, which does not exist/);
  assert.deepEqual(refusal(await set(empty)), [422, 'lastResortGroupId']);
  assert.equal((await site.ask('GET', '/callpolicy')).lastResortGroupId, null);
  assert.equal((await set(last)).status, 200);
  assert.equal((await site.request('PUT', `/teams/${team}`, { name: 'Last', members: [] })).status, 409);
  const north = await site.create('/stations', { name: 'North' });
  const bound = site.as(await site.keyFor(['directory:read'], [north]));
  assert.equal((await bound.ask('GET', '/callpolicy')).lastResortGroupId, 0, 'a group of another station');
  assert.equal((await bound.request('PUT', '/callpolicy', { priorities: [] })).status, 403);
});

testOnAnyStore('a change of an old copy of the policy is refused, and one that makes no sense', async (t, kind) => {
  const site = await startSite(t, kind);
  const send = (method: string, ifMatch?: string, body?: object) =>
    site.app.request(method, '/api/v1/callpolicy', {
      token: site.token,
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
      body,
    });
  const old = (await send('GET')).headers.get('etag') ?? '';
  const changed = await send('PUT', old, { priorities: [{ priority: 1 }] });
  assert.deepEqual((changed.body as Row).priorities, [
    { ...rules, priority: 1, untilAcknowledged: false, timeToTake: 0 },
  ]);
  assert.equal((await send('PUT', old, { priorities: [] })).status, 412);
  assert.equal((await send('GET')).headers.get('etag'), changed.headers.get('etag'));
  const twice = { priorities: [{ priority: 1 }, { priority: 1 }] };
  assert.deepEqual(refusal(await send('PUT', undefined, twice)), [422, 'priorities']);
  const short = { priorities: [{ priority: 1, pause: 60, longestPause: 30 }] };
  assert.deepEqual(refusal(await send('PUT', undefined, short)), [422, 'priorities[0].longestPause']);
});

const skip = storesUnderTest().includes('postgres') ? false : 'two nodes share a PostgreSQL database';

test('postgres: a policy that one node stores counts for the next decision of the other', { skip }, async (t) => {
  const site = await startSite(t, 'postgres');
  const ana = await site.person('ana', once('+33100000001'));
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const other = await site.startNode();
  // Each node has read the policy, so that a copy in memory would count.
  assert.equal((await other.ask('GET', '/callpolicy')).callAgain, true);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await other.ask('PUT', '/callpolicy', { priorities: [{ ...rules, priority: 3, pause: 60, longestPause: 60 }] });
  // The round ends on a node that did not store the policy by which a priority 3 is called again.
  await other.app.stop();
  await site.advance('31s');
  await ana.isNotCalled();
  await site.advance('60s');
  await ana.isCalled();
  await site.expectWhatRings();
});

testOnAnyStore('the group of the last resort is not left with a schedule that names nobody', async (t, kind) => {
  const site = await startSite(t, kind);
  const team = await site.team('Night', [await site.person('ana')]);
  const scheduleId = await site.schedule(team, '00:00', '24:00');
  const lastResortGroupId = await site.group('Last', [team], { scheduleId });
  await site.ask('PUT', '/callpolicy', { priorities: [], lastResortGroupId });
  const empty = { name: 'empty', timeZone: 'UTC', weekly: [] };
  const emptied = await site.request('PUT', `/schedules/${scheduleId}`, empty);
  assert.deepEqual([emptied.status, (emptied.body as { code?: string }).code], [409, 'still-referred-to']);
  const another = await site.create('/schedules', empty);
  const group = { name: 'Last', stationId: 1, teamIds: [team], scheduleId: another };
  assert.equal((await site.request('PUT', `/callgroups/${lastResortGroupId}`, group)).status, 409);
  const other = await site.group('Other', [team], { scheduleId: another });
  const policy = { priorities: [], lastResortGroupId: other };
  assert.deepEqual(refusal(await site.request('PUT', '/callpolicy', policy)), [422, 'lastResortGroupId']);
});
