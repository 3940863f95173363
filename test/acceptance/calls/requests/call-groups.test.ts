// Call groups and groupings called by request: each call is a temporary alarm.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import type { Row } from '../../../harness/site/site-caller.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a grouping calls each of its groups once; the alarm is removed when it is taken', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo, cy] = [await site.person('ana'), await site.person('bo'), await site.person('cy')];
  const pumps = await site.group('Pumps', [await site.team('Night', [ana], [cy])]);
  const heads = await site.group('Heads', [await site.team('Heads', [bo])]);
  const inner = await site.create('/callgroupgroupings', {
    name: 'In',
    stationId: 1,
    callGroupIds: [heads],
  });
  const outer = await site.create('/callgroupgroupings', {
    name: 'Out',
    stationId: 1,
    callGroupIds: [pumps, heads],
    groupingIds: [inner],
  });
  const body = { callGroupIds: [pumps], groupingIds: [outer], msgText: 'Leave the hall' };
  assert.equal(await site.ask<boolean>('POST', '/call/groups', body), true);
  await ana.isCalled(/^Leave the hall$/);
  await bo.isCalled(/^Leave the hall$/);
  await ana.declines();
  await cy.isCalled(/^Leave the hall$/);
  const { items } = await site.ask<{ items: readonly Row[] }>('GET', '/alarms');
  assert.equal(items.length, 2);
  await cy.takes();
  await bo.takes();
  assert.deepEqual((await site.ask<{ items: unknown[] }>('GET', '/alarms')).items, []);
  const { items: past } = await site.ask<{ items: readonly Row[] }>('GET', '/alarms/histories');
  assert.deepEqual(
    past.map(({ message, ackTime }) => [message, ackTime !== undefined]),
    [
      ['Leave the hall', true],
      ['Leave the hall', true],
    ],
  );
  assert.equal(await site.ask<boolean>('POST', '/call/groups', { callGroupIds: [99] }), false);
  assert.equal((await site.request('POST', '/call/groups', { msgText: 'x' })).status, 422);
  // Their numbers rest after a ring, whatever it was for.
  await site.advance('2m');
  assert.equal(await site.ask<boolean>('POST', '/call/groups', { callGroupIds: [heads, 99], msgText: 'x' }), false);
  await bo.isCalled(/^x$/);
});

testOnAnyStore(
  'the response is false if one group has nobody to call; the other groups are called',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [ana, bo] = [await site.person('ana'), await site.person('bo')];
    const off = await site.person('cem', { onDuty: false });
    const lost = await site.person('dee', { numbers: [voice('+33100000009', { valid: false })] });
    const day = await site.team('Day', [ana]);
    const scheduleId = await site.schedule(day, '12:05', '24:00');
    const pumps = await site.group('Pumps', [await site.team('Night', [bo])]);
    const groups = {
      'no teams': await site.group('No teams', []),
      'nobody on duty': await site.group('Off', [await site.team('Off', [off])]),
      'no number': await site.group('Lost', [await site.team('Lost', [lost])]),
      discarded: await site.group('Later', [day], { scheduleId, discardWhenNobodyOnCall: true }),
      'relief of nobody': await site.group('Relieved', [], {
        reliefGroupId: await site.group('Nobody', []),
      }),
    };
    const call = (callGroupIds: readonly number[], groupingIds: readonly number[] = []) =>
      site.ask<boolean>('POST', '/call/groups', { callGroupIds, groupingIds, msgText: 'x' });
    for (const [why, id] of Object.entries(groups)) assert.equal(await call([id]), false, why);
    assert.equal(await call([pumps, groups['no teams']]), false);
    await bo.isCalled(/^x$/);
    await bo.takes();
    // His number rests after a ring, whatever it was for.
    await site.advance('2m');
    const grouping = { name: 'All', stationId: 1, callGroupIds: [pumps, groups.discarded] };
    assert.equal(await call([], [await site.create('/callgroupgroupings', grouping)]), false);
    await bo.isCalled(/^x$/);
    await bo.takes();
    await site.advance('2m');
    const relieved = await site.group('Empty', [], { reliefGroupId: pumps });
    assert.equal(await call([relieved]), true);
    await bo.isCalled(/^x$/);
    await bo.takes();
    assert.ok((await site.systemAlarms()).includes(`system/nobody-on-call/${groups.discarded}`));
    await site.expectWhatRings();
  },
);
