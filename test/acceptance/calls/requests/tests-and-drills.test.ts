// Test calls and drills are marked as tests on the phone and in the call history.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('a test call to a user, and a drill of a group that goes on to its relief', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])]);
  assert.equal(await site.ask<boolean>('POST', '/call/test', { userIds: [ana.id] }), true);
  await ana.isCalled(/^Test: this is a test call$/);
  await ana.takes();
  // Her number rests after a ring, whatever it was for.
  await site.advance('2m');
  await site.ask('POST', `/callgroups/${group}/drill`, { msgText: 'Fire drill' });
  await ana.isCalled(/^Test: Fire drill$/);
  await bo.isNotCalled();
  await ana.declines();
  await bo.isCalled(/^Test: Fire drill$/);
  await bo.takes();
  const rows = (await site.callHistories()).map(({ user, cause, alarmId, callGroupId, reasonCode }) => [
    user,
    cause,
    alarmId,
    callGroupId,
    reasonCode,
  ]);
  assert.deepEqual(rows, [
    ['ana', 'test', undefined, undefined, 'requested'],
    ['ana', 'test', undefined, group, 'requested'],
    ['bo', 'test', undefined, group, 'nobody-took-it'],
  ]);
  assert.deepEqual((await site.ask<{ items: unknown[] }>('GET', '/alarms')).items, []);
  assert.equal((await site.request('POST', '/callgroups/99/drill', {})).status, 404);
});

testOnAnyStore('an unanswered test call raises no system alarm and calls nobody else', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+331', { countTry: 1 })] });
  await site.ask('POST', '/call/test', { userIds: [ana.id] });
  await ana.isCalled(/test/);
  await site.advance('2m');
  assert.deepEqual(await site.systemAlarms(), []);
  await site.admin.isNotCalled();
});

testOnAnyStore('drills and tests say so in every text, in the language of the person', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const bo = await site.person('bo', { language: 'fr', numbers: [sms('+33600000001')] });
  await site.ask('POST', '/call/test', { userIds: [ana.id, bo.id] });
  const { text } = await bo.hasText(/^Essai : ceci est un appel d'essai\nRépondez \d+ pour confirmer/);
  assert.equal(await bo.texts(/\d{4}/.exec(text)?.[0] ?? ''), 'Merci. Ce n’était qu’un essai.');
  await ana.isCalled(/^Test: this is a test call$/);
  assert.deepEqual(await ana.answers('1', '1'), [
    'Hello ana, this is Tocsin with a test. Press 1 to hear it.',
    'Test: this is a test call\nPress 1 to confirm that you have heard it, 3 decline, 4 repeat, 5 next, 6 call me later.',
    'Confirmed. Thank you. This was only a test.',
  ]);
});

testOnAnyStore('a drill of a group is over when one has confirmed it', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  await site.ask('POST', `/callgroups/${group}/drill`, {});
  await ana.isCalled(/^Test: this is a drill$/);
  await bo.isCalled(/^Test: this is a drill$/);
  await ana.takes();
  await bo.isNotCalled();
  await site.advance('1h');
  await bo.isNotCalled();
});
