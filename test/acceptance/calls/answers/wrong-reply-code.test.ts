// A reply with a wrong code, or the code of another person, takes nothing.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a reply that matches no code returns instructions and changes nothing', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = (digit: number) => [sms(`+3360000000${digit}`, { timeToAck: 3600 })];
  const ana = await site.person('ana', { numbers: numbers(1) });
  const bo = await site.person('bo', { numbers: numbers(2) });
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  const alarm = await site.alarms.raise(group);
  const { code } = await ana.hasText(/Pump1/);
  await bo.hasText(/Pump1/);
  const wrong = code === '9999' ? '9998' : '9999';
  assert.equal(await ana.texts(`1 ${wrong}`), 'Send the code of the message you answer as well.');
  assert.match(await ana.texts(wrong), /^Send 1 to take it/);
  assert.match(await ana.texts('what is it?'), /^Send 1 to take it/);
  if ((await bo.hasText(/./)).code !== code) assert.notEqual(await bo.texts(code), 'You have taken it. Thank you.');
  assert.equal((await site.alarms.get(alarm)).ackUser, '');
  assert.equal(await ana.texts(code), 'You have taken it. Thank you.');
  assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
});
