// The reply code of a text takes the alarm, also while the phone rings.

import assert from 'node:assert/strict';
import { sms, startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('a reply with the code takes the alarm and stops all phones', async (t, kind) => {
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

testOnStores('the reply "heard" stops the phone of that person, the other phones ring on', async (t, kind) => {
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
