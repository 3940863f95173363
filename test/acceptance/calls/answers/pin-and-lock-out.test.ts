// A person with a PIN hears the alarm after the right PIN; three wrong PINs lock the number for fifteen minutes.

import assert from 'node:assert/strict';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('the alarm is read only after the right PIN', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', { pin: '4321' });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const alarm = await story.raise(group);
  await ana.isCalled();
  const said = await ana.answers('1', '99#', '4321#', '1');
  assert.deepEqual(said.slice(1, 3), ['Enter your PIN and end with the hash key.', 'That PIN is wrong. Try again.']);
  assert.match(said[3] ?? '', /^Pump1 is too hot/);
  assert.equal((await story.alarm(alarm)).ackUser, 'ana');
});

testOnStores('three wrong PINs call the next number at once and lock this one for 15 minutes', async (t, kind) => {
  const story = await startStory(t, kind, { overrides: { TOCSIN_CALL_PAUSE: '435' } });
  const numbers = [voice('+33100000001', { countTry: 1 }), voice('+33600000001', { countTry: 1 })];
  const ana = await story.person('ana', { pin: '4321', numbers });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const alarm = await story.raise(group);
  const rings = async () => (await ana.isCalled()).address;
  assert.equal(await rings(), '+33100000001');
  const said = await ana.answers('1', '1#', '2#', '3#');
  assert.equal(said.at(-1), 'That PIN is wrong. Goodbye.');
  assert.ok(said.every((words) => !words.includes('Pump1')));
  assert.equal(await rings(), '+33600000001');
  await story.advance('30s');
  await story.admin.isCalled();
  await story.admin.takes();
  // The next round is within the fifteen minutes, the one after it is not.
  await story.advance('435s');
  assert.equal(await rings(), '+33600000001');
  await story.advance('30s');
  await story.admin.isCalled();
  await story.admin.takes();
  await story.advance('435s');
  assert.equal(await rings(), '+33100000001');
  assert.equal((await story.alarm(alarm)).ackUser, '');
});
