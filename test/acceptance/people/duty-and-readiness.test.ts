// The people on duty, the readiness of call groups, and the duty as an iCalendar feed.

import assert from 'node:assert/strict';
import { PostOffice, trunk } from '../../harness/mail/post-office.ts';
import { type Site, startSite } from '../../harness/site/site.ts';
import { listed, type Row, refusal } from '../../harness/site/site-caller.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

const editorScopes = ['directory:read', 'directory:write', 'alarms:ack'];

const allDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', 'holiday'];
const voice = { channel: 'voice', address: '+33123456789' };

/** Ana by day, Bo by night with Cy as relief; it is Sunday, 13:00 in Paris. */
async function dayAndNight(site: Site) {
  const ana = await site.create('/users', { name: 'ana', numbers: [voice] });
  const bo = await site.create('/users', { name: 'bo', numbers: [voice] });
  const cy = await site.create('/users', { name: 'cy', numbers: [voice] });
  const day = await site.create('/teams', { name: 'Day', members: [{ userId: ana }] });
  const night = await site.create('/teams', {
    name: 'Night',
    members: [{ userId: cy, relief: true }, { userId: bo }],
  });
  const weekly = [
    { teamId: day, days: allDays, from: '08:00', to: '18:00' },
    { teamId: night, days: allDays, from: '18:00', to: '06:00' },
  ];
  const scheduleId = await site.create('/schedules', { name: 'Programme', timeZone: 'Europe/Paris', weekly });
  const group = await site.create('/callgroups', { name: 'Pumps', teamIds: [day, night], scheduleId });
  return { ana, bo, cy, day, night, scheduleId, group };
}

const users = (row: Row = {}): unknown[] => ((row.members ?? []) as Row[]).map(({ user }) => user);

testOnAnyStore('the people on duty now and at another time, with the end and source of the shift', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await dayAndNight(site);
  const now = await site.request('GET', '/oncall');
  assert.equal(now.status, 200, now.text);
  const { at } = now.body as Row;
  assert.equal(at, '2026-11-15T13:00:00.000+01:00');
  const [item] = listed(now);
  assert.deepEqual(item, {
    callGroupId: group,
    name: 'Pumps',
    stationId: 1,
    members: [{ userId: ana, user: 'ana', relief: false, via: 'team 1 "Day" by weekly[0] of schedule 1 "Programme"' }],
    passedOver: [],
    nobody: null,
    locked: false,
    until: '2026-11-15T18:00:00.000+01:00',
  });
  const [atNight] = listed(await site.request('GET', `/oncall?at=2026-11-15T23:00&callGroupId=${group}`));
  assert.deepEqual([users(atNight), atNight?.until], [['bo', 'cy'], '2026-11-16T06:00:00.000+01:00']);
  const [inGap] = listed(await site.request('GET', '/oncall?at=2026-11-16T07:00'));
  assert.deepEqual([users(inGap), inGap?.nobody], [[], 'schedule 1 "Programme" gives the duty to nobody at this time']);
  assert.equal((await site.request('GET', '/oncall?callGroupId=77')).status, 404);
  assert.deepEqual(refusal(await site.request('GET', '/oncall?at=soon')), [400, 'at']);
});

testOnAnyStore('the slots of a period say who is on duty in each span, by group', async (t, kind) => {
  const site = await startSite(t, kind);
  const { group, night, scheduleId } = await dayAndNight(site);
  const free = await site.create('/callgroups', { name: 'Always', teamIds: [night] });
  await site.create(`/schedules/${scheduleId}/overrides`, {
    lock: true,
    from: '2026-11-16T12:00',
    to: '2026-11-16T13:00',
    reason: 'works',
  });
  type Slots = { readonly items: readonly { callGroupId: number; slots: readonly Row[] }[]; readonly hasMore: boolean };
  const asked = '/oncall/slots?from=2026-11-16T00:00&to=2026-11-17T00:00';
  const { items, hasMore } = await site.ask<Slots>('GET', asked);
  const shown = (slot: Row) => [
    String(slot.from).slice(8, 16),
    String(slot.to).slice(8, 16),
    users(slot),
    slot.locked,
    slot.nobody,
  ];
  const gap = `schedule ${scheduleId} "Programme" gives the duty to nobody at this time`;
  const works = `the duty is locked by overrides[0] (works) of schedule ${scheduleId} "Programme"`;
  assert.deepEqual(
    items.map(({ callGroupId, slots }) => [callGroupId, slots.map(shown)]),
    [
      [
        group,
        [
          ['16T00:00', '16T06:00', ['bo', 'cy'], false, null],
          ['16T06:00', '16T08:00', [], false, gap],
          ['16T08:00', '16T12:00', ['ana'], false, null],
          ['16T12:00', '16T13:00', [], true, works],
          ['16T13:00', '16T18:00', ['ana'], false, null],
          ['16T18:00', '17T00:00', ['bo', 'cy'], false, null],
        ],
      ],
      [free, [['16T00:00', '17T00:00', ['bo', 'cy'], false, null]]],
    ],
  );
  assert.equal(hasMore, false);
  const one = await site.ask<Slots>('GET', `${asked}&callGroupId=${free}`);
  assert.deepEqual(one.items, items.slice(1));
  assert.equal((await site.request('GET', `${asked}&callGroupId=77`)).status, 404);
  const asNorth = site.as(await site.keyFor(editorScopes, [await site.create('/stations', { name: 'North' })]));
  assert.deepEqual((await asNorth.ask<Slots>('GET', asked)).items, []);
  assert.equal((await asNorth.request('GET', `${asked}&callGroupId=${free}`)).status, 404);
  for (const [from, to] of [
    ['2026-11-17', '2026-11-17'],
    ['2026-11-17', '2027-11-17'],
  ])
    assert.deepEqual(refusal(await site.request('GET', `/oncall/slots?from=${from}&to=${to}`)), [400, 'to']);
});

testOnAnyStore(
  'slots name the entry, the override and its swap, and the claims that are passed over',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { bo, day, night, scheduleId, group } = await dayAndNight(site);
    type Slots = { readonly items: readonly { slots: readonly Row[]; overlaps: readonly Row[] }[] };
    const asked = `/oncall/slots?from=2026-11-16T00:00&to=2026-11-17T00:00&callGroupId=${group}`;
    const entries = async () => {
      const [item] = (await site.ask<Slots>('GET', asked)).items;
      return item?.slots.map(({ teamIds, source, reason, overrideId, swapId, replaces }) => [
        teamIds,
        source,
        reason,
        overrideId,
        swapId,
        replaces,
      ]);
    };
    const [byDay, byNight] = [
      [[day], 'weekly[0]', '', null, null, null],
      [[night], 'weekly[1]', '', null, null, null],
    ];
    assert.deepEqual(await entries(), [byNight, [[], '', '', null, null, null], byDay, byNight]);
    const noon = { from: '2026-11-16T12:00', to: '2026-11-16T13:00', reason: 'dentist' };
    await site.ask('POST', `/schedules/${scheduleId}/swap`, { userId: bo, ...noon });
    const swapped = (await entries())?.[3];
    const [, , , overrideId] = swapped ?? [];
    const replaces = { source: 'weekly[0]', teamId: day };
    assert.deepEqual(swapped, [[], 'overrides[0]', 'dentist', overrideId, overrideId, replaces]);
    assert.equal((await site.request('DELETE', `/schedules/${scheduleId}/overrides/${overrideId}`)).status, 200);
    const late = { teamId: night, days: allDays, from: '16:00', to: '20:00' };
    const early = { teamId: day, days: allDays, from: '08:00', to: '18:00' };
    const weekly = [early, late];
    await site.request('PUT', `/schedules/${scheduleId}`, { name: 'Programme', timeZone: 'Europe/Paris', weekly });
    const [item] = (await site.ask<Slots>('GET', asked)).items;
    assert.deepEqual(item?.overlaps, [
      {
        from: '2026-11-16T16:00:00.000+01:00',
        to: '2026-11-16T18:00:00.000+01:00',
        source: 'weekly[0]',
        teamId: day,
        takenBy: 'weekly[1]',
      },
    ]);
  },
);

testOnAnyStore('people off duty, replaced, taken over from or locked are listed with the reason', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, bo, scheduleId } = await dayAndNight(site);
  const onDuty = async () => listed(await site.request('GET', '/oncall'))[0];
  await site.request('PUT', `/users/${ana}`, { name: 'ana', onDuty: false });
  const off = await onDuty();
  assert.deepEqual(off?.passedOver, [{ userId: ana, user: 'ana', teamId: null, reason: 'off duty' }]);
  assert.match(String(off?.nobody), /off duty/);
  await site.request('PUT', `/users/${ana}`, { name: 'ana', replacedById: bo });
  const replaced = await onDuty();
  assert.deepEqual(users(replaced), ['bo']);
  assert.match(JSON.stringify(replaced?.passedOver), /replaced by user \d+ \\"bo\\"/);
  await site.request('POST', `/schedules/${scheduleId}/take`, { to: '2026-11-15T18:00' });
  assert.deepEqual(users(await onDuty()), ['admin'], 'whoever took it has it at once');
  const lock = { from: '2026-11-15T08:00', to: '2026-11-15T20:00', lock: true, reason: 'works' };
  await site.create(`/schedules/${scheduleId}/overrides`, lock);
  const locked = await onDuty();
  assert.deepEqual([locked?.locked, locked?.members], [true, []]);
});

testOnAnyStore('readiness lists the groups whose people could not be reached, with reasons', async (t, kind) => {
  const openers = { sip: () => new PostOffice() };
  const site = await startSite(t, kind, { openers, overrides: { TOCSIN_SIMULATOR: 'false' } });
  await site.create('/providers', trunk);
  const { ana, bo, cy, group, night } = await dayAndNight(site);
  const unready = async (at = '') =>
    listed(await site.request('GET', `/oncall/readiness${at}`)).filter(
      ({ reasons }) => (reasons as unknown[]).length > 0,
    );
  assert.deepEqual(await unready(), []);
  const gap = await unready('?at=2026-11-16T07:00');
  assert.deepEqual([gap[0]?.callGroupId, gap[0]?.reachable], [group, false]);
  const reasonsFor = async (numbers: object[]) => {
    await site.request('PUT', `/users/${ana}`, { name: 'ana', numbers });
    const [row] = await unready();
    return row && [row.reachable, row.reasons, (row.unreachable as Row[]).map(({ userId, cause }) => [userId, cause])];
  };
  const who = `user ${ana} "ana"`;
  assert.deepEqual(await reasonsFor([]), [false, [`${who} has no number`], [[ana, 'noNumber']]]);
  const useless = [
    { ...voice, valid: false },
    { ...voice, verified: false },
  ];
  assert.deepEqual(await reasonsFor(useless), [
    false,
    [`${who} has no number that is valid and verified`],
    [[ana, 'notVerified']],
  ]);
  const weekly = [{ teamId: night, days: allDays, from: '20:00', to: '22:00' }];
  const scheduleId = await site.create('/schedules', { name: 'Evening', weekly });
  assert.deepEqual(await reasonsFor([{ ...voice, scheduleId }]), [
    false,
    [`${who} has no number that may be used at this time`],
    [[ana, 'notNow']],
  ]);
  assert.equal(await reasonsFor([{ ...voice, scheduleId }, voice]), undefined);
  await site.request('PUT', `/users/${cy}`, { name: 'cy' });
  const [atNight] = await unready('?at=2026-11-15T23:00');
  assert.deepEqual([atNight?.reachable, atNight?.reasons], [true, [`user ${cy} "cy" has no number`]]);
  await site.request('PUT', `/users/${bo}`, { name: 'bo' });
  assert.equal((await unready('?at=2026-11-15T23:00'))[0]?.reachable, false, 'neither of the two');
  await site.create('/callgroups', { name: 'Empty' });
  assert.deepEqual(
    (await unready()).map(({ name }) => name),
    ['Empty'],
  );
});

testOnAnyStore('a bound caller sees the duty of its own groups', async (t, kind) => {
  const site = await startSite(t, kind);
  const { group } = await dayAndNight(site);
  const north = await site.create('/stations', { name: 'North' });
  await site.create('/callgroups', { name: 'Northern', stationId: north });
  const asNorth = await site.as(await site.keyFor(editorScopes, [north]));
  assert.deepEqual(
    listed(await asNorth.request('GET', '/oncall')).map(({ name }) => name),
    ['Northern'],
  );
  assert.deepEqual(
    listed(await asNorth.request('GET', '/oncall/readiness')).map(({ name }) => name),
    ['Northern'],
  );
  assert.equal((await asNorth.request('GET', `/oncall?callGroupId=${group}`)).status, 404);
});

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

testOnAnyStore('readiness counts a relief group that would ring, and looks 14 days ahead', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const reliefGroupId = await site.group('Relief', [await site.team('Relief', [bo])]);
  const team = await site.team('Night', [ana]);
  const days = ['mon'];
  const weekly = [{ teamId: team, days, from: '00:00', to: '24:00' }];
  const scheduleId = await site.create('/schedules', { name: 'Mondays', timeZone: 'UTC', weekly });
  const covered = await site.group('Covered', [team], { scheduleId, reliefGroupId });
  const alone = await site.group('Alone', [team], { scheduleId });
  const { items } = await site.ask<{ items: readonly Row[] }>('GET', '/oncall/readiness');
  const shown = items.map(({ callGroupId, reachable, insteadGroupId, ahead }) => [
    callGroupId,
    reachable,
    insteadGroupId,
    (ahead as readonly Row[]).map(({ from, to, reachable: isReachable }) => [
      String(from).slice(0, 10),
      String(to).slice(0, 10),
      isReachable,
    ]),
  ]);
  const gaps = (isReachable: boolean) => [
    ['2026-11-15', '2026-11-16', isReachable],
    ['2026-11-17', '2026-11-23', isReachable],
    ['2026-11-24', '2026-11-29', isReachable],
  ];
  assert.deepEqual(shown, [
    [covered, true, reliefGroupId, gaps(true)],
    [alone, false, null, gaps(false)],
  ]);
});
