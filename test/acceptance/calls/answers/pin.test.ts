// A PIN: right, the alarm is read; three times wrong, the number is left alone for a quarter of an hour.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site.ts';
import { voice } from '../../../harness/site-phones.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('the alarm is read to whoever knows the PIN', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { pin: '4321' });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  const said = await ana.answers('1', '99#', '4321#', '1');
  assert.deepEqual(said.slice(1, 3), ['Enter your PIN and end with the hash key.', 'That PIN is wrong. Try again.']);
  assert.match(said[3] ?? '', /^Pump1 is too hot/);
  assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
});

testOnStores('three wrong PINs: the next number at once, and this one not for fifteen minutes', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_PAUSE: '435' } });
  const numbers = [voice('+33100000001', { countTry: 1 }), voice('+33600000001', { countTry: 1 })];
  const ana = await site.person('ana', { pin: '4321', numbers });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarm = await site.alarms.raise(group);
  const rings = async () => (await ana.isCalled()).address;
  assert.equal(await rings(), '+33100000001');
  const said = await ana.answers('1', '1#', '2#', '3#');
  assert.equal(said.at(-1), 'That PIN is wrong. Goodbye.');
  assert.ok(said.every((words) => !words.includes('Pump1')));
  assert.equal(await rings(), '+33600000001');
  await site.advance('30s');
  await site.admin.isCalled();
  await site.admin.takes();
  // The next round is within the quarter of an hour, the one after it is not.
  await site.advance('435s');
  assert.equal(await rings(), '+33600000001');
  await site.advance('30s');
  await site.admin.isCalled();
  await site.admin.takes();
  await site.advance('435s');
  assert.equal(await rings(), '+33100000001');
  assert.equal((await site.alarms.get(alarm)).ackUser, '');
});
