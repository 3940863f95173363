// Schedules: valid and invalid entries, preview before saving, and requests that take or swap the duty.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import { detail, names, type Row, refusal } from '../../harness/site/site-caller.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

const editorScopes = ['directory:read', 'directory:write', 'alarms:ack'];

const allDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', 'holiday'];

async function twoTeams(site: Site) {
  return [await site.create('/teams', { name: 'A' }), await site.create('/teams', { name: 'B' })] as const;
}

testOnAnyStore('a schedule is created, read, replaced and removed', async (t, kind) => {
  const site = await startSite(t, kind);
  const [a, b] = await twoTeams(site);
  const body = {
    name: 'Pumps programme',
    timeZone: 'Europe/Paris',
    holidays: { dates: ['2026-12-25'], icalUrl: 'https://example.org/holidays.ics', icalDates: [] },
    weekly: [
      { teamId: a, days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '18:00', to: '08:00' },
      { teamId: b, days: ['sat', 'sun', 'holiday'], from: '00:00', to: '24:00' },
    ],
    rotations: [
      { teamIds: [a, b], every: '1w', handOver: '08:00', start: '2026-11-02', days: null, from: null, to: null },
      {
        teamIds: [b],
        every: '3d',
        handOver: '12:00',
        start: '2026-11-02',
        days: ['sat', 'holiday'],
        from: '18:00',
        to: '08:00',
      },
    ],
    overrides: [
      { teamId: b, userId: null, from: '2026-11-20T08:00', to: '2026-11-21T08:00', reason: 'swap', lock: false },
      { teamId: null, userId: 1, from: '2026-11-22T08:00:30', to: '2026-11-23T08:00+01:00', reason: '', lock: false },
      { teamId: null, userId: null, from: '2026-12-20T08:00', to: '2026-12-21T08:00', reason: 'test', lock: true },
    ],
  };
  const id = await site.create('/schedules', { id: 77, ...body });
  const overrides = body.overrides.map((override, index) => ({ id: index + 1, ...override, swapId: null }));
  const schedule = { id, ...body, overrides, lastChange: '2026-11-15T12:00:00.000' };
  assert.deepEqual(await site.ask('GET', `/schedules/${id}`), schedule);
  assert.deepEqual((await site.request('PUT', `/schedules/${id}`, schedule)).body, schedule);
  site.app.clock.advance(1_000);
  const bare = (await site.request('PUT', `/schedules/${id}`, { name: 'Empty' })).body;
  const nothing = { holidays: { dates: [], icalUrl: null, icalDates: [] }, weekly: [], rotations: [], overrides };
  const lastChange = '2026-11-15T12:00:01.000';
  assert.deepEqual(bare, { id, name: 'Empty', timeZone: 'Europe/Paris', ...nothing, lastChange });
  assert.equal((await site.request('POST', '/schedules', { name: 'Empty' })).status, 409);
  assert.deepEqual(names(await site.request('GET', '/schedules?search=emp')), ['Empty']);
  assert.equal((await site.request('DELETE', `/schedules/${id}`)).status, 200);
  assert.equal((await site.request('GET', `/schedules/${id}`)).status, 404);
});

testOnAnyStore('an invalid entry or an unknown team or user is refused by field', async (t, kind) => {
  const site = await startSite(t, kind);
  const [a] = await twoTeams(site);
  const week = { teamId: a, days: ['mon'], from: '08:00', to: '18:00' };
  const turn = { teamIds: [a], every: '1w', handOver: '08:00', start: '2026-11-02' };
  const other = { teamId: a, from: '2026-11-20T08:00', to: '2026-11-21T08:00' };
  for (const [fields, status, field] of [
    [{ weekly: [{ ...week, from: '8:00' }] }, 400, 'weekly[0].from'],
    [{ weekly: [{ ...week, from: '24:00' }] }, 400, 'weekly[0].from'],
    [{ weekly: [{ ...week, days: [] }] }, 400, 'weekly[0].days'],
    [{ weekly: [{ ...week, days: ['monday'] }] }, 400, 'weekly[0].days[0]'],
    [{ weekly: [week, { ...week, teamId: 77 }] }, 422, 'weekly[1].teamId'],
    [{ rotations: [{ ...turn, every: '0w' }] }, 400, 'rotations[0].every'],
    [{ rotations: [{ ...turn, teamIds: [] }] }, 400, 'rotations[0].teamIds'],
    [{ rotations: [{ ...turn, teamIds: [a, 77] }] }, 422, 'rotations[0].teamIds[1]'],
    [{ rotations: [{ ...turn, start: '2026-02-30' }] }, 422, 'rotations[0].start'],
    [{ rotations: [{ ...turn, from: '24:00' }] }, 400, 'rotations[0].from'],
    [{ rotations: [{ ...turn, days: [] }] }, 400, 'rotations[0].days'],
    [{ overrides: [{ ...other, to: 'soon' }] }, 400, 'overrides[0].to'],
    [{ overrides: [{ ...other, to: other.from }] }, 422, 'overrides[0].to'],
    [{ overrides: [{ ...other, teamId: 77 }] }, 422, 'overrides[0].teamId'],
    [{ overrides: [{ ...other, teamId: null, userId: 77 }] }, 422, 'overrides[0].userId'],
    [{ overrides: [{ ...other, userId: 1 }] }, 422, 'overrides[0]'],
    [{ overrides: [{ ...other, teamId: null }] }, 422, 'overrides[0]'],
    [{ holidays: { dates: ['2026-02-29'] } }, 422, 'holidays.dates[0]'],
    [{ holidays: { icalUrl: 'file:///etc/passwd' } }, 400, 'holidays.icalUrl'],
    [{ timeZone: 'Mars/Olympus' }, 422, 'timeZone'],
  ] as const) {
    const answer = await site.request('POST', '/schedules', { name: 'X', ...fields });
    assert.deepEqual(refusal(answer), [status, field], answer.text);
  }
  assert.deepEqual(names(await site.request('GET', '/schedules')), []);
});

testOnAnyStore('gaps and overlaps are reported as warnings when saving, and in the preview', async (t, kind) => {
  const site = await startSite(t, kind);
  const [a, b] = await twoTeams(site);
  const week = (teamId: number, from: string, to: string) => ({ teamId, days: allDays, from, to });
  const gappy = { name: 'Gappy', weekly: [week(a, '08:00', '18:00')] };
  const saved = await site.request('POST', '/schedules', gappy);
  assert.match(saved.headers.get('tocsin-warnings') ?? '', /^nobody has the duty from 2026-11-15T18:00:00\.000\+01:00/);
  const full = { name: 'Full', weekly: [week(a, '08:00', '18:00'), week(b, '18:00', '08:00')] };
  const whole = await site.request('PUT', `/schedules/${saved.body}`, full);
  assert.deepEqual([whole.status, whole.headers.get('tocsin-warnings')], [200, null]);
  const both = { name: 'Both', weekly: [week(a, '00:00', '24:00'), week(b, '18:00', '20:00')] };
  const twice = await site.request('POST', '/schedules', both);
  assert.match(twice.headers.get('tocsin-warnings') ?? '', /weekly\[0\] and weekly\[1\] both/);
  const [from, to] = ['2026-11-16T00:00', '2026-11-17T00:00'];
  const preview = await site.request('POST', '/schedules/preview', { schedule: both, from, to });
  const time = (text: string) => `2026-11-${text}:00.000+01:00`;
  const slot = (start: string, end: string, teamId: number, source: string) => ({
    from: time(start),
    to: time(end),
    teamId,
    userId: null,
    locked: false,
    source,
    reason: '',
  });
  assert.deepEqual(preview.body, {
    slots: [
      slot('16T00:00', '16T18:00', a, 'weekly[0]'),
      slot('16T18:00', '16T20:00', b, 'weekly[1]'),
      slot('16T20:00', '17T00:00', a, 'weekly[0]'),
    ],
    gaps: [],
    overlaps: [{ entries: ['weekly[0]', 'weekly[1]'], from: time('16T18:00'), to: time('16T20:00'), times: 1 }],
    unused: [],
    hasMore: false,
  });
  const long = { schedule: both, from, to: '2027-11-17T00:00' };
  assert.deepEqual(refusal(await site.request('POST', '/schedules/preview', long)), [400, 'to']);
  assert.deepEqual(refusal(await site.request('POST', '/schedules/preview', { schedule: both, to: from, from: to })), [
    400,
    'to',
  ]);
  assert.deepEqual(names(await site.request('GET', '/schedules')), ['Full', 'Both'], 'a look saves nothing');
});

testOnAnyStore('an entry that can never apply is a warning when saving, and in the preview', async (t, kind) => {
  const site = await startSite(t, kind);
  const [a, b] = await twoTeams(site);
  const week = { teamId: a, days: allDays, from: '00:00', to: '24:00' };
  const rotation = { teamIds: [a, b], every: '1w', handOver: '08:00', start: '2026-11-02' };
  const body = { name: 'Pumps', weekly: [week, { ...week, teamId: b, days: ['holiday'] }] };
  const saved = await site.request('POST', '/schedules', body);
  const noDay = 'weekly[1] never applies: none of its days comes within a year';
  assert.equal(saved.headers.get('tocsin-warnings'), noDay);
  const own = `/schedules/${saved.body}`;
  const covered = await site.request('PUT', own, { ...body, weekly: [week], rotations: [rotation] });
  const reason = 'later entries cover all of its time';
  assert.equal(covered.headers.get('tocsin-warnings'), `weekly[0] never applies: ${reason}`);
  const { unused } = await site.ask('POST', '/schedules/preview', { schedule: covered.body });
  assert.deepEqual(unused, [{ entry: 'weekly[0]', reason }]);
  const nights = { ...rotation, from: '20:00', to: '08:00' };
  const whole = await site.request('PUT', own, { ...body, weekly: [week], rotations: [nights] });
  assert.equal(whole.headers.get('tocsin-warnings'), null);
});

testOnAnyStore('a rotation with hours gives the duty in these hours alone', async (t, kind) => {
  const site = await startSite(t, kind);
  const [a, b] = await twoTeams(site);
  const nights = { teamIds: [a, b], every: '1w', handOver: '08:00', start: '2026-11-02', from: '20:00', to: '08:00' };
  const schedule = { name: 'Nights', timeZone: 'Europe/Paris', rotations: [{ ...nights, days: ['sun', 'mon'] }] };
  const [from, to] = ['2026-11-15T00:00', '2026-11-18T00:00'];
  const preview = await site.ask<{ slots: readonly Row[] }>('POST', '/schedules/preview', { schedule, from, to });
  const local = (text: unknown) => String(text).slice(8, 16);
  assert.deepEqual(
    preview.slots.map((slot) => [local(slot.from), local(slot.to), slot.teamId]),
    [
      ['15T00:00', '15T20:00', null],
      ['15T20:00', '16T08:00', b],
      ['16T08:00', '16T20:00', null],
      ['16T20:00', '17T08:00', a],
      ['17T08:00', '18T00:00', null],
    ],
  );
});

testOnAnyStore('an operator can take the duty now, for themself only', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.create('/users', { name: 'ana', password: 'a long secret' });
  const id = await site.create('/schedules', { name: 'Nights', timeZone: 'Europe/Paris' });
  const asAna = site.as(await site.app.signIn('ana', 'a long secret'));
  site.app.clock.advance(61_000);
  const to = '2026-11-15T18:00';
  const taken = await asAna.request('POST', `/schedules/${id}/take`, { to, reason: 'I am here' });
  assert.equal(taken.status, 200, taken.text);
  const holder = { id: 1, teamId: null, userId: ana, swapId: null };
  const override = { ...holder, from: '2026-11-15T13:01:01', to, reason: 'I am here', lock: false };
  assert.deepEqual((taken.body as Row).overrides, [override]);
  assert.deepEqual(await site.ask('GET', `/schedules/${id}`), taken.body);
  assert.equal((taken.body as Row).lastChange, '2026-11-15T12:01:01.000');
  assert.equal((await asAna.request('POST', `/schedules/${id}/take`, { userId: 1, to })).status, 403);
  assert.equal((await asAna.request('POST', `/schedules/${id}/take`, { userId: ana, to })).status, 200);
  assert.equal((await site.request('POST', `/schedules/${id}/take`, { userId: ana, to })).status, 200);
  assert.equal((await asAna.request('POST', `/schedules/${id}/swap`, { userId: ana, from: to, to })).status, 403);
  assert.equal((await asAna.request('POST', '/schedules/77/take', { to })).status, 404);
  assert.deepEqual(refusal(await asAna.request('POST', `/schedules/${id}/take`, { to: '2026-11-15T12:00' })), [
    422,
    'to',
  ]);
  assert.deepEqual(refusal(await asAna.request('POST', `/schedules/${id}/take`, {})), [400, 'to']);
  assert.equal(((await site.ask('GET', `/schedules/${id}`)).overrides as Row[]).length, 3);
});

testOnAnyStore('the duty is swapped to an existing team or person', async (t, kind) => {
  const site = await startSite(t, kind);
  const [a] = await twoTeams(site);
  const id = await site.create('/schedules', { name: 'Nights' });
  const period = { from: '2026-11-20T08:00', to: '2026-11-21T08:00' };
  const swap = (fields: object) => site.request('POST', `/schedules/${id}/swap`, { ...period, ...fields });
  const swapped = await swap({ teamId: a, reason: 'swap with A' });
  const override = { id: 1, teamId: a, userId: null, ...period, reason: 'swap with A', lock: false, swapId: 1 };
  assert.deepEqual((swapped.body as Row).overrides, [override]);
  assert.deepEqual(refusal(await swap({ teamId: 77 })), [422, 'teamId']);
  assert.deepEqual(refusal(await swap({ userId: 77 })), [422, 'userId']);
  assert.deepEqual(refusal(await swap({})), [422, 'teamId']);
  assert.deepEqual(refusal(await swap({ teamId: a, userId: 1 })), [422, 'teamId']);
  assert.match(detail(await site.request('DELETE', `/teams/${a}`)), /schedule \d+ "Nights"/);
});

testOnAnyStore('an operator takes the duty from now on and for two weeks at most', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.create('/users', { name: 'ana', password: 'a long secret' });
  const id = await site.create('/schedules', { name: 'Nights', timeZone: 'UTC' });
  const take = async (token: string, body: object) =>
    refusal(await site.as(token).request('POST', `/schedules/${id}/take`, body));
  const ana = await site.app.signIn('ana', 'a long secret');
  assert.deepEqual(await take(ana, { from: '2026-11-14T08:00', to: '2026-11-16T08:00' }), [422, 'from']);
  assert.deepEqual(await take(ana, { to: '2026-11-29T12:01' }), [422, 'to']);
  assert.deepEqual(await take(ana, { to: '9999-11-29T12:01' }), [422, 'to']);
  assert.deepEqual(await take(ana, { to: '2026-11-29T12:00' }), [200, undefined]);
  assert.deepEqual(await take(site.token, { from: '2026-11-14T08:00', to: '2027-11-16T08:00' }), [200, undefined]);
});

testOnAnyStore('who takes the duty while off duty is told that nobody calls them', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.create('/schedules', { name: 'Nights', timeZone: 'UTC' });
  const ana = await site.create('/users', { name: 'ana', onDuty: false });
  const taken = await site.request('POST', `/schedules/${id}/take`, { userId: ana, to: '2026-11-16T08:00' });
  assert.match(taken.headers.get('tocsin-warnings') ?? '', /^userId: ana is off duty and is not called/);
});

testOnAnyStore(
  'takes of an operator push out ended and own overrides, and none that a supervisor planned',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.create('/users', { name: 'ana', password: 'a long secret' });
    const day = { from: '2026-11-20T08:00', to: '2026-11-21T08:00' };
    const planned = { userId: 1, ...day, reason: 'planned' };
    const over = { userId: 1, from: '2026-11-01T08:00', to: '2026-11-02T08:00', reason: 'over' };
    const own = Array.from({ length: 998 }, (_, n) => ({ userId: ana, ...day, reason: String(n) }));
    const id = await site.create('/schedules', { name: 'Nights', timeZone: 'UTC', overrides: [planned, over, ...own] });
    const asAna = site.as(await site.app.signIn('ana', 'a long secret'));
    const reasons = async () =>
      ((await site.ask('GET', `/schedules/${id}`)).overrides as Row[]).map(({ reason }) => reason);
    const take = (reason: string) => asAna.request('POST', `/schedules/${id}/take`, { to: day.to, reason });
    assert.doesNotMatch((await take('first')).headers.get('tocsin-warnings') ?? '', /dropped/);
    assert.deepEqual((await reasons()).slice(0, 2), ['planned', '0'], 'the one that was over went first');
    assert.match((await take('second')).headers.get('tocsin-warnings') ?? '', /overrides: the one from .* was dropped/);
    const left = await reasons();
    assert.deepEqual([left.length, left[0], left[1], left.at(-1)], [1_000, 'planned', '1', 'second']);
  },
);

testOnAnyStore('with 1,000 overrides a new one replaces the oldest', async (t, kind) => {
  const site = await startSite(t, kind);
  const many = Array.from({ length: 1_000 }, (_, n) => ({
    userId: 1,
    from: '2026-11-20T08:00',
    to: '2026-11-21T08:00',
    reason: String(n),
  }));
  const id = await site.create('/schedules', { name: 'Nights', overrides: many });
  const taken = await site.request('POST', `/schedules/${id}/take`, { to: '2026-11-15T18:00', reason: 'newest' });
  const reasons = ((taken.body as Row).overrides as Row[]).map(({ reason }) => reason);
  assert.deepEqual([reasons.length, reasons[0], reasons.at(-1)], [1_000, '1', 'newest']);
});

testOnAnyStore('a caller bound to stations changes the duty of their groups but no schedule', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  const [own, other] = [
    await site.create('/schedules', { name: 'Own' }),
    await site.create('/schedules', { name: 'Other' }),
  ];
  await site.create('/callgroups', { name: 'Pumps', stationId: north, scheduleId: own });
  await site.create('/callgroups', { name: 'Pumps', scheduleId: other });
  const asNorth = await site.as(await site.keyFor(editorScopes, [north]));
  assert.equal((await asNorth.request('PUT', `/schedules/${own}`, { name: 'Mine' })).status, 422);
  const body = { userId: 1, to: '2026-11-15T18:00' };
  assert.equal((await asNorth.request('POST', `/schedules/${own}/take`, body)).status, 200);
  assert.equal((await asNorth.request('POST', `/schedules/${other}/take`, body)).status, 404);
  const nobody = await asNorth.request('POST', `/schedules/${own}/take`, { to: body.to });
  assert.deepEqual(refusal(nobody), [422, 'userId'], 'a key is nobody');
});
