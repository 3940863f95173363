// Steps of the clock while people are called: no timer fires early or late, and a system alarm reports the step.

import assert from 'node:assert/strict';
import { hours, keepClock } from '../../../harness/site/kept-clock.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

const hour = 3_600_000;

testOnStores(
  'after a step of one hour ahead, a call is retried at the end of its pause and not earlier',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [voice('+331', { countTry: 3, timeToRetry: 60 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    await site.alarms.raise(group, { priority: 1 });
    await ana.isCalled();
    await ana.hangsUp();
    await using keeper = await keepClock(site);
    await keeper.setClock(hour);
    await until(keeper.movedBy, (ms) => hours(ms) === 1);
    assert.deepEqual(keeper.steps.map(hours), [1]);
    await ana.isNotCalled();
    await site.advance('55s');
    await ana.isNotCalled();
    await site.advance('6s');
    await ana.isCalled();
    assert.ok((await site.systemAlarms()).includes('system/clock'));
    await site.expectWhatRings();
  },
);

testOnStores('after a step of one hour back, a call is retried at the end of its pause', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+331', { countTry: 3, timeToRetry: 60 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 1 });
  await ana.isCalled();
  await ana.hangsUp();
  await using keeper = await keepClock(site);
  await keeper.setClock(-hour);
  await until(site.systemAlarms.bind(site), (paths) => paths.includes('system/clock'));
  assert.deepEqual([keeper.steps.map(hours), hours(keeper.movedBy())], [[-1], 0]);
  await site.advance('61s');
  await ana.isCalled();
  await site.expectWhatRings();
});

testOnStores('a step of one hour ahead does not shorten the window of the call cap', async (t, kind) => {
  const site = await startSite(t, kind, { overrides: { TOCSIN_CALL_CAP: '1/15' } });
  const ana = await site.person('ana', { numbers: [voice('+331', { countTry: 9, timeToRetry: 30 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 2 });
  await ana.isCalled();
  await ana.hangsUp();
  await using keeper = await keepClock(site);
  await keeper.setClock(hour);
  await until(keeper.movedBy, (ms) => hours(ms) === 1);
  await site.advance('13m');
  await ana.isNotCalled();
  await site.advance('121s');
  await ana.isCalled();
  await site.expectWhatRings();
});

testOnStores('a step of one hour ahead does not unlock a number after wrong PINs', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { pin: '4321', numbers: [voice('+331', { countTry: 9, timeToRetry: 30 })] });
  const group = await site.group('Pumps', [await site.team('Night', [ana])]);
  await site.alarms.raise(group, { priority: 1 });
  await ana.isCalled();
  await ana.answers('1', '1#', '2#', '3#');
  await using keeper = await keepClock(site);
  await keeper.setClock(hour);
  await until(keeper.movedBy, (ms) => hours(ms) === 1);
  await site.advance('13m');
  await ana.isNotCalled();
  await site.advance('3m');
  await ana.isCalled();
  await site.expectWhatRings();
});

for (const [name, byMs] of [
  ['ahead', hour],
  ['back', -hour],
] as const) {
  testOnStores(`a step of one hour ${name} does not change the length of an alarm delay`, async (t, kind) => {
    const site = await startSite(t, kind);
    const id = await site.alarms.send({ path: 'Pump', alarmMessage: 'Hot', alarmDelay: 60 });
    await using keeper = await keepClock(site);
    await keeper.setClock(byMs);
    await until(keeper.movedBy, (ms) => hours(ms) === Math.max(0, hours(byMs)));
    await site.advance('55s');
    assert.equal(await stateOf(site, id), 0);
    await site.advance('6s');
    assert.equal(await stateOf(site, id), 3);
    await site.expectWhatRings();
  });
}

for (const [name, byMs] of [
  ['ahead', hour],
  ['back', -hour],
] as const)
  testOnAnyStore(`a step of one hour ${name} does not let an acknowledgement expire early or late`, async (t, kind) => {
    const site = await startSite(t, kind);
    await site.ask('PUT', '/callpolicy', {
      priorities: [{ priority: 1, untilAcknowledged: true, ackExpiryMinutes: 30 }, { priority: 2 }],
    });
    const ana = await site.person('ana');
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const id = await site.alarms.raise(group, { priority: 1 });
    await ana.isCalled();
    await ana.takes();
    await using keeper = await keepClock(site);
    await keeper.setClock(byMs);
    await until(keeper.movedBy, (ms) => hours(ms) === Math.max(0, hours(byMs)));
    await site.advance('29m');
    assert.equal(await stateOf(site, id), 1);
    await site.advance('2m');
    assert.equal(await stateOf(site, id), 3);
    await site.expectWhatRings();
  });

testOnAnyStore('a step of one hour ahead gives up no provider that was just asked', async (t, kind) => {
  const site = await startSite(t, kind);
  const simulated = { channel: 'voice', kind: 'simulator' };
  const first = { name: 'First', order: 1, settings: { fault: 'silent' }, ...simulated };
  const id = await site.create('/providers', first);
  await site.create('/providers', { name: 'Second', order: 2, settings: { fault: 'none' }, ...simulated });
  const ana = await site.person('ana', { numbers: [voice('+33100000001')] });
  await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]), { priority: 3 });
  type Shown = { readonly health: { readonly inUse: number; readonly reason: string } };
  const health = async () => (await site.ask<Shown>('GET', `/providers/${id}`)).health;
  await until(health, ({ inUse }) => inUse === 1);
  await using keeper = await keepClock(site);
  await keeper.setClock(hour);
  await until(keeper.movedBy, (ms) => hours(ms) === 1);
  await site.app.poll();
  await site.app.poll();
  const { inUse, reason } = await health();
  assert.deepEqual([inUse, reason], [1, '']);
  site.app.clock.advance(10_000);
  await ana.isCalled();
  await site.expectWhatRings();
});

testOnAnyStore('a step ahead into a shift calls those who have the duty then', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana');
  const team = await site.team('Evening', [ana]);
  const scheduleId = await site.schedule(team, '13:00', '20:00');
  const group = await site.group('Pumps', [team], { scheduleId });
  await site.alarms.raise(group, { priority: 3 });
  await ana.isNotCalled();
  await using keeper = await keepClock(site);
  await keeper.setClock(hour + 60_000);
  await until(keeper.movedBy, (ms) => ms > hour);
  await ana.isCalled();
  await site.expectWhatRings();
});

testOnStores(
  'a start with a clock one hour behind the stored time does not change alarm delays, nor does its correction',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const [first, second] = [
      await site.alarms.send({ path: 'Pump', alarmMessage: 'Hot', alarmDelay: 60 }),
      await site.alarms.send({ path: 'Valve', alarmMessage: 'Stuck', alarmDelay: 120 }),
    ];
    site.app.clock.advance(-hour);
    await site.restart();
    await using keeper = await keepClock(site);
    assert.deepEqual(keeper.steps.map(hours), [-1]);
    assert.ok((await site.systemAlarms()).includes('system/clock'));
    await site.advance('61s');
    assert.equal(await stateOf(site, first), 3);
    await keeper.setClock(hour);
    assert.deepEqual(keeper.steps.map(hours), [-1, 1]);
    await site.advance('55s');
    assert.equal(await stateOf(site, second), 0);
    await site.advance('6s');
    assert.equal(await stateOf(site, second), 3);
    await site.expectWhatRings();
  },
);

async function stateOf(site: Site, id: number): Promise<unknown> {
  return (await site.ask('GET', `/alarms/${id}`)).state;
}
