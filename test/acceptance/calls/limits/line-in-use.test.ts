// A person is in one call of ours at a time: a phone that rings is waited for, as it reads what joins; a conversation is waited for
// without using up a try, and for a minute the next level is not called.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { type Person, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

/** Creates two groups that both call these people. */
async function twoGroups(site: Site, people: readonly Person[]): Promise<readonly [number, number]> {
  const team = await site.team('Night', people);
  return [await site.group('One', [team]), await site.group('Two', [team])];
}

/** The rows of the call history for the alarm, such as `ana 1 no answer 4`. */
async function historyOf(site: Site, alarm: number): Promise<readonly string[]> {
  const rows = await site.callHistories(`&alarmId=${alarm}`);
  return rows.map(({ user, attempt, detail, status }) => `${user} ${attempt} ${detail} ${status}`);
}

/** The step of each person of the call of a group, and why. */
async function stepsOf(site: Site, callGroupId: number): Promise<readonly string[]> {
  const { items } = await site.list('/calls?limit=10');
  const call = items.find((one) => one.callGroupId === callGroupId);
  const people = (call?.people ?? []) as readonly { user: string; step: string; reasonCode: string }[];
  return people.map(({ user, step, reasonCode }) => `${user} ${step} ${reasonCode}`);
}

type Explanation = { readonly calls: readonly { readonly steps: readonly ExplainedStep[] }[] };
type ExplainedStep = { readonly time: string; readonly what: string; readonly user?: string };

testOnAnyStore(
  "a second group's alarm waits for the ringing phone; unanswered, it has a try of its own after the rest",
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 2, timeToRetry: 60 })] });
    const [one, two] = await twoGroups(site, [ana]);
    const first = await site.alarms.raise(one, { path: 'One', alarmMessage: 'one', priority: 3 });
    await ana.isCalled(/^one$/);
    const second = await site.alarms.raise(two, { path: 'Two', alarmMessage: 'two', priority: 3 });
    await site.advance('29s');
    await ana.isCalled(/^one$/);
    assert.deepEqual(await historyOf(site, second), []);
    assert.deepEqual(await stepsOf(site, two), ['ana calling in-call-that-reads-it']);
    await site.advance('1s');
    await ana.isNotCalled();
    await site.advance('59s');
    await ana.isNotCalled();
    assert.deepEqual(await historyOf(site, first), ['ana 1 no answer 4']);
    assert.deepEqual(await historyOf(site, second), []);
    await site.advance('1s');
    await ana.isCalled(/^1 of 2: one\n2 of 2: two$/);
    await ana.answers('1', '1', '1');
    for (const alarm of [first, second]) assert.equal((await site.alarms.get(alarm)).ackUser, 'ana');
    assert.deepEqual(await historyOf(site, second), ['ana 2 answered 5']);
    // Nobody was called in vain.
    assert.deepEqual(await site.systemAlarms(), []);
    await site.expectWhatRings();
  },
);

testOnAnyStore(
  'a call waits for a long conversation without using up a try, and the next level for a minute',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1, timeToRetry: 60 })] });
    const [one, two] = await twoGroups(site, [ana]);
    await site.alarms.raise(one, { path: 'One', alarmMessage: 'one' });
    await ana.isCalled();
    await ana.answers('1');
    const second = await site.alarms.raise(two, { path: 'Two', alarmMessage: 'two', priority: 3 });
    await site.advance('59s');
    await site.admin.isNotCalled();
    await site.advance('1s');
    await site.admin.isCalled(/^Nobody has taken this: two$/);
    await site.admin.declines();
    await site.advance('110s');
    assert.deepEqual(await stepsOf(site, two), ['ana lineInUse in-another-call']);
    assert.deepEqual(await historyOf(site, second), ['admin 1 answered 6']);
    await ana.press('1');
    await ana.isNotCalled();
    await site.advance('60s');
    await ana.isCalled(/^two$/);
    await ana.takes();
    assert.deepEqual(await historyOf(site, second), ['admin 1 answered 6', 'ana 1 answered 5']);
    assert.equal((await site.alarms.get(second)).ackUser, 'ana');
    assert.deepEqual(await site.activeSystemAlarms(), []);
  },
);

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
    assert.deepEqual(await historyOf(site, alarm), ['ana 1 answered 5']);
    assert.deepEqual(await site.systemAlarms(), []);
  },
);

testOnAnyStore(
  'a person whom two actions of an alarm name has one call for both, as explain predicts',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const numbers = ['+33100000001', '+33100000002'].map((address) => voice(address, { countTry: 1 }));
    const ana = await site.person('ana', { numbers });
    const [group] = await twoGroups(site, [ana]);
    const alarmActions = [
      { type: 'CallGroup', id: group },
      { type: 'CallUser', id: ana.id },
    ];
    const body = { path: 'x', priority: 3, alarmActions };
    const { calls } = await site.ask<Explanation>('POST', '/explain', body);
    const explained = calls
      .flatMap(({ steps }) => steps.filter(({ what }) => what === 'attempt'))
      .map(({ time, user }) => `${time.slice(14, 19)} ${user}`);
    assert.deepEqual(explained.toSorted(), ['00:00 ana', '00:30 ana', '01:00 admin', '02:30 admin']);
    const alarm = await site.alarms.raise(group, { priority: 3, alarmActions });
    await site.advance('10m');
    await site.expectWhatRings();
    const made = await site.callHistories(`&alarmId=${alarm}`);
    assert.deepEqual(
      made.map(({ startTime, user }) => `${String(startTime).slice(14, 19)} ${user}`),
      explained.toSorted(),
    );
    const seen = await site.systemAlarms();
    for (const whom of [`group/${group}`, `user/${ana.id}`]) assert.ok(seen.includes(`system/nobody-took-it/${whom}`));
  },
);

testOnAnyStore('a message that comes while the phone rings for an alarm is read in that call', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const [group] = await twoGroups(site, [ana]);
  await site.alarms.raise(group);
  await ana.isCalled(/Pump1/);
  const body = { userIds: [ana.id], msgText: 'Come to the gate' };
  assert.equal(await site.ask<boolean>('POST', '/call/users', body), true);
  await ana.isCalled(/Pump1/);
  const [, alarm, message, end] = await ana.answers('1', '1', '1');
  assert.match(alarm ?? '', /^There are 2, all of Main.\nAlarm 1 of 2: Pump1 is too hot\n/);
  assert.match(message ?? '', /^You have taken it. Thank you.\nMessage 2 of 2: Come to the gate\n/);
  assert.match(end ?? '', /^Confirmed. Thank you./);
  await site.advance('10m');
  await ana.isNotCalled();
  assert.equal((await site.callHistories(`&userId=${ana.id}`)).length, 1);
});

testOnAnyStore(
  'after a ring the most urgent alarm is called for, in one call with the others and before the next number',
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
    const call = await ana.isCalled(/^1 of 2: two\n2 of 2: one$/);
    assert.equal(call.address, '+33100000001');
    const said = await ana.answers('1', '1', '1', '1');
    for (const [index, item] of [
      'Alarm 1 of 3: two',
      'Alarm 2 of 3: one',
      'Test 3 of 3: Test: this is a test call',
    ].entries())
      assert.ok(said[index + 1]?.includes(`\n${item}\n`), said[index + 1]);
    assert.match(said[4] ?? '', /^Confirmed. Thank you./);
    await site.advance('10m');
    await ana.isNotCalled();
  },
);

testOnAnyStore('a call that waits for a phone that rings continues after a restart', async (t, kind) => {
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
  const [, first, second, end] = await ana.answers('1', '1', '1');
  assert.match(first ?? '', /\nAlarm 1 of 2: one\n/);
  assert.match(second ?? '', /\nAlarm 2 of 2: two\n/);
  assert.match(end ?? '', /^You have taken it. Thank you./);
  await site.advance('10m');
  await ana.isNotCalled();
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
