// The reply code of a text takes the alarm, also while the phone rings.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a reply with the code takes the alarm and stops all phones', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [sms('+33600000001', { final: false }), voice('+33100000001')];
  const ana = await site.person('ana', { numbers });
  const bo = await site.person('bo');
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  const alarm = await site.alarms.raise(group);
  const { code } = await ana.hasText(/Pump1/);
  await ana.isCalled();
  await bo.isCalled();
  assert.equal(await ana.texts(code), 'You have taken it. Thank you.');
  await ana.isNotCalled();
  await bo.isNotCalled();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
  assert.equal(await ana.texts(code), 'You have taken it already.');
});

testOnAnyStore('the reply "heard" stops the phone of that person, the other phones ring on', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [sms('+33600000001', { final: false }), voice('+33100000001')];
  const ana = await site.person('ana', { numbers });
  const bo = await site.person('bo');
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  const alarm = await site.alarms.raise(group);
  const { code } = await ana.hasText(/Pump1/);
  await ana.isCalled();
  assert.equal(await ana.texts(`2 ${code}`), 'Heard. Others are still being called.');
  await ana.isNotCalled();
  await bo.isCalled();
  assert.equal((await site.alarms.get(alarm)).ackUser, '');
});

testOnAnyStore('only texts on channels that read replies explain how to reply', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', {
    numbers: [{ channel: 'email', address: 'ana@example.org', final: false }, sms('+336')],
  });
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 3 });
  await site.settle();
  const texts = (await ana.messages()).map(({ text }) => /Pump1.*Reply \d{4}/s.test(text));
  assert.deepEqual(texts.toSorted(), [false, true], 'the mail, and the text');
  assert.ok((await site.callHistories()).every(({ startTime }) => typeof startTime === 'string'));
});
