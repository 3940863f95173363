// A number that is not final is used together with the next one: a text and a call at the same time.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('two people each get a text and a call at once, until one of them takes the alarm', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = (digit: number) => [sms(`+3360000000${digit}`, { final: false }), voice(`+3310000000${digit}`)];
  const ana = await site.person('ana', { numbers: numbers(1) });
  const bo = await site.person('bo', { numbers: numbers(2) });
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  const alarm = await site.alarms.raise(group, { alarmShortMessage: 'Pump1 hot' });
  for (const person of [ana, bo]) {
    await person.hasText(/^Pump1 hot\nReply \d{4} to take it/);
    await person.isCalled(/^Pump1 is too hot$/);
  }
  await ana.takes();
  await bo.isNotCalled();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
  const made = (await site.callHistories()).map(({ user, channel, attempt }) => `${user} ${channel} ${attempt}`);
  assert.deepEqual(made.toSorted(), ['ana sms 1', 'ana voice 1', 'bo sms 1', 'bo voice 1']);
  await site.advance('1h');
  assert.equal((await site.callHistories()).length, 4);
});
