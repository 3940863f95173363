// Scenarios: actions that run with those of alarms, and the stations and tag groups they are attached to.

import assert from 'node:assert/strict';
import { startSite } from '../../harness/site/site.ts';
import { detail, names, type Row, refusal } from '../../harness/site/site-caller.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

const editorScopes = ['directory:read', 'directory:write', 'alarms:ack'];

const lastChange = '2026-11-15T12:00:00.000';

testOnAnyStore('a scenario is created, read, replaced and removed', async (t, kind) => {
  const site = await startSite(t, kind);
  const group = await site.create('/callgroups', { name: 'Pumps' });
  const alarmActions = [{ type: 'callgroup', id: group, parameter: '30' }, { type: 'PlaySound' }];
  const id = await site.create('/scenarios', { name: 'Fire', alarmActions });
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
  assert.deepEqual(await site.ask('GET', `/scenarios/${id}`), scenario);
  assert.deepEqual((await site.request('PUT', `/scenarios/${id}`, scenario)).body, scenario);
  const moved = (await site.request('PUT', `/scenarios/${id}`, { name: 'Fire', stationId: 1 })).body as Row;
  assert.deepEqual([moved.stationId, moved.alarmActions], [1, []]);
  assert.deepEqual(names(await site.request('GET', '/scenarios?stationId=1&search=fi')), ['Fire']);
  assert.equal((await site.request('POST', '/scenarios', { name: 'Fire' })).status, 409);
  assert.equal((await site.request('DELETE', `/scenarios/${id}`)).status, 200);
  assert.equal((await site.request('GET', `/scenarios/${id}`)).status, 404);
});

testOnAnyStore('a scenario with an unknown action type or target is refused', async (t, kind) => {
  const site = await startSite(t, kind);
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
    assert.deepEqual(refusal(await site.request('POST', '/scenarios', { name: 'X', ...fields })), [422, field]);
  }
  assert.deepEqual(names(await site.request('GET', '/scenarios')), []);
});

testOnAnyStore('a scenario attached to a station or tag group cannot be removed', async (t, kind) => {
  const site = await startSite(t, kind);
  const [fire, flood] = [
    await site.create('/scenarios', { name: 'Fire' }),
    await site.create('/scenarios', { name: 'Flood' }),
  ];
  const station = await site.create('/stations', { name: 'North', scenarioIds: [flood, fire] });
  const group = await site.create('/taggroups', { name: 'Pumps', scenarioIds: [fire] });
  assert.deepEqual((await site.ask('GET', `/stations/${station}`)).scenarioIds, [fire, flood]);
  assert.deepEqual((await site.ask('GET', '/stations/1')).scenarioIds, []);
  const renamed = await site.request('PUT', `/stations/${station}`, { name: 'Far north' });
  assert.deepEqual((renamed.body as Row).scenarioIds, [fire, flood], 'not given, they stay');
  const narrowed = await site.request('PUT', `/scenarios/${fire}`, { name: 'Fire', stationId: 1 });
  assert.deepEqual(refusal(narrowed), [422, 'stationId'], 'another station has it');
  const refused = await site.request('DELETE', `/scenarios/${fire}`);
  assert.equal(refused.status, 409);
  assert.match(detail(refused), /station \d+ "Far north", tag group \d+ "Pumps"/);
  const detached = await site.request('PUT', `/stations/${station}`, { name: 'Far north', scenarioIds: [] });
  assert.deepEqual((detached.body as Row).scenarioIds, []);
  assert.equal((await site.request('DELETE', `/scenarios/${flood}`)).status, 200);
  assert.equal(
    (await site.request('DELETE', `/taggroups/${group}`)).status,
    200,
    'an attachment goes with what has it',
  );
  assert.equal((await site.request('DELETE', `/scenarios/${fire}`)).status, 200);
  const northern = await site.create('/scenarios', { name: 'Northern', stationId: station });
  const foreign = { name: 'Main', scenarioIds: [northern] };
  assert.deepEqual(
    refusal(await site.request('PUT', '/stations/1', foreign)),
    [422, 'scenarioIds[0]'],
    'of another station',
  );
  assert.equal((await site.request('PUT', `/stations/${station}`, { ...foreign, name: 'Far north' })).status, 200);
  const unknown = await site.request('PUT', '/stations/1', { name: 'Main', scenarioIds: [77] });
  assert.deepEqual(refusal(unknown), [422, 'scenarioIds[0]']);
});

testOnAnyStore('a bound caller sees scenarios of its and all stations, and changes only its own', async (t, kind) => {
  const site = await startSite(t, kind);
  const [north, south] = [
    await site.create('/stations', { name: 'North' }),
    await site.create('/stations', { name: 'South' }),
  ];
  const ofAll = await site.create('/scenarios', { name: 'All' });
  const southern = await site.create('/scenarios', { name: 'Southern', stationId: south });
  const asNorth = await site.as(await site.keyFor(editorScopes, [north]));
  const own = await asNorth.request('POST', '/scenarios', { name: 'Northern', stationId: north });
  assert.equal(own.status, 200, own.text);
  assert.deepEqual(names(await asNorth.request('GET', '/scenarios')), ['All', 'Northern']);
  assert.deepEqual(refusal(await asNorth.request('POST', '/scenarios', { name: 'X' })), [422, 'stationId']);
  assert.deepEqual(refusal(await asNorth.request('PUT', `/scenarios/${own.body}`, { name: 'X' })), [422, 'stationId']);
  const taken = { name: 'X', stationId: north };
  assert.equal((await asNorth.request('PUT', `/scenarios/${ofAll}`, taken)).status, 422);
  assert.equal((await asNorth.request('DELETE', `/scenarios/${ofAll}`)).status, 422);
  assert.equal((await asNorth.request('PUT', `/scenarios/${southern}`, taken)).status, 404);
  assert.equal((await asNorth.request('PUT', `/scenarios/${own.body}`, taken)).status, 200);
});

testOnAnyStore('a scenario of a tag group applies to its alarms of every station', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const stationId = await site.create('/stations', { name: 'North' });
  const alarmActions = [{ type: 'CallGroup', id: group }];
  const scenario = await site.create('/scenarios', { name: 'Fire', stationId, alarmActions });
  const tagGroup = { name: 'Boilers', stationId, scenarioIds: [scenario] };
  const tagGroupId = await site.create('/taggroups', tagGroup);
  await site.alarms.raise(group, { alarmActions: [], tagGroupId });
  await ana.isCalled(/Pump1/);
  const listed = await site.ask<{ paging: { total: number } }>('GET', `/alarms?scenarioId=${scenario}`);
  assert.equal(listed.paging.total, 1);
});
