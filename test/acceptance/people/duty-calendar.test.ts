// The duty as an iCalendar feed: who may read it, whose events it has, and that events stay the same.

import assert from 'node:assert/strict';
import { allDays, dayAndNight } from '../../harness/site/day-and-night.ts';
import { startSite } from '../../harness/site/site.ts';
import { listed } from '../../harness/site/site-caller.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

testOnStores('the duty is served as a calendar to a key in the URL that opens nothing else', async (t, kind) => {
  const site = await startSite(t, kind);
  const { bo, cy, group } = await dayAndNight(site);
  const key = await site.keyFor(['calendar:read']);
  const calendar = (path: string, given: string) =>
    site.app.request('GET', `/api/v1/${path}/calendar.ics?key=${encodeURIComponent(given)}`);
  const ofGroup = await calendar(`callgroups/${group}`, key);
  assert.equal(ofGroup.status, 200, ofGroup.text);
  assert.equal(ofGroup.headers.get('content-type'), 'text/calendar; charset=utf-8');
  const starts = [...ofGroup.text.matchAll(/DTSTART:(\d{8}T\d{6}Z)/g)].map(([, start]) => start);
  assert.equal(starts.length, 2 * 120 + 1, 'thirty days back and ninety ahead');
  assert.match(ofGroup.text, /SUMMARY:Pumps: Day/);
  assert.ok(starts.includes('20261115T070000Z'));
  const readOnce = async (path: string) => (await calendar(path, await site.keyFor(['calendar:read']))).text;
  assert.equal([...(await readOnce(`users/${bo}`)).matchAll(/SUMMARY:Pumps\r/g)].length, 120);
  assert.match(await readOnce(`users/${cy}`), /SUMMARY:Pumps \(relief\)/);
  assert.doesNotMatch(await readOnce('users/1'), /VEVENT/);
  for (const [given, status] of [
    ['', 401],
    ['garbage', 401],
    [await site.keyFor(['alarms:read']), 403],
    // An address that leaks would open the directory, with its numbers.
    [await site.keyFor(['directory:read']), 403],
    [await site.keyFor(['calendar:read', 'directory:read']), 403],
    [site.token, 403],
  ] as const) {
    assert.equal((await calendar(`callgroups/${group}`, given)).status, status);
  }
  for (const path of ['/users', `/callgroups/${group}`, '/oncall', '/schedules'])
    assert.equal((await site.as(key).request('GET', path)).status, 403, path);
  const asObserver = await site.as(await site.keyFor(['calendar:read', 'directory:read']));
  assert.equal((await asObserver.request('GET', `/users/${bo}/calendar.ics`)).status, 200, 'a header is not passed on');
  assert.equal(
    (await site.as(await site.keyFor(['directory:read'])).request('GET', `/users/${bo}/calendar.ics`)).status,
    403,
  );
  const bound = await site.keyFor(['calendar:read'], [await site.create('/stations', { name: 'North' })]);
  assert.equal((await calendar(`callgroups/${group}`, bound)).status, 404);
  assert.doesNotMatch((await calendar(`users/${bo}`, bound)).text, /VEVENT/, 'nothing of the groups of others');
  assert.equal((await site.app.request('GET', `/api/v1/callgroups/${group}/calendar.ics`)).status, 401);
  assert.ok(!JSON.stringify(site.app.logLines).includes(key), 'the key is not logged');
});

testOnStores(
  'the address of a calendar opens its own calendar alone, and shows no reasons of overrides',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { bo, cy, group } = await dayAndNight(site);
    const [schedule] = (await site.list('/schedules')).items;
    const override = { userId: bo, from: '2026-11-16T08:00', to: '2026-11-17T08:00', reason: 'Ana is ill' };
    await site.ask('POST', `/schedules/${schedule?.id}/overrides`, override);
    const key = await site.keyFor(['calendar:read']);
    const calendar = (path: string) =>
      site.app.request('GET', `/api/v1/${path}/calendar.ics?key=${encodeURIComponent(key)}`);
    assert.equal((await calendar('users/4711')).status, 404, 'which binds it to nothing');
    const own = await calendar(`users/${bo}`);
    assert.match(own.text, /DTSTART:20261116T0[78]0000Z/);
    assert.doesNotMatch(own.text, /ill|DESCRIPTION/);
    for (const path of [`users/${cy}`, `callgroups/${group}`, 'users/1'])
      assert.equal((await calendar(path)).status, 403, path);
    assert.equal((await calendar(`users/${bo}`)).text, own.text);
    const { items } = await site.list('/journal?kind=key.bound');
    assert.deepEqual(
      items.map(({ after }) => after),
      [{ calendar: `users/${bo}` }],
    );
    assert.match((await site.request('GET', `/users/${bo}/calendar.ics`)).text, /Ana is ill/, 'for who may see it');
    await site.ask('DELETE', `/auth/keys/${(await site.list('/auth/keys')).items.at(-1)?.id}`);
    assert.equal((await calendar(`users/${bo}`)).status, 401);
  },
);

testOnAnyStore(
  'the key of a calendar address sent in a header opens no other calendar and shows no reasons',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { bo, cy, group, scheduleId } = await dayAndNight(site);
    const override = { userId: bo, from: '2026-11-16T08:00', to: '2026-11-17T08:00', reason: 'Ana is ill' };
    await site.create(`/schedules/${scheduleId}/overrides`, override);
    const inHeader = site.as(await site.keyFor(['calendar:read']));
    const own = await inHeader.request('GET', `/users/${bo}/calendar.ics`);
    assert.deepEqual([own.status, /VEVENT/.test(own.text), /ill|DESCRIPTION/.test(own.text)], [200, true, false]);
    for (const path of [`users/${cy}`, `callgroups/${group}`])
      assert.equal((await inHeader.request('GET', `/${path}/calendar.ics`)).status, 403, path);
    const both = site.as(await site.keyFor(['calendar:read', 'directory:read']));
    for (const path of [`users/${bo}`, `callgroups/${group}`])
      assert.match((await both.request('GET', `/${path}/calendar.ics`)).text, /Ana is ill/, path);
  },
);

const eventsIn = (text: string) =>
  [...text.matchAll(/UID:(\S+)\r\n[\s\S]*?DTSTART:(\S+)\r\nDTEND:(\S+)/g)].map(([, uid, start, end]) => [
    uid,
    start,
    end,
  ]);

testOnAnyStore(
  'the calendar of a stand-in has the coming duty, and that of the person replaced none',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { ana, bo, cy, group, scheduleId } = await dayAndNight(site);
    const calendar = async (path: string) => (await site.request('GET', `/${path}/calendar.ics`)).text;
    const taken = { userId: bo, from: '2026-11-20T08:00', to: '2026-11-20T09:00', reason: 'exchange' };
    await site.create(`/schedules/${scheduleId}/overrides`, taken);
    await site.request('PUT', `/users/${bo}`, { name: 'bo', replacedById: ana });
    const coming = async (user: number) =>
      eventsIn(await calendar(`users/${user}`)).filter(([, , end]) => String(end) > '20261115T120000Z');
    assert.deepEqual(await coming(bo), []);
    const starts = (await coming(ana)).map(([, start]) => String(start).slice(9, 13));
    assert.deepEqual(
      ['0700', '0800', '1700'].map((time) => starts.filter((start) => start === time).length),
      [91, 1, 90],
      'the days, the rest of the day of the exchange, and the nights',
    );
    assert.ok((await coming(cy)).length > 0, 'relief members stay');
    assert.match(await calendar(`callgroups/${group}`), /SUMMARY:Pumps: ana/);
  },
);

testOnAnyStore(
  'an event of the calendar is the same at every fetch, and one that never ends as well',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { day, group } = await dayAndNight(site);
    const weekly = [{ teamId: day, days: allDays, from: '00:00', to: '24:00' }];
    const scheduleId = await site.create('/schedules', { name: 'Always', timeZone: 'Europe/Paris', weekly });
    const always = await site.group('Always', [], { scheduleId });
    const events = async (id: number) => eventsIn((await site.request('GET', `/callgroups/${id}/calendar.ics`)).text);
    const before = [await events(group), await events(always)] as const;
    site.app.clock.advance(3 * 3_600_000);
    const after = [await events(group), await events(always)] as const;
    assert.deepEqual(after[0].slice(0, 200), before[0].slice(0, 200), 'the first was under way thirty days ago');
    assert.deepEqual(after[1], before[1]);
    assert.deepEqual(after[1].map(([, start, end]) => [start, end]).slice(0, 2), [
      ['20260930T220000Z', '20261031T230000Z'],
      ['20261031T230000Z', '20261130T230000Z'],
    ]);
    const [duty] = listed(await site.request('GET', `/oncall?callGroupId=${always}`));
    assert.equal(duty?.until, null, 'a duty without an end has none');
  },
);
