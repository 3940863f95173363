// Notices of alarms that come one after the other, at whatever step the calling of their person is.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('alarms that come in the pauses of a call are gathered to one notice a minute', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [sms('+33600000001', { final: false }), voice('+33100000001', { countTry: 1, timeToRetry: 60 })];
  const ana = await site.person('ana', { numbers });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  for (let n = 0; n < 9; n++) {
    await site.alarms.raise(group, { path: `Pump ${n}`, alarmMessage: `pump ${n}`, priority: 2 });
    await site.settle();
    if ((await ana.messages()).some(({ state }) => state === 'ringing')) await ana.hangsUp();
    await site.advance('3s');
  }
  await site.advance('2m');
  const texts = (await ana.messages()).filter(
    ({ address, state }) => address === '+33600000001' && state !== 'ringing',
  );
  const times = texts.map(({ time }) => Date.parse(time)).toSorted();
  for (const [index, time] of times.slice(1).entries())
    assert.ok(time - (times[index] ?? 0) >= 60_000, `two notices within ${time - (times[index] ?? 0)} ms`);
  for (let n = 0; n < 9; n++) {
    const about = texts.filter(({ text }) => text.includes(`pump ${n}`));
    assert.equal(about.length, 1, `pump ${n} is in one notice`);
  }
  await site.expectWhatRings();
});

testOnAnyStore(
  'a notice number for priority 1 alone gets a priority 1 that joins a call for a lesser one',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const numbers = [
      sms('+33600000001', { final: false, priorities: { from: 1, to: 1 } }),
      voice('+33100000001', { countTry: 3, timeToRetry: 60 }),
    ];
    const ana = await site.person('ana', { numbers });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    await site.alarms.raise(group, { path: 'Lamp', alarmMessage: 'Lamp broken', priority: 3 });
    await ana.isCalled(/^Lamp broken$/);
    assert.ok((await ana.messages()).every(({ address }) => address !== '+33600000001'));
    await site.alarms.raise(group, { path: 'Gas', alarmMessage: 'Gas leak', priority: 1 });
    await ana.isCalled();
    await ana.hasText(/^Gas leak/);
    await site.expectWhatRings();
  },
);
