// People, numbers and groups are changed or removed while they are being called.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

testOnStores('a removed number is not called again; the number that replaces it is', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 5, timeToRetry: 60 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group);
  assert.equal((await ana.isCalled()).address, '+33100000001');
  await site.ask('PUT', `/users/${ana.id}`, { name: 'ana', numbers: [voice('+33600000001')] });
  // The phone that is removed stops, and the one that replaces it rings at once.
  assert.equal((await ana.isCalled()).address, '+33600000001');
  const removed = (await ana.messages()).filter(({ address }) => address === '+33100000001');
  assert.deepEqual(
    removed.map(({ state }) => state),
    ['ended'],
  );
  await site.advance('10m');
  await site.expectWhatRings();
  const rings = (await ana.messages()).filter(({ address }) => address === '+33100000001');
  assert.equal(rings.length, 1, 'the removed number is not called again');
});

testOnStores('a removed user is not called again; who has the duty now is called, then the relief', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [voice('+33100000001', { countTry: 5, timeToRetry: 60 })];
  const [ana, bo, cy] = [await site.person('ana', { numbers }), await site.person('bo'), await site.person('cy')];
  const team = await site.team('Night', [ana], [bo]);
  const group = await site.group('Pumps', [team]);
  await site.alarms.raise(group);
  await ana.isCalled();
  await site.advance('30s');
  assert.equal((await site.request('DELETE', `/users/${ana.id}`)).status, 409);
  const members = [
    { userId: cy.id, relief: false },
    { userId: bo.id, relief: true },
  ];
  await site.ask('PUT', `/teams/${team}`, { name: 'Night', members });
  await site.ask('DELETE', `/users/${ana.id}`);
  await cy.isCalled(/Pump1/);
  await site.advance('20s');
  await ana.isNotCalled();
  await cy.isCalled(/Pump1/);
  await bo.isNotCalled();
  await cy.declines();
  await bo.isCalled(/Pump1/);
  assert.equal((await site.callHistories(`&userId=${ana.id}`)).length, 1);
});

testOnStores(
  'a person removed in the middle of a call, or whose number is, takes nothing by its keys',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [ana, bo, cy] = [await site.person('ana'), await site.person('bo'), await site.person('cy')];
    const team = await site.team('Night', [ana, bo, cy]);
    const alarm = await site.alarms.raise(await site.group('Pumps', [team]));
    for (const person of [ana, bo, cy]) await person.isCalled();
    for (const person of [ana, bo]) await person.answers('1');
    await site.ask('PUT', `/teams/${team}`, { name: 'Night', members: [{ userId: bo.id }, { userId: cy.id }] });
    await site.ask('DELETE', `/users/${ana.id}`);
    await site.ask('PUT', `/users/${bo.id}`, { name: 'bo', role: 'operator', numbers: [voice('+33600000009')] });
    for (const person of [ana, bo])
      assert.equal(await person.press('1'), 'You are no longer called here. Nothing was changed. Goodbye.');
    assert.deepEqual([(await site.alarms.get(alarm)).state, (await site.alarms.get(alarm)).ackUser], [3, '']);
    await cy.takes();
    assert.equal((await site.alarms.get(alarm)).ackUser, 'cy');
  },
);

testOnStores('a relief group changed during the call is used as changed', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo, cy] = [await site.person('ana'), await site.person('bo'), await site.person('cy')];
  const [first, second] = [
    await site.group('First', [await site.team('First', [bo])]),
    await site.group('Second', [await site.team('Second', [cy])]),
  ];
  const teamIds = [await site.team('Night', [ana])];
  const group = await site.group('Pumps', teamIds, { reliefGroupId: first });
  await site.alarms.raise(group);
  await ana.isCalled();
  await site.ask('PUT', `/callgroups/${group}`, { name: 'Pumps', stationId: 1, teamIds, reliefGroupId: second });
  await ana.declines();
  await cy.isCalled(/Pump1/);
  await bo.isNotCalled();
});

testOnStores('a number whose address is changed while it rings stops, and the new one is called', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 2, timeToRetry: 30 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group);
  assert.equal((await ana.isCalled()).address, '+33100000001');
  const user = await site.ask<{ numbers: { address: string }[] }>('GET', `/users/${ana.id}`);
  const numbers = user.numbers.map((number) => ({ ...number, address: '+33100000002' }));
  await site.ask('PUT', `/users/${ana.id}`, { ...user, numbers });
  await site.settle();
  assert.equal((await site.callHistories())[0]?.outcome, 'cancelled');
  await site.advance('30s');
  assert.equal((await ana.isCalled()).address, '+33100000002');
  await site.expectWhatRings();
});
