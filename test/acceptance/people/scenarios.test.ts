// Scenarios: actions that run with those of alarms, and the stations and tag groups they are attached to.

import assert from 'node:assert/strict';
import { callingDesk, detail, names, type Row, refusal } from '../../harness/calling-desk.ts';
import { testOnStores } from '../../harness/test-on-stores.ts';

const lastChange = '2026-11-15T12:00:00.000';

testOnStores('a scenario is created, read, replaced and removed', async (t, kind) => {
  const { ask, make, get } = await callingDesk(t, kind);
  const group = await make('callgroups', { name: 'Pumps' });
  const alarmActions = [{ type: 'callgroup', id: group, parameter: '30' }, { type: 'PlaySound' }];
  const id = await make('scenarios', { name: 'Fire', alarmActions });
  const scenario = {
    id,
    name: 'Fire',
    stationId: null,
    alarmActions: [
      { id: group, type: 'CallGroup', scriptId: 0, parameter: '30', flags: 0 },
      { id: 0, type: 'PlaySound', scriptId: 0, parameter: '', flags: 0 },
    ],
    resetActions: [],
    ackActions: [],
    lastChange,
  };
  assert.deepEqual(await get(`scenarios/${id}`), scenario);
  assert.deepEqual((await ask('PUT', `scenarios/${id}`, scenario)).body, scenario);
  const moved = (await ask('PUT', `scenarios/${id}`, { name: 'Fire', stationId: 1 })).body as Row;
  assert.deepEqual([moved.stationId, moved.alarmActions], [1, []]);
  assert.deepEqual(names(await ask('GET', 'scenarios?stationId=1&search=fi')), ['Fire']);
  assert.equal((await ask('POST', 'scenarios', { name: 'Fire' })).status, 409);
  assert.equal((await ask('DELETE', `scenarios/${id}`)).status, 200);
  assert.equal((await ask('GET', `scenarios/${id}`)).status, 404);
});

testOnStores('a scenario with an unknown action type or target is refused', async (t, kind) => {
  const { ask } = await callingDesk(t, kind);
  for (const [fields, field] of [
    [{ alarmActions: [{ type: 'CallGroup', id: 77 }] }, 'alarmActions[0].id'],
    [
      {
        resetActions: [
          { type: 'CallUser', id: 1 },
          { type: 'CallUser', id: 77 },
        ],
      },
      'resetActions[1].id',
    ],
    [{ ackActions: [{ type: 'Dance' }] }, 'ackActions[0].type'],
    [{ stationId: 77 }, 'stationId'],
  ] as const) {
    assert.deepEqual(refusal(await ask('POST', 'scenarios', { name: 'X', ...fields })), [422, field]);
  }
  assert.deepEqual(names(await ask('GET', 'scenarios')), []);
});

testOnStores('a scenario attached to a station or tag group cannot be removed', async (t, kind) => {
  const { ask, make, get } = await callingDesk(t, kind);
  const [fire, flood] = [await make('scenarios', { name: 'Fire' }), await make('scenarios', { name: 'Flood' })];
  const station = await make('stations', { name: 'North', scenarioIds: [flood, fire] });
  const group = await make('taggroups', { name: 'Pumps', scenarioIds: [fire] });
  assert.deepEqual((await get(`stations/${station}`)).scenarioIds, [fire, flood]);
  assert.deepEqual((await get('stations/1')).scenarioIds, []);
  const renamed = await ask('PUT', `stations/${station}`, { name: 'Far north' });
  assert.deepEqual((renamed.body as Row).scenarioIds, [fire, flood], 'not given, they stay');
  const narrowed = await ask('PUT', `scenarios/${fire}`, { name: 'Fire', stationId: 1 });
  assert.deepEqual(refusal(narrowed), [422, 'stationId'], 'another station has it');
  const refused = await ask('DELETE', `scenarios/${fire}`);
  assert.equal(refused.status, 409);
  assert.match(detail(refused), /station \d+ "Far north", tag group \d+ "Pumps"/);
  const detached = await ask('PUT', `stations/${station}`, { name: 'Far north', scenarioIds: [] });
  assert.deepEqual((detached.body as Row).scenarioIds, []);
  assert.equal((await ask('DELETE', `scenarios/${flood}`)).status, 200);
  assert.equal((await ask('DELETE', `taggroups/${group}`)).status, 200, 'an attachment goes with what has it');
  assert.equal((await ask('DELETE', `scenarios/${fire}`)).status, 200);
  const northern = await make('scenarios', { name: 'Northern', stationId: station });
  const foreign = { name: 'Main', scenarioIds: [northern] };
  assert.deepEqual(refusal(await ask('PUT', 'stations/1', foreign)), [422, 'scenarioIds[0]'], 'of another station');
  assert.equal((await ask('PUT', `stations/${station}`, { ...foreign, name: 'Far north' })).status, 200);
  const unknown = await ask('PUT', 'stations/1', { name: 'Main', scenarioIds: [77] });
  assert.deepEqual(refusal(unknown), [422, 'scenarioIds[0]']);
});

testOnStores('a bound caller sees scenarios of its and all stations, and changes only its own', async (t, kind) => {
  const { make, bound } = await callingDesk(t, kind);
  const [north, south] = [await make('stations', { name: 'North' }), await make('stations', { name: 'South' })];
  const ofAll = await make('scenarios', { name: 'All' });
  const southern = await make('scenarios', { name: 'Southern', stationId: south });
  const asNorth = await bound(north);
  const own = await asNorth('POST', 'scenarios', { name: 'Northern', stationId: north });
  assert.equal(own.status, 200, own.text);
  assert.deepEqual(names(await asNorth('GET', 'scenarios')), ['All', 'Northern']);
  assert.deepEqual(refusal(await asNorth('POST', 'scenarios', { name: 'X' })), [422, 'stationId']);
  assert.deepEqual(refusal(await asNorth('PUT', `scenarios/${own.body}`, { name: 'X' })), [422, 'stationId']);
  const taken = { name: 'X', stationId: north };
  assert.equal((await asNorth('PUT', `scenarios/${ofAll}`, taken)).status, 422);
  assert.equal((await asNorth('DELETE', `scenarios/${ofAll}`)).status, 422);
  assert.equal((await asNorth('PUT', `scenarios/${southern}`, taken)).status, 404);
  assert.equal((await asNorth('PUT', `scenarios/${own.body}`, taken)).status, 200);
});
