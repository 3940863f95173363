// The tag is the identity of an alarm: which report creates or changes an alarm, its station and data server, and its
// name.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { dismissSystemAlarms } from '../../harness/alarm-desk.ts';
import { startTestApp } from '../../harness/app.ts';
import type { StoreName } from '../../harness/stores.ts';
import { testOnStores } from '../../harness/test-on-stores.ts';

type Row = Readonly<Record<string, unknown>>;
type List = { readonly items: readonly Row[]; readonly paging: { readonly total: number } };
type Problem = { readonly errors?: readonly { readonly field: string }[] };

async function desk(t: TestContext, kind: StoreName) {
  const app = await startTestApp(t, kind);
  const token = await app.signIn();
  const ask = (method: string, path: string, body?: unknown) => app.request(method, `/api/v1/${path}`, { token, body });
  const make = async (path: string, body: object): Promise<number> => {
    const answer = await ask('POST', path, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body as number;
  };
  const send = (body: object) => make('alarms', body);
  const alarm = async (id: number) => (await ask('GET', `alarms/${id}`)).body as Row;
  const total = async (query: string) => ((await ask('GET', `alarms${query}`)).body as List).paging.total;
  return { app, token, ask, make, send, alarm, total };
}

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

testOnStores(
  'a POST for an existing path changes that alarm: absent fields stay, present fields are replaced',
  async (t, kind) => {
    const { app, token, send, alarm, total } = await desk(t, kind);
    const id = await send(whole);
    const before = await alarm(id);
    assert.equal(await send({ path: whole.path }), id);
    assert.deepEqual(await alarm(id), before, 'nothing given, nothing changed');
    const nulls = Object.fromEntries(Object.keys(whole).map((field) => [field, null]));
    assert.equal(await send({ ...nulls, path: whole.path, stationId: null, eventCondition: null, raised: null }), id);
    assert.deepEqual(await alarm(id), before, 'null is absent');
    assert.equal(await send({ path: whole.path, stationId: 0, dataServerId: 0, tagGroupId: 0, priority: 0 }), id);
    assert.deepEqual(await alarm(id), before, 'in an id or a priority 0 is not given');
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
    assert.equal(await send({ path: whole.path, ...emptied }), id);
    const actions = { alarm: [], reset: [], ack: [] };
    assert.deepEqual(await alarm(id), {
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
    await dismissSystemAlarms(app, token);
    assert.equal(await total(''), 1);
  },
);

testOnStores('each POST without a path creates a new alarm with the path alarm/<id>', async (t, kind) => {
  const { ask, send, alarm } = await desk(t, kind);
  const ids = [await send({ alarmMessage: 'Help' }), await send({ alarmMessage: 'Help', path: '' })];
  ids.push(await send({ alarmMessage: 'Help', path: null }));
  assert.equal(new Set(ids).size, 3);
  for (const id of ids) {
    const { path, name, fullPath, message } = await alarm(id);
    assert.deepEqual([path, name, fullPath, message], [`alarm/${id}`, `alarm/${id}`, `API\\alarm/${id}`, 'Help']);
  }
  for (const body of [{}, { path: '' }, { path: '', alarmMessage: '' }, { alarmShortMessage: 'x' }, { path: null }]) {
    const answer = await ask('POST', 'alarms', body);
    assert.deepEqual([answer.status, (answer.body as Problem).errors?.[0]?.field], [400, 'path'], answer.text);
  }
});

testOnStores('an alarm without a path is stored even if another alarm uses the path alarm/<id>', async (t, kind) => {
  const { send, alarm } = await desk(t, kind);
  await send({ path: 'alarm/2' });
  const id = await send({ alarmMessage: 'Help' });
  assert.equal((await alarm(id)).message, 'Help');
});

testOnStores('the name is the path, else the full path, else the full path with the id', async (t, kind) => {
  const { make, send, alarm, ask } = await desk(t, kind);
  const south = await make('dataservers', { name: 'South' });
  const name = async (body: object) => (await alarm(await send(body))).name;
  assert.equal(await name({ path: 'Pump' }), 'Pump');
  assert.equal(await name({ path: 'Pump', dataServerId: south }), 'South\\Pump');
  assert.equal(await name({ path: 'South\\Valve' }), 'South\\Valve');
  assert.equal(await name({ path: 'Valve' }), 'Valve');
  const id = await send({ path: 'Valve', dataServerId: south });
  assert.equal((await alarm(id)).name, `South\\Valve #${id}`);
  assert.equal((await alarm(id)).fullPath, 'South\\Valve');
  assert.equal(await send({ path: 'Valve', dataServerId: south }), id, 'the path finds it, whatever its name');
  await ask('DELETE', 'alarms/1');
  assert.equal((await alarm(2)).name, 'South\\Pump', 'a name stays when another gets free');
  assert.equal(await name({ path: 'Pump' }), 'Pump');
});

testOnStores(
  'renaming a data server renames the alarms named after it; histories use it from the next raise on',
  async (t, kind) => {
    const { make, send, alarm, ask, total } = await desk(t, kind);
    const south = await make('dataservers', { name: 'South' });
    for (const path of ['Pump', 'Valve', 'Depot\\Valve', 'Own']) await send({ path });
    const [pump, valve, own] = [
      await send({ path: 'Pump', dataServerId: south }),
      await send({ path: 'Valve', dataServerId: south }),
      await send({ path: 'Only here', dataServerId: south }),
    ];
    assert.equal((await ask('PUT', `dataservers/${south}`, { name: 'Depot' })).status, 200);
    const names = await Promise.all([pump, valve, own].map(async (id) => (await alarm(id)).name));
    assert.deepEqual(names, ['Depot\\Pump', `Depot\\Valve #${valve}`, 'Only here']);
    assert.equal((await alarm(pump)).localizedName, 'Depot\\Pump');
    assert.deepEqual([await total('?search=south'), await total('?search=depot pump')], [0, 1]);
    await ask('POST', `alarms/${pump}/comments`, { comment: 'known' });
    for (const raised of [false, true]) await send({ path: 'Pump', dataServerId: south, raised });
    const entries = async (search: string): Promise<readonly unknown[]> => {
      const { items } = (await ask('GET', `alarms/histories?search=${search}`)).body as List;
      return items.map(({ tagName }) => tagName);
    };
    assert.deepEqual(await entries('depot pump'), ['Depot\\Pump'], 'the new name begins with the next occurrence');
    assert.deepEqual(await entries('south pump known'), ['South\\Pump'], 'what was keeps its name');
  },
);

testOnStores('an alarm is stored even if all three candidate names are in use', async (t, kind) => {
  const { make, send, alarm } = await desk(t, kind);
  const south = await make('dataservers', { name: 'South' });
  for (const path of ['Pump', 'South\\Pump', 'South\\Pump #4']) await send({ path });
  const id = await send({ path: 'Pump', dataServerId: south });
  assert.equal((await alarm(id)).fullPath, 'South\\Pump');
});

testOnStores('a path of 1,024 characters of any script identifies one alarm', async (t, kind) => {
  const { send, alarm } = await desk(t, kind);
  const path = random4ByteText(1_024, 7);
  const id = await send({ path });
  assert.equal((await alarm(id)).path, path);
  assert.equal(await send({ path }), id);
  const other = `${path.slice(0, -2)}😀`;
  assert.notEqual(await send({ path: other }), id, 'the last character counts');
});

testOnStores(
  'an alarm belongs to station 1 and its server API unless it names others, which must exist',
  async (t, kind) => {
    const { ask, make, send, alarm, total } = await desk(t, kind);
    const { stationId, dataServerId, priority, state } = await alarm(await send({ path: 'Here' }));
    assert.deepEqual([stationId, dataServerId, priority, state], [1, 1, 3, 3]);
    const north = await make('stations', { name: 'North' });
    const there = await alarm(await send({ path: 'Here', stationId: north }));
    assert.equal(there.stationId, north);
    assert.notEqual(there.dataServerId, 1, 'the built-in server of that station');
    assert.equal(there.fullPath, 'API\\Here');
    const group = await make('taggroups', { name: 'Pumps' });
    assert.equal((await alarm(await send({ path: 'Grouped', tagGroupId: group }))).tagGroupId, group);
    assert.ok(!('tagGroupId' in there));

    const before = (await total('')) + (await total('?alarmState=0'));
    for (const [body, field] of [
      [{ stationId: 99 }, 'stationId'],
      [{ dataServerId: 99 }, 'dataServerId'],
      [{ tagGroupId: 99 }, 'tagGroupId'],
      [{ stationId: 4_294_967_295 }, 'stationId'],
      [{ stationId: north, dataServerId: 1 }, 'dataServerId'],
    ] as const) {
      for (const path of ['New', 'Here']) {
        const answer = await ask('POST', 'alarms', { path, ...body });
        assert.deepEqual([answer.status, (answer.body as Problem).errors?.[0]?.field], [422, field], answer.text);
      }
    }
    assert.equal((await total('')) + (await total('?alarmState=0')), before);
  },
);

testOnStores('a station, data server or tag group with an alarm cannot be removed', async (t, kind) => {
  const { ask, make, send } = await desk(t, kind);
  const group = await make('taggroups', { name: 'Pumps' });
  const server = await make('dataservers', { name: 'South' });
  const north = await make('stations', { name: 'North' });
  await send({ path: 'Pump', tagGroupId: group, dataServerId: server });
  await send({ path: 'Tank', stationId: north });
  for (const [path, name] of [
    [`taggroups/${group}`, 'Pump'],
    [`dataservers/${server}`, 'Pump'],
    [`stations/${north}`, 'Tank'],
  ] as const) {
    const refused = await ask('DELETE', path);
    assert.equal(refused.status, 409, `${path}: ${refused.text}`);
    assert.match((refused.body as { detail: string }).detail, new RegExp(`alarm \\d+ "${name}"`));
  }
});

testOnStores('concurrent reports of one path create one alarm with one occurrence', async (t, kind) => {
  const { send, alarm, total } = await desk(t, kind);
  const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => send({ path: 'Flapping', value: String(n) })));
  assert.equal(new Set(ids).size, 1);
  assert.deepEqual([(await alarm(ids[0]!)).occurrences, await total(''), await total('/histories')], [1, 1, 1]);
});
