// Steps of the clock while people are called: no timer fires early or late, and a system alarm reports the step.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClockSync } from '../../../../src/dispatch/clock-sync.ts';
import { type ReferenceTime, readReferenceTime } from '../../../../src/operations/system/reference-time.ts';
import { followEvents } from '../../../../src/store/event-feed.ts';
import type { Store } from '../../../../src/store/store.ts';
import { storesUnderTest } from '../../../harness/stores.ts';
import { type Story, startStory, voice } from '../../../harness/story.ts';
import { until } from '../../../harness/until.ts';

const hour = 3_600_000;

const fail = (error: unknown): void => assert.fail(String(error));
/** Rounded to minutes, which hides the time the queries took. */
const hours = (ms: number): number => Math.round(ms / 60_000) / 60;

/** Runs a ClockSync on the story's clock against a database time that the test steps by `setBy`. */
async function keepClock({ app }: Story) {
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
  const feed = await followEvents(app.store, fail);
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
      keeper.poll();
      await until(
        () => steps.length,
        (length) => length > before,
      );
    },
  };
}

for (const kind of storesUnderTest()) {
  test(`${kind}: after a step of one hour ahead, a call is retried at the end of its pause and not earlier`, async (t) => {
    const story = await startStory(t, kind);
    const ana = await story.person('ana', { numbers: [voice('+331', { countTry: 3, timeToRetry: 60 })] });
    const group = await story.group('Pumps', [await story.team('Night', [ana])]);
    await story.raise(group, { priority: 1 });
    await ana.isCalled();
    await ana.hangsUp();
    await using keeper = await keepClock(story);
    await keeper.setClock(hour);
    await until(keeper.movedBy, (ms) => hours(ms) === 1);
    assert.deepEqual(keeper.steps.map(hours), [1]);
    await ana.isNotCalled();
    await story.advance('55s');
    await ana.isNotCalled();
    await story.advance('6s');
    await ana.isCalled();
    assert.ok((await story.systemAlarms()).includes('system/clock'));
    await story.expectWhatRings();
  });

  test(`${kind}: after a step of one hour back, a call is retried at the end of its pause`, async (t) => {
    const story = await startStory(t, kind);
    const ana = await story.person('ana', { numbers: [voice('+331', { countTry: 3, timeToRetry: 60 })] });
    const group = await story.group('Pumps', [await story.team('Night', [ana])]);
    await story.raise(group, { priority: 1 });
    await ana.isCalled();
    await ana.hangsUp();
    await using keeper = await keepClock(story);
    await keeper.setClock(-hour);
    await until(story.systemAlarms.bind(story), (paths) => paths.includes('system/clock'));
    assert.deepEqual([keeper.steps.map(hours), hours(keeper.movedBy())], [[-1], 0]);
    await story.advance('61s');
    await ana.isCalled();
    await story.expectWhatRings();
  });

  for (const [name, byMs] of [
    ['ahead', hour],
    ['back', -hour],
  ] as const) {
    test(`${kind}: a step of one hour ${name} does not change the length of an alarm delay`, async (t) => {
      const story = await startStory(t, kind);
      const id = await story.ask<number>('POST', '/alarms', { path: 'Pump', alarmMessage: 'Hot', alarmDelay: 60 });
      await using keeper = await keepClock(story);
      await keeper.setClock(byMs);
      await until(keeper.movedBy, (ms) => hours(ms) === Math.max(0, hours(byMs)));
      await story.advance('55s');
      assert.equal(await stateOf(story, id), 0);
      await story.advance('6s');
      assert.equal(await stateOf(story, id), 3);
      await story.expectWhatRings();
    });
  }

  test(`${kind}: a start with a clock one hour behind the stored time does not change alarm delays, nor does its correction`, async (t) => {
    const story = await startStory(t, kind);
    const [first, second] = [
      await story.ask<number>('POST', '/alarms', { path: 'Pump', alarmMessage: 'Hot', alarmDelay: 60 }),
      await story.ask<number>('POST', '/alarms', { path: 'Valve', alarmMessage: 'Stuck', alarmDelay: 120 }),
    ];
    story.app.clock.advance(-hour);
    await story.restart();
    await using keeper = await keepClock(story);
    assert.deepEqual(keeper.steps.map(hours), [-1]);
    assert.ok((await story.systemAlarms()).includes('system/clock'));
    await story.advance('61s');
    assert.equal(await stateOf(story, first), 3);
    await keeper.setClock(hour);
    assert.deepEqual(keeper.steps.map(hours), [-1, 1]);
    await story.advance('55s');
    assert.equal(await stateOf(story, second), 0);
    await story.advance('6s');
    assert.equal(await stateOf(story, second), 3);
    await story.expectWhatRings();
  });
}

async function stateOf(story: Story, id: number): Promise<unknown> {
  return (await story.ask('GET', `/alarms/${id}`)).state;
}
