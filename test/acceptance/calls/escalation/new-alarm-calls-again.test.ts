// A new alarm calls people again who answered "heard" to an earlier one, unless TOCSIN_CALL_AGAIN is false.

import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a person who answered "heard" is called again for a new alarm, with both alarms', async (t, kind) => {
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

testOnAnyStore('with TOCSIN_CALL_AGAIN=false a person who answered "heard" is not called again', async (t, kind) => {
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

testOnAnyStore('an alarm that joins when somebody has declined is called for in another round', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await bo.isCalled();
  await ana.declines();
  await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second', priority: 3 });
  await ana.isNotCalled();
  await bo.declines();
  await site.admin.isCalled(/called in vain/);
  await site.advance('60s');
  await ana.isCalled(/second/);
  await bo.isCalled(/second/);
  await ana.declines();
  await bo.declines();
  for (const person of [ana, bo]) await person.isNotCalled();
  await site.expectWhatRings();
});
