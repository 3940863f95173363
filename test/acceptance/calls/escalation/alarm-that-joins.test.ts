// An alarm that joins a call is called for like one raised alone, at whatever moment it joins.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const lamp = { path: 'Lamp', alarmMessage: 'Lamp broken', priority: 3 };
const door = { path: 'Door', alarmMessage: 'Door open', priority: 3 };
const gas = { path: 'Gas', alarmMessage: 'Gas leak', priority: 1 };

/** A site with one person who is called, and a group. */
async function withAna(t: Parameters<typeof startSite>[0], kind: Parameters<typeof startSite>[1], countTry = 1) {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry, timeToRetry: 60 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  return { site, ana, group };
}

/** The texts that people were called with so far, the oldest first. */
async function textsOf(site: Site, userId: number): Promise<readonly string[]> {
  await site.settle();
  const messages = await site.ask<readonly { text: string }[]>('GET', `/simulator/phones/${userId}`);
  return messages.map(({ text }) => text).toReversed();
}

testOnAnyStore('one that joins while the phone rings is called for when nobody picks up', async (t, kind) => {
  const { site, ana, group } = await withAna(t, kind);
  await site.alarms.raise(group, lamp);
  await ana.isCalled(/^Lamp broken$/);
  await site.alarms.raise(group, door);
  await site.advance('89s');
  await ana.isNotCalled();
  await site.advance('1s');
  await ana.isCalled(/Door open/);
  await site.advance('30s');
  await ana.isNotCalled();
  assert.deepEqual((await textsOf(site, ana.id)).length, 2, 'no further call');
  const [, ...names] = (await textsOf(site, ana.id)).map((text) => text.includes('Door open'));
  assert.deepEqual(names, [true]);
  await site.expectWhatRings();
});

testOnAnyStore(
  'one that joins while the phone rings is called for when the first was declined after it',
  async (t, kind) => {
    const { site, ana, group } = await withAna(t, kind);
    await site.alarms.raise(group, lamp);
    await ana.isCalled(/^Lamp broken$/);
    await ana.answers('1');
    await site.alarms.raise(group, door);
    await site.settle();
    await ana.press('3');
    await site.advance('60s');
    await ana.isCalled(/Door open/);
    await site.expectWhatRings();
  },
);

testOnAnyStore('one that was read and declined in the same call is not called for again', async (t, kind) => {
  const { site, ana, group } = await withAna(t, kind);
  await site.alarms.raise(group, lamp);
  await ana.isCalled(/^Lamp broken$/);
  await site.alarms.raise(group, door);
  await site.settle();
  await ana.answers('1', '3', '3');
  await site.advance('10m');
  await ana.isNotCalled();
  await site.expectWhatRings();
});

testOnAnyStore('one that joins on the last of two tries is called for', async (t, kind) => {
  const { site, ana, group } = await withAna(t, kind, 2);
  await site.alarms.raise(group, lamp);
  await ana.isCalled();
  await site.advance('90s');
  await ana.isCalled(/^Lamp broken$/);
  await site.alarms.raise(group, door);
  await site.advance('90s');
  await ana.isCalled(/Door open/);
  await site.expectWhatRings();
});

testOnAnyStore('priority 1 that joins a ringing call rings as soon as the phone is free', async (t, kind) => {
  const { site, ana, group } = await withAna(t, kind);
  await site.alarms.raise(group, lamp);
  await ana.isCalled(/^Lamp broken$/);
  await site.alarms.raise(group, gas);
  await site.advance('30s');
  await ana.isCalled(/^Gas leak/);
  await site.expectWhatRings();
});

testOnAnyStore('what somebody missed in this round is read in the call for another alarm', async (t, kind) => {
  const { site, ana, group } = await withAna(t, kind);
  await site.alarms.raise(group, { ...lamp, priority: 2 });
  await ana.isCalled(/^Lamp broken$/);
  await site.alarms.raise(group, gas);
  await site.advance('30s');
  await ana.isCalled(/^Gas leak$/);
  const said = (await ana.answers('1', '5')).join(' ');
  assert.match(said, /Alarm 1 of 2: Gas leak.*Alarm 2 of 2: Lamp broken/s);
  await site.expectWhatRings();
});

testOnAnyStore(
  'priority 1 that joins after a decline, and in the pause between two tries, rings at once',
  async (t, kind) => {
    const { site, ana, group } = await withAna(t, kind, 2);
    const bo = await site.person('bo');
    const both = await site.group('Both', [await site.team('Day', [ana, bo])]);
    assert.notEqual(group, both);
    await site.alarms.raise(both, lamp);
    await ana.isCalled();
    await bo.isCalled();
    await ana.hangsUp();
    await bo.declines();
    await ana.isNotCalled();
    await bo.isNotCalled();
    await site.alarms.raise(both, gas);
    await ana.isCalled(/Gas leak/);
    await bo.isCalled(/Gas leak/);
    await site.expectWhatRings();
  },
);

testOnAnyStore(
  'a stream of priority 1 rings one person at most twice a minute, and still calls relief',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [ana, bo] = [await site.person('ana'), await site.person('bo')];
    const relief = await site.group('Relief', [await site.team('Others', [bo])]);
    const team = await site.team('Night', [ana]);
    const group = await site.group('Pumps', [team], { reliefGroupId: relief, timeToTake: 0 });
    for (let second = 0; second < 240; second += 10) {
      await site.alarms.raise(group, { path: `Gas ${second}`, alarmMessage: `leak ${second}`, priority: 1 });
      await site.advance('10s');
    }
    const [calls, ofRelief] = [await textsOf(site, ana.id), await textsOf(site, bo.id)];
    assert.ok(calls.length >= 3 && calls.length <= 9, `${calls.length} calls in four minutes`);
    assert.ok(ofRelief.length > 0, 'relief was called');
    await site.expectWhatRings();
  },
);

testOnAnyStore('every alarm of a storm is announced to somebody who does not pick up', async (t, kind) => {
  const { site, ana, group } = await withAna(t, kind);
  for (let second = 0; second < 60; second += 5) {
    const alarms = Array.from({ length: 10 }, (_, index) => ({
      path: `Storm ${second} ${index}`,
      alarmMessage: `storm ${second} ${index}`,
      priority: 3,
      alarmActions: [{ type: 'CallGroup', id: group }],
    }));
    await site.ask('POST', '/alarms/batch', alarms);
    await site.advance('5s');
  }
  await site.advance('5m');
  const texts = await textsOf(site, ana.id);
  assert.ok(texts.length <= 4, `${texts.length} calls`);
  const named = (await site.callHistories(`&userId=${ana.id}`)).map(({ alarmIds }) => alarmIds as number[]);
  assert.equal(new Set(named.flat()).size, 120, 'each was the reason of a call');
  await ana.isNotCalled();
  await site.expectWhatRings();
});
