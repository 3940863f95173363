// An alarm that comes and goes and that nobody takes: the calling goes on for the newest occurrence, with its levels, tries and rounds.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import type { Row } from '../../../harness/site/site-caller.ts';
import { numberOf, type Person, sms, voice } from '../../../harness/site/site-phones.ts';
import { isSoak } from '../../../harness/soak.ts';
import { executeSql } from '../../../harness/stores/execute-sql.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';

const calledOnce = (site: Site, name: string, more: object = {}): Promise<Person> =>
  site.person(name, { numbers: [voice(numberOf(name), { countTry: 1, ...more })] });

/** Ana is on duty, bo is the relief. */
async function anaThenBo(site: Site, number: object = {}) {
  const [ana, bo] = [await calledOnce(site, 'ana', number), await calledOnce(site, 'bo')];
  const reliefGroupId = await site.group('Relief', [await site.team('Day', [bo])]);
  const group = await site.group('Pumps', [await site.team('Night', [ana])], { reliefGroupId });
  return { ana, bo, group, relief: reliefGroupId };
}

async function comesAgain(site: Site, group: number, more: object = {}): Promise<void> {
  await site.alarms.returnsToNormal();
  await site.alarms.raise(group, more);
}

/** The seconds at which each of them was called. */
async function ringsOf(
  site: Site,
  people: readonly Person[],
  beganAt: number,
): Promise<readonly (readonly number[])[]> {
  return Promise.all(
    people.map(async ({ id }) => {
      const rows = (await site.callHistories(`&userId=${id}`)).filter(({ attempt }) => attempt !== 0);
      return rows.map((row) => Math.round((Date.parse(String(row.startTime)) - beganAt) / 1000));
    }),
  );
}

// Priorities 2 and 3 have the same pauses.
for (const priority of isSoak ? [1, 2, 3] : [1, 3])
  testOnAnyStore(
    `an alarm of priority ${priority} that comes every twenty seconds reaches relief and last resort`,
    async (t, kind) => {
      const hours = async (comesAndGoes: boolean) => {
        const site = await startSite(t, kind);
        const { ana, bo, group } = await anaThenBo(site);
        const beganAt = site.app.clock.now();
        await site.alarms.raise(group, { priority });
        for (let n = 0; comesAndGoes && n < 90; n++) {
          await site.advance('20s');
          await comesAgain(site, group, { priority });
        }
        if (!comesAndGoes) await site.advance('30m');
        await site.expectWhatRings();
        assert.ok((await site.systemAlarms()).includes(`system/nobody-took-it/group/${group}`));
        return ringsOf(site, [ana, bo, site.admin], beganAt);
      };
      const steady = await hours(false);
      const coming = await hours(true);
      const first = (rings: readonly (readonly number[])[]) => rings.map(([at]) => at);
      assert.deepEqual(first(coming), first(steady));
      // A round of its own begins at the earliest when the shortest pause of the priority is over, after a minute with priority 1.
      const most = priority === 1 ? 30 : 12;
      for (const [index, { length }] of coming.entries())
        assert.ok(length >= (steady[index]?.length ?? 0) && length <= most, `${coming.map((one) => one.length)} calls`);
    },
  );

testOnAnyStore('who is in a conversation when the alarm comes again takes it as it is now', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, bo, group } = await anaThenBo(site, { timeToAck: 120 });
  const alarm = await site.alarms.raise(group, { priority: 2 });
  await ana.isCalled();
  await site.advance('5s');
  await comesAgain(site, group, { priority: 2, alarmMessage: 'Pump1 is hotter' });
  await ana.isCalled();
  assert.equal((await site.callHistories()).length, 1, 'the same call');
  await ana.takes();
  const { ackUser, state } = await site.alarms.get(alarm);
  assert.deepEqual([ackUser, state], ['ana', 1]);
  await site.advance('2h');
  await bo.isNotCalled();
  await site.expectWhatRings();
});

testOnAnyStore(
  'a reply to the text of an earlier occurrence takes an alarm that nobody has taken since',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [sms('+33600000001', { timeToAck: 600 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const alarm = await site.alarms.raise(group, { priority: 2 });
    const { code } = await ana.hasText(/Pump1/);
    for (let n = 0; n < 3; n++) {
      await site.advance('20s');
      await comesAgain(site, group, { priority: 2 });
    }
    assert.equal(await ana.texts(code), 'You have taken it. Thank you.');
    assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
  },
);

testOnAnyStore('the next call says the newest text and priority', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, bo, group } = await anaThenBo(site);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled(/Pump1 is too hot/);
  await comesAgain(site, group, { priority: 3, alarmMessage: 'Pump1 burns' });
  await ana.hangsUp();
  await bo.isCalled(/Pump1 burns/);
  assert.deepEqual(
    (await site.callHistories()).map(({ priority }) => priority),
    [3, 3],
  );
  await site.advance('1s');
  await site.alarms.returnsToNormal();
  await site.alarms.raise(group, { priority: 1, alarmMessage: 'Pump1 burns' });
  await site.advance('60s');
  await ana.isCalled(/Pump1 burns/);
});

testOnAnyStore(
  'one that comes again in a pause is called for before its end, one that was called in vain anew',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await calledOnce(site, 'ana');
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const isDeclined = async () => {
      for (const person of [ana, site.admin]) {
        await person.isCalled();
        await person.declines();
      }
    };
    await site.alarms.raise(group, { priority: 2 });
    await isDeclined();
    await site.advance('301s');
    await isDeclined();
    // The second pause lasts ten minutes.
    await site.advance('60s');
    await comesAgain(site, group, { priority: 2 });
    await site.advance('230s');
    await ana.isNotCalled();
    await site.advance('11s');
    await isDeclined();
    await site.advance('301s');
    await isDeclined();
    await site.advance('6m');
    await ana.isNotCalled();
    await comesAgain(site, group, { priority: 2 });
    await ana.isCalled();
    await ana.takes();
    await site.alarms.returnsToNormal();
    await site.advance('60s');
    await site.alarms.raise(group, { priority: 3 });
    await isDeclined();
    await comesAgain(site, group, { priority: 3 });
    await site.advance('299s');
    await ana.isNotCalled();
    await site.advance('1s');
    await isDeclined();
  },
);

testOnAnyStore('each occurrence is found among those that the groups were called for', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, bo, group } = await anaThenBo(site);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await comesAgain(site, group, { priority: 3, alarmMessage: 'second' });
  await ana.hangsUp();
  await bo.isCalled();
  await comesAgain(site, group, { priority: 3, alarmMessage: 'third' });
  await bo.takes();
  const { items } = await site.ask<{ readonly items: readonly Row[] }>('GET', `/alarms/histories?callGroupId=${group}`);
  assert.deepEqual(items.map((item) => item.message ?? item.alarmMessage).toSorted(), [
    'Pump1 is too hot',
    'second',
    'third',
  ]);
});

testOnAnyStore(
  'a group that has declined is called anew when nobody else is being called, or the alarm was normal for long',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const { ana, bo, group } = await anaThenBo(site);
    const cy = await calledOnce(site, 'cy');
    const other = await site.group('Fitters', [await site.team('Fitters', [cy])]);
    const alarmActions = [group, other].map((id) => ({ type: 'CallGroup', id }));
    await site.alarms.raise(group, { priority: 3, alarmActions });
    await ana.isCalled();
    await cy.isCalled();
    await cy.declines();
    await site.admin.isCalled();
    await site.admin.declines();
    await site.advance('45s');
    await bo.isCalled();
    await comesAgain(site, group, { priority: 3, alarmActions });
    await site.advance('20s');
    for (const person of [ana, bo, cy]) await person.isNotCalled();
    await comesAgain(site, group, { priority: 3, alarmActions });
    await site.advance('4m');
    await site.expectWhatRings();
    await ana.hangsUp();
    await site.alarms.returnsToNormal();
    await site.advance('11m');
    await site.alarms.raise(group, { priority: 3, alarmActions });
    for (const person of [ana, cy]) await person.isCalled();
  },
);

for (const [first, then] of [
  [3, 4],
  [3, 2],
  [2, 3],
  [1, 3],
  [2, 2],
])
  testOnStores(
    `one of priority ${first} that was called in vain and comes again with ${then} is called for`,
    async (t, kind) => {
      const site = await startSite(t, kind);
      const ana = await calledOnce(site, 'ana');
      const group = await site.group('Pumps', [await site.team('Night', [ana])]);
      await site.alarms.raise(group, { priority: first });
      for (const person of [ana, site.admin]) {
        await person.isCalled();
        await person.declines();
      }
      await site.advance('120s');
      await site.alarms.returnsToNormal();
      await site.advance('120s');
      const calls = () => ringsOf(site, [ana, site.admin], 0);
      const before = await calls();
      await site.alarms.raise(group, { priority: then });
      await site.advance('5m');
      await site.expectWhatRings();
      for (const [index, { length }] of (await calls()).entries())
        assert.ok(length > (before[index]?.length ?? 0), 'both are called again');
    },
  );

for (const priority of [2, 3])
  testOnAnyStore(
    `while nobody is on call, the last resort hears of each alarm of priority ${priority} that comes again`,
    async (t, kind) => {
      const site = await startSite(t, kind);
      const group = await site.group('Pumps', []);
      await site.alarms.raise(group, { priority });
      for (let n = 0; n < 3; n++) {
        await site.admin.isCalled(/Pump1/);
        await site.admin.declines();
        await site.advance('4m');
        await site.alarms.returnsToNormal();
        await site.advance('61s');
        await site.alarms.raise(group, { priority });
      }
      await site.expectWhatRings();
    },
  );

testOnAnyStore('those whom the new occurrence does not name are called no more', async (t, kind) => {
  const site = await startSite(t, kind);
  const { ana, bo, group } = await anaThenBo(site);
  const cy = await calledOnce(site, 'cy');
  await site.alarms.raise(group, { priority: 2 });
  await ana.isCalled();
  await site.alarms.returnsToNormal();
  await site.alarms.raise(group, { priority: 2, alarmActions: [{ type: 'CallUser', id: cy.id }] });
  await cy.isCalled();
  await cy.hangsUp();
  await site.advance('30m');
  await ana.isNotCalled();
  await bo.isNotCalled();
  await site.expectWhatRings();
  assert.equal((await site.callHistories(`&userId=${bo.id}`)).length, 0);
});

testOnAnyStore('what a fault left unreadable keeps no later occurrence from being called for', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await calledOnce(site, 'ana');
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 2 });
  await ana.isCalled();
  await ana.hangsUp();
  await executeSql(site.app, `update call_causes set entered = '{' where target_kind = 'group'`);
  await site.alarms.returnsToNormal();
  await site.alarms.raise(group, { priority: 2 });
  await site.advance('61s');
  await ana.isCalled();
  await site.expectWhatRings();
});

testOnAnyStore('a number that gets notices is told of each occurrence, and that each is over', async (t, kind) => {
  const site = await startSite(t, kind);
  const notices = sms('+33600000001', { final: false, followUps: { taken: true, back: true } });
  const ana = await site.person('ana', { numbers: [notices, voice('+33100000001', { countTry: 3 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 2, alarmMessage: 'first' });
  await ana.hasText(/^first/);
  for (const alarmMessage of ['second', 'third']) {
    await site.advance('61s');
    await site.alarms.returnsToNormal();
    await ana.hasText(/^Back to normal: /);
    await site.advance('61s');
    await site.alarms.raise(group, { priority: 2, alarmMessage });
    await ana.hasText(new RegExp(`^${alarmMessage}`));
    await site.advance('5m');
    await ana.hasText(new RegExp(`^${alarmMessage}`));
  }
  await site.expectWhatRings();
});

testOnStores('who is told that an alarm is back to normal is told that it is there again', async (t, kind) => {
  const site = await startSite(t, kind);
  const number = sms('+33600000001', { timeToAck: 900, followUps: { taken: false, back: true } });
  const [ana, bo] = [await site.person('ana', { numbers: [number] }), await calledOnce(site, 'bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 2, alarmMessage: 'first' });
  await ana.hasText(/^first/);
  await site.advance('61s');
  await site.alarms.returnsToNormal();
  await ana.hasText(/^Back to normal: first$/);
  await site.advance('61s');
  await site.alarms.raise(group, { priority: 2, alarmMessage: 'second' });
  await ana.hasText(/^second$/);
  await bo.isNotCalled();
});
