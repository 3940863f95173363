// Steps of the clock while people are called: no timer fires early or late, and a system alarm reports the step.

import assert from 'node:assert/strict';
import { ClockSync } from '../../../../src/dispatch/clock-sync.ts';
import { alarmTopic } from '../../../../src/operations/alarms/events.ts';
import { type ReferenceTime, readReferenceTime } from '../../../../src/operations/system/reference-time.ts';
import { followEvents } from '../../../../src/store/event-feed.ts';
import type { Store } from '../../../../src/store/store.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';
import { until } from '../../../harness/until.ts';

const hour = 3_600_000;

const fail = (error: unknown): void => assert.fail(String(error));
/** Rounded to minutes, which hides the time the queries took. */
const hours = (ms: number): number => Math.round(ms / 60_000) / 60;

/** Runs a ClockSync on the clock of the site against a database time that the test steps by `setBy`. */
async function keepClock({ app }: Site) {
  let movedBy = 0;
  let setBy = 0;
  const store = Object.create(app.store, {
    read: {
      value: async (query: never, args: never) => {
        const answer = await app.store.read(query, args);
        if (query !== (readReferenceTime as never)) return answer;
        return { ...(answer as ReferenceTime), now: app.clock.now() - movedBy + setBy };
      },
    },
    write: { value: app.store.write.bind(app.store) },
  }) as Store;
  const clock = {
    now: () => app.clock.now(),
    moveBy: (ms: number) => {
      movedBy += ms;
      app.clock.advance(ms);
    },
  };
  const feed = await followEvents(app.store, alarmTopic, fail);
  const steps: number[] = [];
  const keeper = new ClockSync({ store, clock, feed, onTrouble: fail, onStep: (ms) => void steps.push(ms) });
  await keeper.start();
  return {
    // Disposed before the store closes; a `t.after` hook would run too late.
    async [Symbol.asyncDispose]() {
      await feed.stop();
      await keeper.stop();
    },
    steps,
    movedBy: () => movedBy,
    async setClock(byMs: number) {
      const before = steps.length;
      setBy += byMs;
      await keeper.poll();
      await until(
        () => steps.length,
        (length) => length > before,
      );
    },
  };
}

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
