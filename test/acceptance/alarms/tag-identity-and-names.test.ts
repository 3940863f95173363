// The tag is the identity of an alarm: which report creates or changes an alarm, its station and data server, and its
// name.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../harness/site/site.ts';
import { testOnAnyStore, testOnStores } from '../../harness/stores/test-on-stores.ts';

type Problem = { readonly errors?: readonly { readonly field: string }[] };

const total = async (site: Site, query: string) => (await site.alarms.list(query)).paging.total;

const action = { type: 'CallGroup', id: 4, scriptId: 0, parameter: '30', flags: 2 };
const whole = {
  path: 'Plant/Pump7',
  priority: 2,
  value: '93',
  location: { latitude: 48.85, longitude: 2.35, zone: 'Hall 2', beaconList: [{ id: 'b1', type: 'Nfc' }] },
  names: { fr: 'Pompe 7' },
  alarmMessage: 'hot',
  alarmAttachedFile: 'hot.pdf',
  alarmActions: [action],
  resetMessage: 'cool',
  resetAttachedFile: 'cool.pdf',
  resetActions: [action],
  ackMessage: 'taken',
  ackAttachedFile: 'taken.pdf',
  ackActions: [action],
};

const random4ByteText = (length: number, seed: number): string => {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return String.fromCodePoint(0x2_0000 + (Math.floor(state / 65_536) % 0x7000));
  };
  return Array.from({ length }, next).join('');
};

testOnAnyStore(
  'a POST for an existing path changes that alarm: absent fields stay, present fields are replaced',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const id = await site.alarms.send(whole);
    const before = await site.alarms.get(id);
    assert.equal(await site.alarms.send({ path: whole.path }), id);
    assert.deepEqual(await site.alarms.get(id), before, 'nothing given, nothing changed');
    const nulls = Object.fromEntries(Object.keys(whole).map((field) => [field, null]));
    assert.equal(
      await site.alarms.send({ ...nulls, path: whole.path, stationId: null, eventCondition: null, raised: null }),
      id,
    );
    assert.deepEqual(await site.alarms.get(id), before, 'null is absent');
    assert.equal(
      await site.alarms.send({ path: whole.path, stationId: 0, dataServerId: 0, tagGroupId: 0, priority: 0 }),
      id,
    );
    assert.deepEqual(await site.alarms.get(id), before, 'in an id or a priority 0 is not given');
    const emptied = {
      value: '',
      location: {},
      names: {},
      alarmMessage: '',
      alarmAttachedFile: '',
      alarmActions: [],
      resetMessage: '',
      resetAttachedFile: '',
      resetActions: [],
      ackMessage: '',
      ackAttachedFile: '',
      ackActions: [],
    };
    assert.equal(await site.alarms.send({ path: whole.path, ...emptied }), id);
    const actions = { alarm: [], reset: [], ack: [] };
    assert.deepEqual(await site.alarms.get(id), {
      ...before,
      value: '',
      message: '',
      resetMessage: '',
      ackMessage: '',
      attachedFile: '',
      resetAttachedFile: '',
      ackAttachedFile: '',
      location: {},
      names: {},
      actions,
    });
    await site.alarms.dismissThoseFromTocsin();
    assert.equal(await total(site, ''), 1);
  },
);

testOnAnyStore('each POST without a path creates a new alarm with the path alarm/<id>', async (t, kind) => {
  const site = await startSite(t, kind);
  const ids = [
    await site.alarms.send({ alarmMessage: 'Help' }),
    await site.alarms.send({ alarmMessage: 'Help', path: '' }),
  ];
  ids.push(await site.alarms.send({ alarmMessage: 'Help', path: null }));
  assert.equal(new Set(ids).size, 3);
  for (const id of ids) {
    const { path, name, fullPath, message } = await site.alarms.get(id);
    assert.deepEqual([path, name, fullPath, message], [`alarm/${id}`, `alarm/${id}`, `API\\alarm/${id}`, 'Help']);
  }
  for (const body of [{}, { path: '' }, { path: '', alarmMessage: '' }, { alarmShortMessage: 'x' }, { path: null }]) {
    const answer = await site.request('POST', '/alarms', body);
    assert.deepEqual([answer.status, (answer.body as Problem).errors?.[0]?.field], [400, 'path'], answer.text);
  }
});

testOnAnyStore('an alarm without a path is stored even if another alarm uses the path alarm/<id>', async (t, kind) => {
  const site = await startSite(t, kind);
  await site.alarms.send({ path: 'alarm/2' });
  const id = await site.alarms.send({ alarmMessage: 'Help' });
  assert.equal((await site.alarms.get(id)).message, 'Help');
});

testOnAnyStore('the name is the path, else the full path, else the full path with the id', async (t, kind) => {
  const site = await startSite(t, kind);
  const south = await site.create('/dataservers', { name: 'South' });
  const name = async (body: object) => (await site.alarms.get(await site.alarms.send(body))).name;
  assert.equal(await name({ path: 'Pump' }), 'Pump');
  assert.equal(await name({ path: 'Pump', dataServerId: south }), 'South\\Pump');
  assert.equal(await name({ path: 'South\\Valve' }), 'South\\Valve');
  assert.equal(await name({ path: 'Valve' }), 'Valve');
  const id = await site.alarms.send({ path: 'Valve', dataServerId: south });
  assert.equal((await site.alarms.get(id)).name, `South\\Valve #${id}`);
  assert.equal((await site.alarms.get(id)).fullPath, 'South\\Valve');
  assert.equal(
    await site.alarms.send({ path: 'Valve', dataServerId: south }),
    id,
    'the path finds it, whatever its name',
  );
  await site.alarms.acknowledge(1);
  await site.ask('DELETE', '/alarms/1');
  assert.equal((await site.alarms.get(2)).name, 'South\\Pump', 'a name stays when another gets free');
  assert.equal(await name({ path: 'Pump' }), 'Pump');
});

testOnStores(
  'renaming a data server renames the alarms named after it; histories use it from the next raise on',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const south = await site.create('/dataservers', { name: 'South' });
    for (const path of ['Pump', 'Valve', 'Depot\\Valve', 'Own']) await site.alarms.send({ path });
    const [pump, valve, own] = [
      await site.alarms.send({ path: 'Pump', dataServerId: south }),
      await site.alarms.send({ path: 'Valve', dataServerId: south }),
      await site.alarms.send({ path: 'Only here', dataServerId: south }),
    ];
    assert.equal((await site.request('PUT', `/dataservers/${south}`, { name: 'Depot' })).status, 200);
    const names = await Promise.all([pump, valve, own].map(async (id) => (await site.alarms.get(id)).name));
    assert.deepEqual(names, ['Depot\\Pump', `Depot\\Valve #${valve}`, 'Only here']);
    assert.equal((await site.alarms.get(pump)).localizedName, 'Depot\\Pump');
    assert.deepEqual([await total(site, '?search=south'), await total(site, '?search=depot pump')], [0, 1]);
    await site.request('POST', `/alarms/${pump}/comments`, { comment: 'known' });
    for (const raised of [false, true]) await site.alarms.send({ path: 'Pump', dataServerId: south, raised });
    const entries = async (search: string): Promise<readonly unknown[]> => {
      const { items } = await site.alarms.histories(`?search=${search}`);
      return items.map(({ tagName }) => tagName);
    };
    assert.deepEqual(await entries('depot pump'), ['Depot\\Pump'], 'the new name begins with the next occurrence');
    assert.deepEqual(await entries('south pump known'), ['South\\Pump'], 'what was keeps its name');
  },
);

testOnAnyStore('an alarm is stored even if all three candidate names are in use', async (t, kind) => {
  const site = await startSite(t, kind);
  const south = await site.create('/dataservers', { name: 'South' });
  for (const path of ['Pump', 'South\\Pump', 'South\\Pump #4']) await site.alarms.send({ path });
  const id = await site.alarms.send({ path: 'Pump', dataServerId: south });
  assert.equal((await site.alarms.get(id)).fullPath, 'South\\Pump');
});

testOnStores(
  'an alarm without a path is stored even if its made-up name is in use on another data server',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const south = await site.create('/dataservers', { name: 'South' });
    await site.alarms.send({ path: 'alarm/5' });
    await site.alarms.send({ path: 'alarm/5-2', dataServerId: south });
    await site.alarms.send({ path: 'API\\alarm/5-2', dataServerId: south });
    const [fourth, fifth] = [
      await site.alarms.send({ alarmMessage: 'a' }),
      await site.alarms.send({ alarmMessage: 'b' }),
    ];
    assert.deepEqual([fourth, fifth], [4, 5]);
    const { path, name } = await site.alarms.get(fifth);
    assert.deepEqual([path, name], ['alarm/5-2', 'API\\alarm/5-2 #5']);
  },
);

testOnAnyStore('a path of 1,024 characters of any script identifies one alarm', async (t, kind) => {
  const site = await startSite(t, kind);
  const path = random4ByteText(1_024, 7);
  const id = await site.alarms.send({ path });
  assert.equal((await site.alarms.get(id)).path, path);
  assert.equal(await site.alarms.send({ path }), id);
  const other = `${path.slice(0, -2)}😀`;
  assert.notEqual(await site.alarms.send({ path: other }), id, 'the last character counts');
});

testOnAnyStore(
  'an alarm belongs to station 1 and its server API unless it names others that exist',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { stationId, dataServerId, priority, state } = await site.alarms.get(
      await site.alarms.send({ path: 'Here' }),
    );
    assert.deepEqual([stationId, dataServerId, priority, state], [1, 1, 3, 3]);
    const north = await site.create('/stations', { name: 'North' });
    const there = await site.alarms.get(await site.alarms.send({ path: 'Here', stationId: north }));
    assert.equal(there.stationId, north);
    assert.notEqual(there.dataServerId, 1, 'the built-in server of that station');
    assert.equal(there.fullPath, 'API\\Here');
    const group = await site.create('/taggroups', { name: 'Pumps' });
    assert.equal(
      (await site.alarms.get(await site.alarms.send({ path: 'Grouped', tagGroupId: group }))).tagGroupId,
      group,
    );
    assert.ok(!('tagGroupId' in there));

    for (const [body, field] of [
      [{ stationId: 99 }, 'stationId'],
      [{ dataServerId: 99 }, 'dataServerId'],
      [{ tagGroupId: 99 }, 'tagGroupId'],
      [{ stationId: 4_294_967_295 }, 'stationId'],
      [{ stationId: north, dataServerId: 1 }, 'stationId'],
    ] as const) {
      const { id, warnings } = await site.alarms.report({ path: 'Here', ...body });
      assert.match(warnings ?? '', new RegExp(`^${field}: `));
      assert.equal((await site.alarms.get(id)).stationId, 1);
    }
  },
);

testOnAnyStore('a station, data server or tag group with an alarm cannot be removed', async (t, kind) => {
  const site = await startSite(t, kind);
  const group = await site.create('/taggroups', { name: 'Pumps' });
  const server = await site.create('/dataservers', { name: 'South' });
  const north = await site.create('/stations', { name: 'North' });
  await site.alarms.send({ path: 'Pump', tagGroupId: group, dataServerId: server });
  await site.alarms.send({ path: 'Tank', stationId: north });
  for (const [path, name] of [
    [`taggroups/${group}`, 'Pump'],
    [`dataservers/${server}`, 'Pump'],
    [`stations/${north}`, 'Tank'],
  ] as const) {
    const refused = await site.request('DELETE', `/${path}`);
    assert.equal(refused.status, 409, `${path}: ${refused.text}`);
    assert.match((refused.body as { detail: string }).detail, new RegExp(`alarm \\d+ "${name}"`));
  }
});

testOnAnyStore('concurrent reports of one path create one alarm with one occurrence', async (t, kind) => {
  const site = await startSite(t, kind);
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, n) => site.alarms.send({ path: 'Flapping', value: String(n) })),
  );
  assert.equal(new Set(ids).size, 1);
  assert.deepEqual(
    [(await site.alarms.get(ids[0]!)).occurrences, await total(site, ''), await total(site, '/histories')],
    [1, 1, 1],
  );
});
