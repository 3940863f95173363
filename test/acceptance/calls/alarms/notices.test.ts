// Notices: numbers that are not final get every alarm their person is called for, beside the calls.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('an alarm that joins a running call is sent as a text, at most one a minute', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [sms('+33600000001', { final: false }), voice('+33100000001', { countTry: 5 })];
  const ana = await site.person('ana', { numbers });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { path: 'First', alarmMessage: 'first', priority: 3 });
  await ana.isCalled(/^first$/);
  await ana.hasText(/^first/);
  await site.advance('20s');
  await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second', priority: 3 });
  await site.alarms.raise(group, { path: 'Third', alarmMessage: 'third', priority: 3 });
  const texts = async () => (await ana.messages()).filter(({ text }) => /second/.test(text) && /Reply/.test(text));
  await site.settle();
  assert.deepEqual(await texts(), []);
  await site.advance('40s');
  await ana.hasText(/^1 of 2: second\n2 of 2: third/);
  assert.equal((await texts()).length, 1, 'both in one message');
  await site.expectWhatRings();
});

testOnAnyStore('a text number alone is called like a final one, by priority', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [
    sms('+33600000001', { final: false, priorities: { from: 3, to: 9 } }),
    voice('+33100000001', { priorities: { from: 1, to: 2 } }),
  ];
  const ana = await site.person('ana', { numbers });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { path: 'Small', alarmMessage: 'small', priority: 3 });
  const { code } = await ana.hasText(/^small/);
  await ana.isNotCalled();
  await ana.texts(code);
  await site.alarms.raise(group, { path: 'Great', alarmMessage: 'great', priority: 1 });
  await ana.isCalled(/^great$/);
  assert.ok(
    (await ana.messages()).every(({ text }) => !/great.*Reply/s.test(text)),
    'no text for priority 1',
  );
  await ana.takes();
});
