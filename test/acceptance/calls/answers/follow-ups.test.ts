// Follow-ups: numbers that ask for it are told who took an alarm and that it is back to normal.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { detail, refusal } from '../../../harness/site/site-caller.ts';
import { type Person, sms, voice } from '../../../harness/site/site-phones.ts';
import type { StoreName } from '../../../harness/stores/stores.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';

const both = { taken: true, back: true };

/** Two people on duty with a telephone each; bo also has a text number with follow-ups, for no alarm of its own. */
async function pumps(t: TestContext, kind: StoreName, followUps: object = both, more: object = {}) {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { displayName: 'Ana S.', numbers: [voice('+33100000001')] });
  const bo = await site.person('bo', {
    language: 'fr',
    numbers: [voice('+33100000002'), sms('+33600000002', { followUps, ...more })],
  });
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])]);
  return { site, ana, bo, group };
}

async function ringAndTake(site: Site, group: number, [taker, other]: readonly [Person, Person]): Promise<number> {
  const alarm = await site.alarms.raise(group);
  await taker.isCalled();
  await other.isCalled();
  await taker.takes();
  return alarm;
}

const textsOf = async (person: Person) =>
  (await person.messages())
    .filter(({ state, direction }) => state === 'delivered' && direction === 'to')
    .map(({ text }) => text)
    .toReversed();

testOnAnyStore(
  'somebody who was called is told who took the alarm and that it is back, on a number that asks for it',
  async (t, kind) => {
    const { site, ana, bo, group } = await pumps(t, kind);
    const alarm = await ringAndTake(site, group, [ana, bo]);
    await bo.hasText(/^Pump1 is too hot: Ana S\. /);
    await site.advance('2m');
    await site.alarms.returnsToNormal();
    await site.settle();
    const [taken, back] = await textsOf(bo);
    assert.equal(taken, "Pump1 is too hot: Ana S. l'a prise.");
    assert.match(String(back), /^Retour à la normale : Pump1 is too hot$/);
    assert.deepEqual(await textsOf(ana), [], 'her number does not ask for it');
    const rows = (await site.callHistories(`&alarmId=${alarm}`)).filter(({ cause }) => cause === 'followUp');
    assert.deepEqual(
      rows.map(({ user, channel, alarmId, status }) => [user, channel, alarmId, status]),
      [
        ['bo', 'sms', alarm, 3],
        ['bo', 'sms', alarm, 3],
      ],
    );
    assert.deepEqual((await site.list('/calls')).items, []);
  },
);

testOnStores('who took the alarm is not told so, and nobody is told who was not called', async (t, kind) => {
  const { site, ana, bo, group } = await pumps(t, kind);
  const carl = await site.person('carl', { numbers: [sms('+33600000003', { followUps: both })] });
  await ringAndTake(site, group, [bo, ana]);
  await site.settle();
  assert.deepEqual(await textsOf(bo), []);
  await site.alarms.returnsToNormal();
  await bo.hasText(/Pump1/);
  assert.deepEqual(await textsOf(carl), []);
});

testOnAnyStore('follow-ups are gathered to one message a minute and outlast a restart', async (t, kind) => {
  const { site, ana, bo, group } = await pumps(t, kind, { taken: true }, { final: false });
  const alarmActions = [{ type: 'CallGroup', id: group }];
  const batch = ['P1', 'P2', 'P3'].map((path) => ({ path, alarmMessage: path, alarmActions }));
  const alarms = await site.ask<readonly number[]>('POST', '/alarms/batch', batch);
  // The text number gets a notice of all of them at once, and nothing for a minute.
  await site.advance('61s');
  const [first = 0, second = 0, third = 0] = alarms;
  await site.alarms.acknowledge(first);
  await site.settle();
  const followUps = async () => (await textsOf(bo)).filter((text) => text.includes('admin'));
  assert.equal((await followUps()).length, 1);
  await site.alarms.acknowledge(second);
  await site.alarms.acknowledge(third);
  await site.advance('58s');
  assert.equal((await followUps()).length, 1);
  await site.restart();
  await site.advance('2s');
  const [, gathered, ...more] = await followUps();
  assert.match(String(gathered), /P2: admin .*\n.*P3: admin /s);
  assert.deepEqual(more, []);
  await ana.isNotCalled();
  await site.expectWhatRings();
});

testOnAnyStore('follow-ups are off by default, and a telephone cannot have them', async (t, kind) => {
  const { site, ana } = await pumps(t, kind);
  const user = await site.ask('GET', `/users/${ana.id}`);
  const [number] = user.numbers as readonly { followUps: object }[];
  assert.deepEqual(number?.followUps, { taken: false, back: false });
  const spoken = await site.request('PUT', `/users/${ana.id}`, {
    ...user,
    numbers: [sms('+33600000001'), voice('+33100000001', { followUps: { back: true } })],
  });
  assert.deepEqual(refusal(spoken), [422, 'numbers[1].followUps']);
  assert.match(detail(spoken), /does not ring for a follow-up/);
});
