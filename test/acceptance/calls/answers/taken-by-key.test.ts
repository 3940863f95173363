// Pressing 1 on the phone takes the alarm and ends the other calls.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('pressing 1 twice takes the alarm, and the other phones stop ringing', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  await bo.isCalled();
  const said = await ana.takes();
  assert.deepEqual(said, [
    'Hello ana, this is Tocsin with an alarm. Press 1 to hear it.',
    'Pump1 is too hot\nPress 1 to take it, 2 heard but keep calling others, 3 decline, 4 repeat, 5 next, 6 call me later.',
    'You have taken it. Thank you.',
  ]);
  await bo.isNotCalled();
  const { state, ackUser } = await site.alarms.get(alarm);
  assert.deepEqual([state, ackUser], [1, 'ana']);
  const [of] = await site.callHistories(`&userId=${ana.id}`);
  assert.equal(of?.status, 5);
  assert.ok(of?.answerTime && of.ackTime && of.endTime);
});

testOnAnyStore(
  'of keys that arrive together, only what the last one leads to is said: each interrupts what the one before it began',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const alarm = await site.alarms.raise(group);
    await ana.isCalled();
    const [, afterProof, said] = await ana.answers('11', '4441');
    assert.match(String(afterProof), /Pump1 is too hot/, 'nor does a key count that came with the proof');
    assert.equal(said, 'You have taken it. Thank you.');
    assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
  },
);
