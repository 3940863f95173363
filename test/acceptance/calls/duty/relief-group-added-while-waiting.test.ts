// A call that waits because nobody is on call, and whose group gets a relief group meanwhile.

import { startSite } from '../../../harness/site/site.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

testOnStores('a relief group that is entered while nobody is on call is called at once', async (t, kind) => {
  const site = await startSite(t, kind);
  const bo = await site.person('bo');
  const relief = await site.group('Relief', [await site.team('Day', [bo])]);
  const group = await site.group('Pumps', []);
  await site.alarms.raise(group, { priority: 1 });
  await site.admin.isCalled(/^Nobody has taken this: /);
  await site.admin.hears();
  await site.advance('1m');
  await bo.isNotCalled();
  const body = { name: 'Pumps', stationId: 1, teamIds: [], reliefGroupId: relief };
  await site.ask('PUT', `/callgroups/${group}`, body);
  // The clock stands still: nothing but the change can have woken the call.
  await bo.isCalled(/Pump1/);
  await bo.takes();
  await site.expectWhatRings();
});
