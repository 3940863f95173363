// Call groups and groupings called by request: each call is a temporary alarm.

import assert from 'node:assert/strict';
import type { Row } from '../../../harness/alarm-desk.ts';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('a grouping calls each of its groups once; the alarm is removed when it is taken', async (t, kind) => {
  const story = await startStory(t, kind);
  const [ana, bo, cy] = [await story.person('ana'), await story.person('bo'), await story.person('cy')];
  const pumps = await story.group('Pumps', [await story.team('Night', [ana], [cy])]);
  const heads = await story.group('Heads', [await story.team('Heads', [bo])]);
  const inner = await story.ask<number>('POST', '/callgroupgroupings', {
    name: 'In',
    stationId: 1,
    callGroupIds: [heads],
  });
  const outer = await story.ask<number>('POST', '/callgroupgroupings', {
    name: 'Out',
    stationId: 1,
    callGroupIds: [pumps, heads],
    groupingIds: [inner],
  });
  const body = { callGroupIds: [pumps], groupingIds: [outer], msgText: 'Leave the hall' };
  assert.equal(await story.ask<boolean>('POST', '/call/groups', body), true);
  await ana.isCalled(/^Leave the hall$/);
  await bo.isCalled(/^Leave the hall$/);
  await ana.declines();
  await cy.isCalled(/^Leave the hall$/);
  const { items } = await story.ask<{ items: readonly Row[] }>('GET', '/alarms');
  assert.equal(items.length, 2);
  await cy.takes();
  await bo.takes();
  assert.deepEqual((await story.ask<{ items: unknown[] }>('GET', '/alarms')).items, []);
  const { items: past } = await story.ask<{ items: readonly Row[] }>('GET', '/alarms/histories');
  assert.deepEqual(
    past.map(({ message, ackTime }) => [message, ackTime !== undefined]),
    [
      ['Leave the hall', true],
      ['Leave the hall', true],
    ],
  );
  assert.equal((await story.request('POST', '/call/groups', { callGroupIds: [99] })).status, 422);
  assert.equal((await story.request('POST', '/call/groups', { msgText: 'x' })).status, 422);
  assert.equal(await story.ask<boolean>('POST', '/call/groups', { callGroupIds: [heads, 99], msgText: 'x' }), false);
  await bo.isCalled(/^x$/);
});

testOnStores('the response is false if one group has nobody to call; the other groups are called', async (t, kind) => {
  const story = await startStory(t, kind);
  const [ana, bo] = [await story.person('ana'), await story.person('bo')];
  const off = await story.person('cem', { onDuty: false });
  const lost = await story.person('dee', { numbers: [voice('+33100000009', { valid: false })] });
  const day = await story.team('Day', [ana]);
  const scheduleId = await story.schedule(day, '12:05', '24:00');
  const pumps = await story.group('Pumps', [await story.team('Night', [bo])]);
  const groups = {
    'no teams': await story.group('No teams', []),
    'nobody on duty': await story.group('Off', [await story.team('Off', [off])]),
    'no number': await story.group('Lost', [await story.team('Lost', [lost])]),
    discarded: await story.group('Later', [day], { scheduleId, discardWhenNobodyOnCall: true }),
    'relief of nobody': await story.group('Relieved', [], {
      reliefGroupId: await story.group('Nobody', []),
    }),
  };
  const call = (callGroupIds: readonly number[], groupingIds: readonly number[] = []) =>
    story.ask<boolean>('POST', '/call/groups', { callGroupIds, groupingIds, msgText: 'x' });
  for (const [why, id] of Object.entries(groups)) assert.equal(await call([id]), false, why);
  assert.equal(await call([pumps, groups['no teams']]), false);
  await bo.isCalled(/^x$/);
  await bo.takes();
  const grouping = { name: 'All', stationId: 1, callGroupIds: [pumps, groups.discarded] };
  assert.equal(await call([], [await story.ask<number>('POST', '/callgroupgroupings', grouping)]), false);
  await bo.isCalled(/^x$/);
  await bo.takes();
  const relieved = await story.group('Empty', [], { reliefGroupId: pumps });
  assert.equal(await call([relieved]), true);
  await bo.isCalled(/^x$/);
  await bo.takes();
  assert.ok((await story.systemAlarms()).includes(`system/nobody-on-call/${groups.discarded}`));
  await story.expectWhatRings();
});
