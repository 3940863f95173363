// A person off duty is skipped; a replaced person's stand-in is called.

import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore("a person off duty is skipped, and a replaced person's stand-in is called", async (t, kind) => {
  const site = await startSite(t, kind);
  const [bo, cy] = [await site.person('bo'), await site.person('cy')];
  const ana = await site.person('ana', { replacedById: bo.id });
  const off = await site.person('dan', { onDuty: false });
  const group = await site.group('Pumps', [await site.team('Night', [ana, off, cy])]);
  await site.alarms.raise(group);
  await bo.isCalled(/Pump1/);
  await cy.isCalled(/Pump1/);
  await ana.isNotCalled();
  await off.isNotCalled();
  await bo.takes();
  await cy.isNotCalled();
});
