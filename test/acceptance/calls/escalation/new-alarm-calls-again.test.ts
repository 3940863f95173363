// A new alarm: those who have heard of the one before are called again, unless the setting says otherwise.

import { startSite } from '../../../harness/site.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('who has heard is called again at once and told of both', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  await site.alarms.raise(group);
  await ana.isCalled();
  await bo.isCalled();
  await ana.hears();
  await ana.isNotCalled();
  await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second' });
  await ana.isCalled(/^1 of 2: Pump1 is too hot\n2 of 2: second$/);
  await bo.isCalled(/^Pump1 is too hot$/);
});

testOnStores('with TOCSIN_CALL_AGAIN=false they are left in peace', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_AGAIN: 'false' } });
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  await site.alarms.raise(group);
  await ana.isCalled();
  await bo.isCalled();
  await ana.hears();
  await site.alarms.raise(group, { path: 'Second' });
  await ana.isNotCalled();
  await bo.isCalled();
});
