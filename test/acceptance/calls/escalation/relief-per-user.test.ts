// With `reliefMode: 'perUser'` each person who was not reached is replaced by one relief.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore(
  'one person who is not reached calls one relief, one who declines none; when all have heard it, the others are called',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [ana, bo, ed, cy, di] = [
      await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] }),
      await site.person('bo'),
      await site.person('ed'),
      await site.person('cy'),
      await site.person('di'),
    ];
    const group = await site.group('Pumps', [await site.team('Night', [ana, bo, ed], [cy, di])], {
      reliefMode: 'perUser',
    });
    await site.alarms.raise(group, { priority: 3 });
    await ana.isCalled();
    await bo.isCalled();
    await cy.isNotCalled();
    await ed.isCalled();
    await ed.declines();
    await cy.isNotCalled();
    await ana.hangsUp();
    await cy.isCalled();
    await di.isNotCalled();
    await bo.hears();
    await cy.isCalled();
    await di.isCalled();
    await di.takes();
    await site.advance('1h');
    const called = (await site.callHistories()).map(({ user }) => user);
    assert.deepEqual(called, ['ana', 'bo', 'ed', 'cy', 'di']);
  },
);
