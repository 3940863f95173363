// Who is in a conversation when somebody else takes the alarm is told so, and goes on with what is left.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import type { Person } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

/** Waits until the phone has said a text that matches, without a key; returns the call. */
function hears(person: Person, text: RegExp) {
  const newest = async () => (await person.messages())[0];
  return until(newest, (call) => text.test(call?.text ?? ''));
}

testOnAnyStore('nobody is cut off without being told who took it', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { language: 'fr' });
  const bo = await site.person('bo', { firstName: 'Bo', lastName: 'Berg' });
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  await site.alarms.raise(group);
  await ana.isCalled();
  await bo.isCalled();
  await ana.answers('1');
  await bo.takes();
  const told = await hears(ana, /\nBo Berg l’a prise\. Au revoir\.$/);
  assert.deepEqual([told?.state, told?.outcome], ['ended', 'answered']);
});

testOnAnyStore('who has not proved to be human, or given the PIN, is not told who took it', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana', { pin: '4321' }), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  const alarm = await site.alarms.raise(group);
  await ana.isCalled();
  await bo.isCalled();
  await ana.answers('1');
  await bo.answers();
  await site.alarms.acknowledge(alarm);
  for (const person of [ana, bo])
    assert.equal((await hears(person, /\nIt is over already\. Goodbye\.$/))?.state, 'ended');
});

testOnAnyStore('a person in a conversation goes on with the alarms that are left', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const alarmActions = [{ type: 'CallUser', id: ana.id }];
  const batch = ['A', 'B', 'C'].map((path) => ({ path, alarmMessage: `hall ${path}`, priority: 1, alarmActions }));
  const [first = 0, second = 0, third = 0] = await site.ask<readonly number[]>('POST', '/alarms/batch', batch);
  await ana.isCalled(/^1 of 3: hall A\n/);
  await ana.answers('1');
  await site.ask('POST', `/alarms/${second}/mask`, { until: '2026-11-15T13:00:00Z', reason: 'scrapped' });
  await site.ask('DELETE', `/alarms/${second}`);
  await hears(ana, /\nAlarm 2 of 3: It is over already\.\nAlarm 1 of 3: hall A\n/);
  await site.alarms.acknowledge(first);
  await hears(ana, /\nadmin has taken it\.\nAlarm 3 of 3: hall C\n/);
  assert.equal(await ana.press('1'), 'You have taken it. Thank you.');
  assert.equal((await site.alarms.get(third)).ackUser, 'ana');
  await site.settle();
});
