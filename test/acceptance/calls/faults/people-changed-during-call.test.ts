// People, numbers and groups are changed or removed while they are being called.

import assert from 'node:assert/strict';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('a removed number is not called again; the number that replaces it is', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 5, timeToRetry: 60 })] });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  await story.raise(group);
  assert.equal((await ana.isCalled()).address, '+33100000001');
  await story.ask('PUT', `/users/${ana.id}`, { name: 'ana', numbers: [voice('+33600000001')] });
  await story.advance('30s');
  assert.equal((await ana.isCalled()).address, '+33600000001');
  await ana.takes();
});

testOnStores('a removed user is not called again, and the relief is called', async (t, kind) => {
  const story = await startStory(t, kind);
  const numbers = [voice('+33100000001', { countTry: 5, timeToRetry: 60 })];
  const [ana, bo, cy] = [await story.person('ana', { numbers }), await story.person('bo'), await story.person('cy')];
  const team = await story.team('Night', [ana], [bo]);
  const group = await story.group('Pumps', [team]);
  await story.raise(group);
  await ana.isCalled();
  await story.advance('30s');
  assert.equal((await story.request('DELETE', `/users/${ana.id}`)).status, 409);
  const members = [
    { userId: cy.id, relief: false },
    { userId: bo.id, relief: true },
  ];
  await story.ask('PUT', `/teams/${team}`, { name: 'Night', members });
  await story.ask('DELETE', `/users/${ana.id}`);
  await story.advance('60s');
  await ana.isNotCalled();
  await bo.isCalled(/Pump1/);
  assert.equal((await story.histories(`&userId=${ana.id}`)).length, 1);
});

testOnStores('a relief group changed during the call is used as changed', async (t, kind) => {
  const story = await startStory(t, kind);
  const [ana, bo, cy] = [await story.person('ana'), await story.person('bo'), await story.person('cy')];
  const [first, second] = [
    await story.group('First', [await story.team('First', [bo])]),
    await story.group('Second', [await story.team('Second', [cy])]),
  ];
  const teamIds = [await story.team('Night', [ana])];
  const group = await story.group('Pumps', teamIds, { reliefGroupId: first });
  await story.raise(group);
  await ana.isCalled();
  await story.ask('PUT', `/callgroups/${group}`, { name: 'Pumps', stationId: 1, teamIds, reliefGroupId: second });
  await ana.declines();
  await cy.isCalled(/Pump1/);
  await bo.isNotCalled();
});
