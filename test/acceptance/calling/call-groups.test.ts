// Groups and groupings are called by request: each by a temporary alarm, as any other is called for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Row } from '../../harness/alarm-desk.ts';
import { storesUnderTest } from '../../harness/stores.ts';
import { startStory } from '../../harness/story.ts';

for (const kind of storesUnderTest()) {
  test(`${kind}: a grouping calls each of its groups once, and the alarm goes when it is taken`, async (t) => {
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
}
