// With `reliefMode: 'perUser'` each person who was not reached is replaced by one relief.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore(
  'one person who declines calls one relief; when all have heard it, the others are called',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [ana, bo, cy, di] = [
      await site.person('ana'),
      await site.person('bo'),
      await site.person('cy'),
      await site.person('di'),
    ];
    const group = await site.group('Pumps', [await site.team('Night', [ana, bo], [cy, di])], {
      reliefMode: 'perUser',
    });
    await site.alarms.raise(group, { priority: 3 });
    await ana.isCalled();
    await bo.isCalled();
    await cy.isNotCalled();
    await ana.declines();
    await cy.isCalled();
    await di.isNotCalled();
    await bo.hears();
    await di.isNotCalled();
    await cy.hears();
    await di.isCalled();
    await di.takes();
    await site.advance('1h');
    const called = (await site.callHistories()).map(({ user }) => user);
    assert.deepEqual(called, ['ana', 'bo', 'cy', 'di']);
  },
);
