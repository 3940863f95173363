// The pauses between the calls for an alarm that comes and goes, and that nobody takes: those of an alarm that stays.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { numberOf, type Person, sms, voice } from '../../../harness/site/site-phones.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

const calledOnce = (site: Site, name: string): Promise<Person> =>
  site.person(name, { numbers: [voice(numberOf(name), { countTry: 1 })] });

async function comesAgain(site: Site, group: number, more: object): Promise<void> {
  await site.alarms.returnsToNormal();
  await site.alarms.raise(group, more);
}

/** The seconds at which each of them was called. */
function ringsOf(site: Site, people: readonly Person[], beganAt: number): Promise<readonly (readonly number[])[]> {
  return Promise.all(
    people.map(async ({ id }) => {
      const rows = await site.callHistories(`&userId=${id}`);
      return rows.map((row) => Math.round((Date.parse(String(row.startTime)) - beganAt) / 1000));
    }),
  );
}

testOnStores(
  'an alarm of priority 3 that came in vain and comes again keeps five minutes between its rounds, also when it is gone by then',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [ana, bo] = [await calledOnce(site, 'ana'), await calledOnce(site, 'bo')];
    const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])]);
    const beganAt = site.app.clock.now();
    await site.alarms.raise(group, { priority: 3 });
    await site.advance('4m');
    await comesAgain(site, group, { priority: 3, alarmMessage: 'second' });
    await site.advance('20s');
    await site.alarms.returnsToNormal();
    await site.advance('40s');
    await ana.isCalled(/^Back to normal: second$/);
    await site.advance('30m');
    await site.expectWhatRings();
    assert.deepEqual(await ringsOf(site, [ana, bo, site.admin], beganAt), [
      [0, 300],
      [30, 330],
      [60, 150, 360, 450],
    ]);
    for (let n = 0; n < 16; n++) {
      await comesAgain(site, group, { priority: 3 });
      await site.advance('40s');
    }
    await site.expectWhatRings();
    const rings = await ringsOf(site, [ana, bo], beganAt);
    for (const { length } of rings) assert.equal(length, 2 + 3, 'three in eleven minutes');
  },
);

testOnStores('the round of an occurrence with a delay begins after it, or not at all', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await calledOnce(site, 'ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  const alarmActions = [{ type: 'CallGroup', id: group, parameter: '60' }];
  await site.alarms.raise(group, { priority: 3, alarmActions });
  await site.advance('60s');
  await ana.isCalled();
  await ana.declines();
  await site.admin.isCalled();
  await site.admin.declines();
  await site.advance('8m');
  await comesAgain(site, group, { priority: 3, alarmActions });
  await site.advance('59s');
  await site.alarms.returnsToNormal();
  await site.advance('9m');
  await ana.isNotCalled();
  await site.alarms.raise(group, { priority: 3, alarmActions });
  await site.advance('59s');
  await ana.isNotCalled();
  await site.advance('1s');
  await ana.isCalled();
  await ana.takes();
  await site.advance('1s');
  await site.expectWhatRings();
});

testOnStores(
  'who has time to answer a text is told of a new occurrence when the shortest pause is over, and is not called on sooner',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [sms('+33600000001', { timeToAck: 900, countAck: 0 })] });
    const bo = await calledOnce(site, 'bo');
    const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])]);
    const alarm = await site.alarms.raise(group, { priority: 3, alarmMessage: 'first' });
    await ana.hasText(/^first\n/);
    await site.advance('2m');
    await comesAgain(site, group, { priority: 3, alarmMessage: 'second' });
    await site.advance('179s');
    await ana.hasText(/^first\n/);
    await site.advance('1s');
    await ana.hasText(/^second\n/);
    for (const alarmMessage of ['third', 'fourth']) {
      await site.advance('20s');
      await comesAgain(site, group, { priority: 3, alarmMessage });
    }
    await site.advance('4m');
    await ana.hasText(/^second\n/);
    await site.advance('20s');
    const { code } = await ana.hasText(/^fourth\n/);
    await site.advance('299s');
    await bo.isNotCalled();
    await site.advance('1s');
    await bo.isCalled(/^fourth$/);
    assert.equal(await ana.texts(code), 'You have taken it. Thank you.');
    assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
  },
);
