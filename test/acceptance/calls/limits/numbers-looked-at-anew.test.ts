// The list of numbers of a person is looked at anew for every call: what serves now counts, not how far the list was walked before.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a retry that crosses the change of hours goes to the number of the new hours', async (t, kind) => {
  const site = await startSite(t, kind);
  const team = await site.team('Hours', []);
  const [day, night] = [await site.schedule(team, '00:00', '12:01'), await site.schedule(team, '12:01', '24:00')];
  const tries = { countTry: 2, timeToRetry: 90 };
  const numbers = [
    voice('+33600000001', { scheduleId: night, ...tries }),
    voice('+33100000001', { scheduleId: day, ...tries }),
  ];
  const ana = await site.person('ana', { numbers });
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 3 });
  assert.equal((await ana.isCalled()).address, '+33100000001');
  await site.advance('30s');
  await ana.isNotCalled();
  await site.advance('2m');
  const rows = (await site.callHistories(`&userId=${ana.id}`)).filter(({ attempt }) => attempt !== 0);
  assert.deepEqual(
    rows.slice(0, 2).map(({ address }) => address),
    ['+33100000001', '+33600000001'],
  );
  await site.expectWhatRings();
});

testOnAnyStore(
  'a number that serves the lesser alarm alone gets it beside the call for priority 1',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const numbers = [
      sms('+33600000001', { priorities: { from: 2, to: 9 } }),
      voice('+33100000001', { priorities: { from: 1, to: 1 } }),
    ];
    const ana = await site.person('ana', { numbers });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const gas = await site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas leak', priority: 1 });
    await ana.isCalled(/^Gas leak$/);
    const lamp = await site.alarms.raise(group, { path: 'Lamp', alarmMessage: 'Lamp broken', priority: 3 });
    await ana.isCalled(/^Gas leak$/);
    await site.alarms.acknowledge(gas);
    const { code } = await ana.hasText(/^Lamp broken/);
    await ana.texts(code);
    assert.equal((await site.alarms.get(lamp)).ackUser, 'ana');
    await ana.isNotCalled();
  },
);
