// A call to a person whose line is used by another call of Tocsin waits for that line; the wait is neither a failed try
// nor a missed call.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { type Person, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

const waits = 'waits: their line is in use by another call of ours';

/** Creates two groups that both call these people. */
async function twoGroups(site: Site, people: readonly Person[]): Promise<readonly [number, number]> {
  const team = await site.team('Night', people);
  return [await site.group('One', [team]), await site.group('Two', [team])];
}

/** The rows of the call history for the alarm, such as `1 no answer 4`. */
async function historyOf(site: Site, alarm: number): Promise<readonly string[]> {
  const rows = await site.callHistories(`&alarmId=${alarm}`);
  return rows.map(({ attempt, detail, status }) => `${attempt} ${detail} ${status}`);
}

type Explanation = { readonly calls: readonly { readonly steps: readonly ExplainedStep[] }[] };
type ExplainedStep = { readonly time: string; readonly what: string; readonly reason: string };

testOnAnyStore("the second group's call rings as soon as the first group's call has ended", async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const [one, two] = await twoGroups(site, [ana]);
  await site.alarms.raise(one, { path: 'One', alarmMessage: 'one', priority: 3 });
  await ana.isCalled(/^one$/);
  const second = await site.alarms.raise(two, { path: 'Two', alarmMessage: 'two', priority: 3 });
  await ana.isCalled(/^one$/);
  assert.deepEqual(await historyOf(site, second), [`0 ${waits} 2`]);
  await site.advance('29s');
  await ana.isCalled(/^one$/);
  await site.advance('1s');
  await ana.isCalled(/^two$/);
  await ana.takes();
  assert.equal((await site.alarms.get(second)).ackUser, 'ana');
  assert.deepEqual(await historyOf(site, second), [`0 ${waits} 5`, '1 answered 5']);
  // Only the first call was missed, so it has the only system alarm.
  assert.deepEqual(await site.systemAlarms(), [`system/nobody-took-it/group/${one}`]);
  await site.expectWhatRings();
});

testOnAnyStore('a call waits for a long conversation without using up a try', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const [one, two] = await twoGroups(site, [ana]);
  await site.alarms.raise(one, { path: 'One', alarmMessage: 'one' });
  await ana.isCalled();
  await ana.answers('1');
  const second = await site.alarms.raise(two, { path: 'Two', alarmMessage: 'two', priority: 3 });
  await site.advance('170s');
  assert.deepEqual(await historyOf(site, second), [`0 ${waits} 2`]);
  await ana.press('1');
  await ana.isCalled(/^two$/);
  await ana.takes();
  assert.deepEqual(await site.systemAlarms(), []);
});

testOnAnyStore(
  'an alarm for a group and one of its members rings once, and taking it prevents the second ring',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const [group] = await twoGroups(site, [ana]);
    const alarmActions = [
      { type: 'CallGroup', id: group },
      { type: 'CallUser', id: ana.id },
    ];
    const alarm = await site.alarms.raise(group, { priority: 3, alarmActions });
    await ana.isCalled();
    assert.deepEqual(await site.systemAlarms(), []);
    await ana.takes();
    await ana.isNotCalled();
    assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
    await site.advance('10m');
    assert.deepEqual((await historyOf(site, alarm)).toSorted(), [`0 ${waits} 0`, '1 answered 5']);
    assert.deepEqual(await site.systemAlarms(), []);
  },
);

testOnAnyStore('two unanswered calls for one person ring in sequence, as explain predicts', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+33100000001'), voice('+33100000002')] });
  const [group] = await twoGroups(site, [ana]);
  const alarmActions = [
    { type: 'CallGroup', id: group },
    { type: 'CallUser', id: ana.id },
  ];
  const body = { path: 'x', priority: 3, alarmActions };
  const { calls } = await site.ask<Explanation>('POST', '/explain', body);
  const explained = calls.flatMap(({ steps }) =>
    steps.filter(({ what }) => what === 'attempt').map(({ time }) => time.slice(14, 19)),
  );
  assert.deepEqual(explained.toSorted(), ['00:00', '00:30', '01:00', '01:30']);
  assert.ok(calls.some(({ steps }) => steps.some(({ what, reason }) => what === 'held' && reason === waits)));
  const alarm = await site.alarms.raise(group, { priority: 3, alarmActions });
  await site.advance('10m');
  await site.expectWhatRings();
  const made = (await site.callHistories(`&alarmId=${alarm}`)).filter(({ attempt }) => attempt !== 0);
  assert.deepEqual(
    made.map(({ startTime }) => String(startTime).slice(14, 19)),
    explained.toSorted(),
  );
  const seen = await site.systemAlarms();
  for (const whom of [`group/${group}`, `user/${ana.id}`]) assert.ok(seen.includes(`system/nobody-took-it/${whom}`));
});

testOnAnyStore('a message waits until the ringing alarm call has ended', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const [group] = await twoGroups(site, [ana]);
  await site.alarms.raise(group);
  await ana.isCalled(/Pump1/);
  const body = { userIds: [ana.id], msgText: 'Come to the gate' };
  assert.equal(await site.ask<boolean>('POST', '/call/users', body), true);
  await ana.isCalled(/Pump1/);
  await ana.takes();
  await ana.isCalled(/^Come to the gate$/);
  await ana.hears();
  await ana.isNotCalled();
});

testOnAnyStore(
  'a free line goes to the most urgent call, before one that waits longer and before the next number',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [voice('+33100000001'), voice('+33100000002')] });
    const [one, two] = await twoGroups(site, [ana]);
    await site.ask('POST', '/call/test', { userIds: [ana.id] });
    await ana.isCalled(/test call/);
    await site.alarms.raise(one, { path: 'One', alarmMessage: 'one', priority: 2 });
    await site.settle();
    await site.alarms.raise(two, { path: 'Two', alarmMessage: 'two', priority: 1 });
    await ana.isCalled(/test call/);
    await site.advance('30s');
    await ana.isCalled(/^two$/);
    await ana.takes();
    await ana.isCalled(/^one$/);
    await ana.takes();
    await ana.isCalled(/test call/);
    await ana.hears();
    await ana.isNotCalled();
  },
);

testOnAnyStore('a call that waits for a line continues after a restart', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const [one, two] = await twoGroups(site, [ana]);
  await site.alarms.raise(one, { path: 'One', alarmMessage: 'one' });
  await ana.isCalled();
  await site.alarms.raise(two, { path: 'Two', alarmMessage: 'two', priority: 3 });
  await site.settle();
  await site.restart();
  site.app.clock.advance(11_000);
  await ana.isCalled(/^one$/);
  await ana.takes();
  await ana.isCalled(/^two$/);
  await ana.takes();
});

testOnAnyStore('two people with the same number are called one after the other', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = [voice('+33100000001')];
  const [ana, bo] = [await site.person('ana', { numbers }), await site.person('bo', { numbers })];
  const [group] = await twoGroups(site, [ana, bo]);
  await site.alarms.raise(group, { priority: 3 });
  await ana.isCalled();
  await bo.isNotCalled();
  await ana.declines();
  await bo.isCalled();
  await bo.takes();
  assert.deepEqual(await site.systemAlarms(), []);
});
