// A number that is not final is used together with the next one: a text and a call at the same time.

import assert from 'node:assert/strict';
import { sms, startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('two people each get a text and a call at once, until one of them takes the alarm', async (t, kind) => {
  const story = await startStory(t, kind);
  const numbers = (digit: number) => [sms(`+3360000000${digit}`, { final: false }), voice(`+3310000000${digit}`)];
  const ana = await story.person('ana', { numbers: numbers(1) });
  const bo = await story.person('bo', { numbers: numbers(2) });
  const group = await story.group('Pumps', [await story.team('Night', [ana, bo])]);
  const alarm = await story.raise(group, { alarmShortMessage: 'Pump1 hot' });
  for (const person of [ana, bo]) {
    await person.hasText(/^Pump1 hot\nReply \d{4} to take it/);
    await person.isCalled(/^Pump1 is too hot$/);
  }
  await ana.takes();
  await bo.isNotCalled();
  assert.equal((await story.alarm(alarm)).ackUser, 'ana');
  const made = (await story.histories()).map(({ user, channel, attempt }) => `${user} ${channel} ${attempt}`);
  assert.deepEqual(made.toSorted(), ['ana sms 1', 'ana voice 2', 'bo sms 1', 'bo voice 2']);
  await story.advance('1h');
  assert.equal((await story.histories()).length, 4);
});
