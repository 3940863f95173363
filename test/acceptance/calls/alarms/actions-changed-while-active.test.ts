// An active alarm is sent again with other actions: those it newly names are called, unless it has returned to normal, and those it
// names no more are not called on.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore(
  'a call action added to an active alarm calls at once, and the auditor raises no system alarm for it',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    await site.alarms.raise(group, { alarmActions: [] });
    await ana.isNotCalled();
    await site.alarms.raise(group);
    await ana.isCalled();
    await site.advance('2m');
    assert.ok(!(await site.systemAlarms()).includes('system/auditor'));
    await site.expectWhatRings();
  },
);

testOnAnyStore('a report of the return to normal calls nobody, whatever actions it contains', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { alarmActions: [] });
  await site.alarms.raise(group, { raised: false });
  await ana.isNotCalled();
  await site.alarms.raise(group);
  await ana.isCalled();
});

testOnStores(
  'a report that names another group while the alarm is raised calls that one, and the former no longer',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [ana, bo, cy] = [await site.person('ana'), await site.person('bo'), await site.person('cy')];
    const reliefGroupId = await site.group('Relief', [await site.team('Day', [bo])]);
    const former = await site.group('Pumps', [await site.team('Night', [ana])], { reliefGroupId });
    const other = await site.group('Fitters', [await site.team('Fitters', [cy])]);
    const alarm = await site.alarms.raise(former, { priority: 2 });
    await ana.isCalled();
    await site.alarms.raise(other, { priority: 2 });
    await cy.isCalled();
    await ana.isCalled();
    const { items } = await site.list('/calls?limit=10');
    assert.deepEqual(
      items.map(({ name }) => name),
      ['Fitters'],
    );
    await site.advance('30s');
    await ana.isNotCalled();
    await site.advance('45m');
    await site.expectWhatRings();
    const rows = await site.callHistories(`&alarmId=${alarm}`);
    assert.deepEqual(new Set(rows.map(({ user }) => user)), new Set(['ana', 'cy', 'admin']));
    assert.equal(rows.filter(({ user }) => user === 'ana').length, 1);
    assert.ok(!(await site.activeSystemAlarms()).includes(`system/nobody-took-it/group/${former}`));
    const timeline = await site.ask('GET', `/alarms/${alarm}/timeline`);
    assert.match(JSON.stringify(timeline), /the alarm names somebody else now/);
  },
);

testOnStores(
  'a report that names nobody any more ends the calling; a ring goes on, and its keys count',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [ana, bo] = [await site.person('ana'), await site.person('bo')];
    const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])]);
    const alarmActions = [
      { type: 'CallGroup', id: group },
      { type: 'CallUser', id: bo.id, parameter: '600' },
    ];
    const alarm = await site.alarms.raise(group, { priority: 2, alarmActions });
    await ana.isCalled();
    await site.alarms.raise(group, { priority: 2, alarmActions: [] });
    await site.advance('29s');
    await ana.takes();
    assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
    await site.alarms.returnsToNormal();
    await site.advance('2m');
    await site.alarms.raise(group, { priority: 2, alarmActions });
    await ana.isCalled();
    await ana.hangsUp();
    await site.alarms.raise(group, { priority: 2, alarmActions: [] });
    await site.advance('1h');
    for (const person of [ana, bo, site.admin]) await person.isNotCalled();
    assert.deepEqual((await site.list('/calls?limit=10')).items, []);
    assert.deepEqual(await site.activeSystemAlarms(), []);
  },
);

testOnStores('who is named by both reports is called on, and only the delayed of them no longer', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const both = [
    { type: 'CallGroup', id: group },
    { type: 'CallUser', id: bo.id, parameter: '60' },
  ];
  await site.alarms.raise(group, { priority: 3, alarmActions: both });
  await ana.isCalled();
  await site.alarms.raise(group, { priority: 3, alarmActions: both.slice(0, 1) });
  await ana.isCalled();
  await site.advance('10m');
  assert.equal((await site.callHistories(`&userId=${bo.id}`)).length, 0);
  assert.ok((await site.callHistories(`&userId=${ana.id}`)).length >= 1);
  await site.expectWhatRings();
});
