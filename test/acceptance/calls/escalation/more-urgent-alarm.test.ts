// An alarm that becomes more urgent counts from that moment with its new priority: what held it back is released.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

async function pumps(site: Site) {
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1, timeToRetry: 60 })] });
  return { ana, group: await site.group('Pumps', [await site.team('Night', [ana])]) };
}

testOnAnyStore('an alarm held back by a toll limit and sent again as priority 1 is called', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await pumps(site);
  const priorities = [{ priority: 1, untilAcknowledged: true }];
  await site.ask('PUT', '/callpolicy', { priorities, tolls: { perPersonDay: 1 } });
  await site.alarms.raise(group, { path: 'First', priority: 3 });
  await ana.isCalled();
  await ana.takes();
  await site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas', priority: 3 });
  await ana.isNotCalled();
  await site.advance('5m');
  await site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas', priority: 1 });
  await ana.isCalled(/Gas/);
  await ana.takes();
  await site.expectWhatRings();
});

testOnAnyStore('an alarm held back by the cap and sent again as priority 1 is called', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_CAP: '1/60' } });
  const { ana, group } = await pumps(site);
  await site.alarms.raise(group, { path: 'First', priority: 3 });
  await ana.isCalled();
  await ana.takes();
  await site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas', priority: 3 });
  await ana.isNotCalled();
  await site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas', priority: 1 });
  await ana.isCalled(/Gas/);
  await ana.takes();
  await site.expectWhatRings();
});

testOnAnyStore('an alarm that becomes priority 1 in the pause between rounds is called at once', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await pumps(site);
  await site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas', priority: 2 });
  await ana.isCalled();
  await ana.hangsUp();
  await site.advance('2m');
  await ana.isNotCalled();
  await site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas', priority: 1 });
  await ana.isCalled(/Gas/);
  await site.expectWhatRings();
});

testOnAnyStore('a priority that flaps begins no further round', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, group } = await pumps(site);
  const send = (priority: number) => site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas', priority });
  await send(3);
  await ana.isCalled();
  await site.advance('1s');
  await send(2);
  await site.settle();
  for (let flap = 0; flap < 4; flap++) {
    await send(3);
    await send(2);
    await site.settle();
  }
  await ana.hangsUp();
  await site.advance('60s');
  await ana.isCalled();
  await ana.hangsUp();
  for (let flap = 0; flap < 4; flap++) {
    await send(3);
    await send(2);
    await ana.isNotCalled();
  }
  assert.equal((await ana.messages()).length, 2);
  await site.expectWhatRings();
});
