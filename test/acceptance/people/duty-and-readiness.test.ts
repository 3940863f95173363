// The people on duty, and the readiness of call groups.

import assert from 'node:assert/strict';
import { PostOffice, trunk } from '../../harness/mail/post-office.ts';
import { allDays, dayAndNight, voice } from '../../harness/site/day-and-night.ts';
import { startSite } from '../../harness/site/site.ts';
import { listed, type Row, refusal } from '../../harness/site/site-caller.ts';
import { executeSql } from '../../harness/stores/execute-sql.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

const editorScopes = ['directory:read', 'directory:write', 'alarms:ack'];

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
    members: [
      {
        userId: ana,
        user: 'ana',
        relief: false,
        via: 'team 1 "Day" by weekly[0] of schedule 1 "Programme"',
        viaCode: 'member-of-team',
      },
    ],
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
  assert.deepEqual(off?.passedOver, [{ userId: ana, user: 'ana', teamId: null, reason: 'off duty', code: 'off-duty' }]);
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

testOnAnyStore(
  'readiness names a number whose range of priorities, as an earlier version took it, holds none',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { ana } = await dayAndNight(site);
    const stored = `update user_numbers set priority_from = 9, priority_to = 1 where user_id = ${ana}`;
    await executeSql(site.app, `${stored}; update meta set value = '4711' where key = 'directory_version'`);
    const [reversed = {}] = listed(await site.request('GET', '/oncall/readiness'));
    assert.deepEqual(
      [reversed.reasons, ((reversed.unreachable ?? []) as Row[]).map(({ userId, cause }) => [userId, cause])],
      [[`user ${ana} "ana" has only numbers whose range of priorities holds none`], [[ana, 'noPriority']]],
    );
  },
);

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

testOnAnyStore(
  'readiness looks at everybody whom a schedule names, and at stand-ins: their hours are not overlooked',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const own = await site.person('own');
    const team = await site.team('Hours', [own]);
    const daytime = await site.schedule(team, '08:00', '18:00');
    const withHours = { numbers: [{ ...voice, scheduleId: daytime }] };
    const [ana, standIn] = [await site.person('ana', withHours), await site.person('stand-in', withHours)];
    const absent = await site.person('absent', { replacedById: standIn.id });
    const always = async (name: string, person: typeof ana) => {
      const teamId = await site.team(name, [person]);
      const weekly = [{ teamId, days: allDays, from: '00:00', to: '24:00' }];
      return { teamId, scheduleId: await site.create('/schedules', { name, timeZone: 'UTC', weekly }) };
    };
    const { scheduleId } = await always('Ana', ana);
    await site.group('By schedule alone', [], { scheduleId });
    const taken = await always('Own', own);
    const week = { userId: ana.id, from: '2026-11-16T00:00', to: '2026-11-17T00:00', reason: 'leave' };
    await site.create(`/schedules/${taken.scheduleId}/overrides`, week);
    await site.group('By override', [taken.teamId], { scheduleId: taken.scheduleId });
    await site.group('By stand-in', [await site.team('Absent', [absent])]);
    const { items } = await site.ask<{ items: readonly Row[] }>('GET', '/oncall/readiness');
    const first = items.map(({ name, reachable, ahead }) => {
      const [span] = ahead as readonly Row[];
      return [name, reachable, String(span?.from).slice(0, 16), String(span?.to).slice(0, 16), span?.reachable];
    });
    assert.deepEqual(first, [
      ['By schedule alone', true, '2026-11-15T19:00', '2026-11-16T09:00', false],
      ['By override', true, '2026-11-16T01:00', '2026-11-16T09:00', false],
      ['By stand-in', true, '2026-11-15T19:00', '2026-11-16T09:00', false],
    ]);
  },
);

testOnAnyStore(
  'a range of priorities that holds none is refused, for a user and for the own entry',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const numbers = [{ channel: 'voice', address: '+33123456789', priorities: { from: 9, to: 1 } }];
    for (const [method, path] of [
      ['POST', '/users'],
      ['PUT', '/me'],
    ] as const) {
      const { status, body } = await site.request(
        method,
        path,
        path === '/me' ? { numbers } : { name: 'ana', numbers },
      );
      const { errors } = body as { errors: { field: string }[] };
      assert.deepEqual([status, errors.map(({ field }) => field)], [422, ['numbers[0].priorities']], path);
    }
  },
);

testOnAnyStore('readiness says that it did not look at all of very many changes', async (t, kind) => {
  const site = await startSite(t, kind);
  const { night } = await dayAndNight(site);
  const hasMore = async () => (await site.ask<{ hasMore: boolean }>('GET', '/oncall/readiness')).hasMore;
  assert.equal(await hasMore(), false);
  const hour = (n: number) => String(n).padStart(2, '0');
  const weekly = Array.from({ length: 24 }, (_, n) => ({
    teamId: night,
    days: allDays,
    from: `${hour(n)}:00`,
    to: `${hour(n)}:30`,
  }));
  const scheduleId = await site.create('/schedules', { name: 'Half hours', weekly });
  const eve = await site.person('eve', { numbers: [{ ...voice, scheduleId }] });
  await site.group('Tanks', [await site.team('Eve', [eve])]);
  assert.equal(await hasMore(), true);
});
