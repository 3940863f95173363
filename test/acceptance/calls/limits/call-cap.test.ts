// The call cap (TOCSIN_CALL_CAP) holds a person's calls for a while, visibly: one bundled call says what waits, and when the window
// allows, one call is made for all alarms.

import assert from 'node:assert/strict';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';

/** The step of each person of the open calls, with its time and reason. */
async function steps(site: Site): Promise<readonly string[]> {
  const { items } = await site.list('/calls?limit=10');
  const people = items.flatMap((call) => call.people as { step: string; nextTime?: string; reason: string }[]);
  return people.map(({ step, nextTime, reason }) => `${step} ${nextTime} ${reason}`);
}

testOnAnyStore(
  'after three calls in 15 minutes one bundled call is made; the next waits and has both alarms',
  async (t, kind) => {
    const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_CAP: '3/15' } });
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 9, timeToRetry: 30 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    await site.alarms.raise(group, { priority: 2 });
    for (let time = 1; time <= 3; time++) {
      await ana.isCalled();
      await site.advance('60s');
    }
    await ana.isCalled(/^Pump1 is too hot$/);
    await site.advance('60s');
    await ana.isNotCalled();
    // A minute after the bundle nobody has answered: the next level is called, which is the last resort here.
    await site.admin.isCalled(/^Nobody has taken this: Pump1 is too hot$/);
    await site.admin.declines();
    const rows = await site.callHistories(`&userId=${ana.id}`);
    assert.deepEqual(
      rows.map(({ attempt, startTime, reason }) => `${attempt} ${String(startTime).slice(14, 19)} ${reason}`),
      [
        '1 00:00 the alarm was raised',
        '2 01:00 the call before was not answered',
        '3 02:00 the call before was not answered',
        '1 03:00 called as often as allowed: one message for the alarm that waits',
      ],
    );
    assert.deepEqual(await steps(site), [
      'throttled 2026-11-15T13:15:00.000+01:00 called as often as allowed, and not again before 13:15',
      'declined undefined has declined it',
    ]);
    await site.alarms.raise(group, { path: 'Second', alarmMessage: 'second', priority: 2 });
    await site.advance('659s');
    await ana.isNotCalled();
    await site.advance('1s');
    await ana.isCalled(/^1 of 2: Pump1 is too hot\n2 of 2: second$/);
    const said = await ana.answers('1', '9', '1');
    assert.match(said.at(-1) ?? '', /^You have taken 2 alarms./);
    assert.deepEqual(await steps(site), []);
  },
);

testOnAnyStore('a call of priority 1 ignores the cap and includes the held alarms', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_CAP: '1/15' } });
  const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 9, timeToRetry: 30 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 2 });
  await ana.isCalled();
  await site.advance('60s');
  await ana.isCalled(/^Pump1 is too hot$/);
  await site.advance('60s');
  await ana.isNotCalled();
  await site.alarms.raise(group, { path: 'Fire', alarmMessage: 'fire', priority: 1 });
  await ana.isCalled(/^1 of 2: fire\n2 of 2: Pump1 is too hot$/);
  await site.advance('60s');
  await ana.isCalled();
  await ana.takes();
});

testOnStores(
  'who is passed over because of the cap has one row for each alarm, that of the bundle or their own',
  async (t, kind) => {
    const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_CAP: '1/60' } });
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1, timeToRetry: 30 })] });
    const bo = await site.person('bo', { numbers: [voice('+33100000002', { countTry: 1, timeToRetry: 30 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana], [bo])]);
    const first = await site.alarms.raise(group, { path: 'First', priority: 3 });
    await ana.isCalled();
    await ana.takes();
    await site.advance('60s');
    const second = await site.alarms.raise(group, { path: 'Second', priority: 3 });
    await ana.isCalled();
    await ana.hangsUp();
    await site.advance('5m');
    const third = await site.alarms.raise(group, { path: 'Third', priority: 3 });
    await site.advance('59s');
    const rowsOf = async (alarm: number) => {
      const rows = await site.callHistories(`&alarmId=${alarm}&userId=${ana.id}`);
      return rows.map(({ attempt, outcome, detail }) => `${attempt} ${outcome} ${detail}`);
    };
    assert.deepEqual(await rowsOf(third), []);
    await site.advance('20m');
    assert.deepEqual(await rowsOf(first), ['1 answered answered']);
    assert.deepEqual(await rowsOf(second), ['1 declined rejected']);
    assert.deepEqual(await rowsOf(third), ['0 limited called as often as allowed, and not again before 14:00']);
    await site.expectWhatRings();
  },
);
