// A new alarm calls people again who answered "heard" or declined an earlier one, and they are asked about the new one alone.

import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a person who answered "heard" is called again for a new alarm alone', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  await site.alarms.raise(group);
  await ana.isCalled();
  await bo.isCalled();
  await ana.hears();
  await ana.isNotCalled();
  await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second' });
  await ana.isCalled(/^second$/);
  await bo.isCalled(/^Pump1 is too hot$/);
});

testOnAnyStore('TOCSIN_CALL_AGAIN=false has no effect any more', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_AGAIN: 'false' } });
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  await site.alarms.raise(group);
  await ana.isCalled();
  await bo.isCalled();
  await ana.hears();
  await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second' });
  await ana.isCalled(/^second$/);
  await bo.isCalled();
});

testOnAnyStore(
  'an alarm that joins when somebody has declined is called for like one raised alone',
  async (t, kind) => {
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
    await site.admin.isCalled(/^Nobody has taken this: Pump1 is too hot$/);
    await site.advance('60s');
    await ana.isCalled(/^second$/);
    await bo.isNotCalled();
    await ana.declines();
    for (const person of [ana, bo]) await person.isNotCalled();
    await site.expectWhatRings();
  },
);
