// The alarm is taken by the code of a text, even while the telephone rings.

import assert from 'node:assert/strict';
import { sms, startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('the code of the text takes the alarm and stops the phones', async (t, kind) => {
  const story = await startStory(t, kind);
  const numbers = [sms('+33600000001', { final: false }), voice('+33100000001')];
  const ana = await story.person('ana', { numbers });
  const bo = await story.person('bo');
  const group = await story.group('Pumps', [await story.team('Night', [ana, bo])]);
  const alarm = await story.raise(group);
  const { code } = await ana.hasText(/Pump1/);
  await ana.isCalled();
  await bo.isCalled();
  assert.equal(await ana.texts(code), 'You have taken it. Thank you.');
  await ana.isNotCalled();
  await bo.isNotCalled();
  assert.equal((await story.alarm(alarm)).ackUser, 'ana');
  assert.equal(await ana.texts(code), 'There is nothing to answer.');
});

testOnStores('heard, by text: the own phone stops ringing, the others ring on', async (t, kind) => {
  const story = await startStory(t, kind);
  const numbers = [sms('+33600000001', { final: false }), voice('+33100000001')];
  const ana = await story.person('ana', { numbers });
  const bo = await story.person('bo');
  const group = await story.group('Pumps', [await story.team('Night', [ana, bo])]);
  const alarm = await story.raise(group);
  const { code } = await ana.hasText(/Pump1/);
  await ana.isCalled();
  assert.equal(await ana.texts(`2 ${code}`), 'Thank you.');
  await ana.isNotCalled();
  await bo.isCalled();
  assert.equal((await story.alarm(alarm)).ackUser, '');
});
