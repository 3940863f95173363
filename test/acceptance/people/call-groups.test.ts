// Call groups and groupings: create, read, replace, list and remove; checks of references; station bounds.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import { detail, names, type Row, refusal } from '../../harness/site/site-caller.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

const editorScopes = ['directory:read', 'directory:write', 'alarms:ack'];

const lastChange = '2026-11-15T12:00:00.000';

async function northAndSouth(site: Site) {
  const [north, south] = [
    await site.create('/stations', { name: 'North' }),
    await site.create('/stations', { name: 'South' }),
  ];
  const southern = await site.create('/callgroups', { name: 'Pumps', stationId: south });
  return { north, south, southern, asNorth: await site.as(await site.keyFor(editorScopes, [north])) };
}

testOnAnyStore('a call group is created, read, replaced and removed', async (t, kind) => {
  const site = await startSite(t, kind);
  const [a, b] = [await site.create('/teams', { name: 'A' }), await site.create('/teams', { name: 'B' })];
  const scheduleId = await site.create('/schedules', { name: 'Nights' });
  const relief = await site.create('/callgroups', { name: 'Relief' });
  const id = await site.create('/callgroups', {
    id: 77,
    name: 'Pumps',
    names: { fr: 'Pompes' },
    callMode: 'turn',
    reliefMode: 'perUser',
    reliefGroupId: relief,
    teamIds: [b, a],
    scheduleId,
  });
  const group = {
    id,
    name: 'Pumps',
    names: { fr: 'Pompes' },
    stationId: 1,
    timeZone: 'Europe/Paris',
    callMode: 'turn',
    reliefMode: 'perUser',
    reliefGroupId: relief,
    timeToTake: null,
    discardWhenNobodyOnCall: false,
    teamIds: [b, a],
    scheduleId,
    lastChange,
  };
  assert.deepEqual(await site.ask('GET', `/callgroups/${id}`), group);
  assert.deepEqual(
    (await site.request('PUT', `/callgroups/${id}`, group)).body,
    group,
    'what was read can be written back',
  );
  assert.deepEqual(
    names(await site.request('GET', `/callgroups/${id}/teams`)),
    ['B', 'A'],
    'in the order of the group',
  );
  const bare = (await site.request('PUT', `/callgroups/${id}`, { name: 'Pumps' })).body as Row;
  assert.deepEqual(
    [bare.names, bare.callMode, bare.reliefMode, bare.reliefGroupId, bare.teamIds, bare.scheduleId],
    [{}, 'all', 'nobodyReached', null, [], null],
    'the whole object is replaced',
  );
  assert.equal((await site.request('DELETE', `/callgroups/${id}`)).body, true);
  assert.equal((await site.request('GET', `/callgroups/${id}`)).status, 404);
  assert.equal((await site.request('GET', `/callgroups/${id}/teams`)).status, 404);
});

testOnAnyStore('a grouping is created, read, replaced and removed', async (t, kind) => {
  const site = await startSite(t, kind);
  const [a, b] = [await site.create('/callgroups', { name: 'A' }), await site.create('/callgroups', { name: 'B' })];
  const inner = await site.create('/callgroupgroupings', { name: 'Inner' });
  const id = await site.create('/callgroupgroupings', {
    name: 'Whole site',
    callGroupIds: [b, a],
    groupingIds: [inner],
  });
  const grouping = { id, name: 'Whole site', stationId: 1, callGroupIds: [b, a], groupingIds: [inner], lastChange };
  assert.deepEqual(await site.ask('GET', `/callgroupgroupings/${id}`), grouping);
  assert.deepEqual((await site.request('PUT', `/callgroupgroupings/${id}`, grouping)).body, grouping);
  const held = await site.request('DELETE', `/callgroupgroupings/${inner}`);
  assert.equal(held.status, 409);
  assert.match(detail(held), /grouping \d+ "Whole site"/);
  assert.equal((await site.request('DELETE', `/callgroupgroupings/${id}`)).status, 200);
  assert.equal((await site.request('DELETE', `/callgroupgroupings/${inner}`)).status, 200);
});

testOnStores('lists are filtered by station, searched and paged; names are unique per station', async (t, kind) => {
  const site = await startSite(t, kind);
  const north = await site.create('/stations', { name: 'North' });
  for (const path of ['callgroups', 'callgroupgroupings']) {
    for (const name of ['Pumps north', 'Boilers']) await site.create(`/${path}`, { name });
    await site.create(`/${path}`, { name: 'Boilers', stationId: north });
    assert.equal((await site.request('POST', `/${path}`, { name: 'Boilers' })).status, 409);
    assert.equal((await site.request('PUT', `/${path}/1`, { name: 'Boilers' })).status, 409);
    assert.deepEqual(names(await site.request('GET', `/${path}?stationId=${north}`)), ['Boilers']);
    assert.deepEqual(names(await site.request('GET', `/${path}?search=NOR`)), ['Pumps north']);
    assert.deepEqual(names(await site.request('GET', `/${path}?sort=-id&limit=2&offset=1`)), [
      'Boilers',
      'Pumps north',
    ]);
    const moved = await site.request('PUT', `/${path}/1`, { name: 'Pumps', stationId: north });
    assert.deepEqual(refusal(moved), [422, 'stationId']);
  }
  await site.create('/callgroups', { name: 'Valves', names: { fr: 'Vannes' } });
  assert.deepEqual(names(await site.request('GET', '/callgroups?search=vann')), ['Valves'], 'by its other names too');
});

testOnAnyStore('a call group or grouping that names an unknown entry is refused', async (t, kind) => {
  const site = await startSite(t, kind);
  const team = await site.create('/teams', { name: 'A' });
  for (const [path, fields, field] of [
    ['callgroups', { teamIds: [team, 77] }, 'teamIds[1]'],
    ['callgroups', { scheduleId: 77 }, 'scheduleId'],
    ['callgroups', { reliefGroupId: 77 }, 'reliefGroupId'],
    ['callgroups', { stationId: 77 }, 'stationId'],
    ['callgroups', { timeZone: 'Mars/Olympus' }, 'timeZone'],
    ['callgroups', { timeZone: '+02:00' }, 'timeZone'],
    ['callgroups', { names: { 'not a language': 'x' } }, 'names.not a language'],
    ['callgroupgroupings', { callGroupIds: [77] }, 'callGroupIds[0]'],
    ['callgroupgroupings', { groupingIds: [77] }, 'groupingIds[0]'],
    ['callgroupgroupings', { stationId: 77 }, 'stationId'],
  ] as const) {
    assert.deepEqual(refusal(await site.request('POST', `/${path}`, { name: 'X', ...fields })), [422, field], field);
  }
  assert.deepEqual(names(await site.request('GET', '/callgroups')), []);
  const none = await site.create('/callgroups', { name: 'X', reliefGroupId: 0, scheduleId: null });
  assert.equal(
    ((await site.request('GET', `/callgroups/${none}`)).body as Row).reliefGroupId,
    null,
    '0 stands for none',
  );
});

testOnAnyStore('cycles of relief groups and of groupings are refused', async (t, kind) => {
  const site = await startSite(t, kind);
  const a = await site.create('/callgroups', { name: 'a' });
  const b = await site.create('/callgroups', { name: 'b', reliefGroupId: a });
  const c = await site.create('/callgroups', { name: 'c', reliefGroupId: b });
  for (const reliefGroupId of [a, b, c]) {
    const answer = await site.request('PUT', `/callgroups/${a}`, { name: 'a', reliefGroupId });
    assert.deepEqual(refusal(answer), [422, 'reliefGroupId'], String(reliefGroupId));
  }
  assert.equal((await site.request('PUT', `/callgroups/${c}`, { name: 'c', reliefGroupId: a })).status, 200);
  const inner = await site.create('/callgroupgroupings', { name: 'inner' });
  const side = await site.create('/callgroupgroupings', { name: 'side' });
  const outer = await site.create('/callgroupgroupings', { name: 'outer', groupingIds: [side, inner] });
  for (const member of [inner, outer]) {
    const answer = await site.request('PUT', `/callgroupgroupings/${inner}`, {
      name: 'inner',
      groupingIds: [side, member],
    });
    assert.deepEqual(refusal(answer), [422, 'groupingIds[1]'], String(member));
  }
  assert.equal(
    (await site.request('PUT', `/callgroupgroupings/${inner}`, { name: 'inner', groupingIds: [side] })).status,
    200,
    'one that is held twice is no circle',
  );
});

testOnAnyStore('of two concurrent changes that together form a cycle, one is refused', async (t, kind) => {
  const site = await startSite(t, kind);
  for (let round = 0; round < 5; round++) {
    const [a, b] = [`a${round}`, `b${round}`];
    const [one, other] = [await site.create('/callgroups', { name: a }), await site.create('/callgroups', { name: b })];
    const answers = await Promise.all([
      site.request('PUT', `/callgroups/${one}`, { name: a, reliefGroupId: other }),
      site.request('PUT', `/callgroups/${other}`, { name: b, reliefGroupId: one }),
    ]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422]);
  }
});

testOnAnyStore('a group named by a grouping, relief, scenario or alarm cannot be removed', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.create('/callgroups', { name: 'Pumps' });
  const actions = [{ type: 'CallGroup', id }];
  const referrers = [
    ['callgroupgroupings', { name: 'Whole site', callGroupIds: [id] }, /grouping \d+ "Whole site"/],
    ['callgroups', { name: 'Boilers', reliefGroupId: id }, /call group \d+ "Boilers"/],
    ['scenarios', { name: 'Fire', ackActions: actions }, /scenario \d+ "Fire"/],
    ['alarms', { path: 'Pump', raised: false, resetActions: actions }, /alarm \d+ "Pump"/],
  ] as const;
  for (const [path, body, says] of referrers) {
    const referrer = await site.create(`/${path}`, body);
    const refused = await site.request('DELETE', `/callgroups/${id}`);
    assert.equal(refused.status, 409, path);
    assert.match(detail(refused), says);
    assert.equal((await site.request('DELETE', `/${path}/${referrer}`)).status, 200);
  }
  assert.equal((await site.request('DELETE', `/callgroups/${id}`)).status, 200);
});

testOnAnyStore('a station, team or schedule used by a call group cannot be removed', async (t, kind) => {
  const site = await startSite(t, kind);
  const [station, team] = [
    await site.create('/stations', { name: 'North' }),
    await site.create('/teams', { name: 'A' }),
  ];
  const scheduleId = await site.create('/schedules', { name: 'Nights' });
  const id = await site.create('/callgroups', { name: 'Pumps', stationId: station, teamIds: [team], scheduleId });
  for (const path of [`stations/${station}`, `teams/${team}`, `schedules/${scheduleId}`]) {
    const refused = await site.request('DELETE', `/${path}`);
    assert.equal(refused.status, 409, path);
    assert.match(detail(refused), new RegExp(`call group ${id} "Pumps"`));
  }
  await site.request('DELETE', `/callgroups/${id}`);
  const user = await site.create('/users', {
    name: 'ana',
    numbers: [{ channel: 'voice', address: '201', scheduleId }],
  });
  assert.match(detail(await site.request('DELETE', `/schedules/${scheduleId}`)), new RegExp(`user ${user} "ana"`));
  for (const path of [`users/${user}`, `stations/${station}`, `teams/${team}`, `schedules/${scheduleId}`]) {
    assert.equal((await site.request('DELETE', `/${path}`)).status, 200, path);
  }
});

testOnAnyStore('a bound caller reads and changes groups of its stations; others seem not to exist', async (t, kind) => {
  const site = await startSite(t, kind);
  const { north, southern, asNorth } = await northAndSouth(site);
  const made = await asNorth.request('POST', '/callgroups', { name: 'Pumps' });
  assert.equal(made.status, 200, made.text);
  assert.equal((await site.ask('GET', `/callgroups/${made.body}`)).stationId, north, 'in its only station');
  assert.deepEqual(names(await asNorth.request('GET', '/callgroups')), ['Pumps']);
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', { name: 'Mine' }],
    ['DELETE', undefined],
  ] as const) {
    assert.equal((await asNorth.request(method, `/callgroups/${southern}`, body)).status, 404, method);
  }
  assert.equal((await asNorth.request('GET', `/callgroups/${southern}/teams`)).status, 404);
  const fields = { name: 'New', reliefGroupId: southern };
  assert.deepEqual(refusal(await asNorth.request('POST', '/callgroups', fields)), [422, 'reliefGroupId']);
  assert.deepEqual(refusal(await asNorth.request('POST', '/callgroups', { name: 'New', stationId: 1 })), [
    422,
    'stationId',
  ]);
  const members = { name: 'All', callGroupIds: [made.body, southern] };
  assert.deepEqual(refusal(await asNorth.request('POST', '/callgroupgroupings', members)), [422, 'callGroupIds[1]']);
  const ofAll = await site.create('/callgroupgroupings', { ...members, stationId: north });
  const read = (await asNorth.request('GET', `/callgroupgroupings/${ofAll}`)).body;
  assert.equal(
    (await asNorth.request('PUT', `/callgroupgroupings/${ofAll}`, read as Row)).status,
    200,
    'what others put in stays',
  );
  await site.create('/callgroups', { name: 'Southern relief', stationId: 3, reliefGroupId: made.body });
  await site.request('DELETE', `/callgroupgroupings/${ofAll}`);
  const refused = await asNorth.request('DELETE', `/callgroups/${made.body}`);
  assert.equal(refused.status, 409);
  assert.match(detail(refused), /a call group of another station/);
  assert.doesNotMatch(refused.text, /Southern/);
});

testOnAnyStore('an alarm that calls an existing group gets no warning', async (t, kind) => {
  const site = await startSite(t, kind);
  const id = await site.create('/callgroups', { name: 'Pumps' });
  const send = (target: number) =>
    site.request('POST', '/alarms', { path: 'Pump', raised: false, alarmActions: [{ type: 'CallGroup', id: target }] });
  assert.equal((await send(id)).headers.get('tocsin-warnings'), null);
  assert.match((await send(77)).headers.get('tocsin-warnings') ?? '', /77/);
});

testOnAnyStore('a time to take that is shorter than one pass of the group is saved with a warning', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [{ channel: 'voice', address: '+33100000001', countTry: 3, timeToRetry: 60 }];
  const userId = await site.create('/users', { name: 'ana', numbers });
  const teamId = await site.create('/teams', { name: 'Night', members: [{ userId, relief: false }] });
  const group = { name: 'Pumps', stationId: 1, teamIds: [teamId] };
  const short = await site.request('POST', '/callgroups', { ...group, timeToTake: 209 });
  assert.equal(short.status, 200, short.text);
  assert.match(String(short.headers.get('tocsin-warnings')), /^timeToTake is shorter than one pass .* 210 s/);
  const put = (timeToTake: number) => site.request('PUT', `/callgroups/${short.body}`, { ...group, timeToTake });
  assert.match(String((await put(60)).headers.get('tocsin-warnings')), /^timeToTake is shorter/);
  for (const enough of [210, 0]) assert.equal((await put(enough)).headers.get('tocsin-warnings'), null);
});

testOnAnyStore(
  'a group whose numbers are tried for days before the next level is saved with a warning',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const numbers = [{ channel: 'voice', address: '+33123456789', countTry: 99, timeToRetry: 86_400 }];
    const team = await site.team('Night', [await site.person('ana', { numbers })]);
    const saved = await site.request('POST', '/callgroups', { name: 'Slow', stationId: 1, teamIds: [team] });
    assert.match(String(saved.headers.get('tocsin-warnings')), /^one pass of the group takes up to 98 days/);
  },
);
