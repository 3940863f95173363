// Alarms that come while people are called: one call reads all of them, the most urgent first.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storesUnderTest } from '../../harness/stores.ts';
import { startStory, voice } from '../../harness/story.ts';

for (const kind of storesUnderTest()) {
  test(`${kind}: two alarms in one call, each of them told of as "n of m"`, async (t) => {
    const story = await startStory(t, kind);
    const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 2, timeToRetry: 60 })] });
    const group = await story.group('Pumps', [await story.team('Night', [ana])]);
    const first = await story.raise(group, { path: 'First', alarmMessage: 'first', priority: 2 });
    await ana.isCalled(/^first$/);
    const second = await story.raise(group, { path: 'Second', alarmMessage: 'second', priority: 1 });
    await story.advance('90s');
    await ana.isCalled(/^1 of 2: second\n2 of 2: first$/);
    const said = await ana.answers('1', '5', '1');
    assert.match(said[1] ?? '', /^Alarm 1 of 2: second/);
    assert.match(said[2] ?? '', /^Alarm 2 of 2: first/);
    for (const id of [first, second]) assert.equal((await story.alarm(id)).ackUser, 'ana');
    assert.equal(new Set((await story.histories()).map(({ groupCallId }) => groupCallId)).size, 1);
  });

  test(`${kind}: at most ten are read, and how many more there are; who takes them takes them all`, async (t) => {
    const story = await startStory(t, kind);
    const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 2, timeToRetry: 60 })] });
    const group = await story.group('Pumps', [await story.team('Night', [ana])]);
    const alarmActions = [{ type: 'CallGroup', id: group, parameter: '5' }];
    const alarms = Array.from({ length: 12 }, (_, index) => ({
      path: `A${index}`,
      alarmMessage: `alarm ${index}`,
      alarmActions,
    }));
    const ids = await story.ask<readonly number[]>('POST', '/alarms/batch', alarms);
    await story.advance('5s');
    const { text } = await ana.isCalled(/^1 of 12: alarm 0\n/);
    assert.equal(text.split('\n').length, 11);
    assert.match(text, /\n10 of 12: alarm 9\nand 2 more$/);
    await ana.answers('1');
    const late = await story.raise(group, { path: 'Late', alarmMessage: 'late', priority: 3 });
    await story.settle();
    await ana.press('1');
    const takers = new Set(await Promise.all(ids.map(async (id) => (await story.alarm(id)).ackUser)));
    assert.deepEqual(takers, new Set(['ana']));
    // Of this one nobody has told yet.
    await ana.isCalled(/^late$/);
    assert.equal((await story.alarm(late)).ackUser, '');
  });

  test(`${kind}: who has heard of twelve alarms is not called again for the two that were not read`, async (t) => {
    const story = await startStory(t, kind);
    const ana = await story.person('ana');
    const group = await story.group('Pumps', [await story.team('Night', [ana])]);
    const alarmActions = [{ type: 'CallGroup', id: group, parameter: '5' }];
    const alarms = Array.from({ length: 12 }, (_, index) => ({ path: `A${index}`, alarmActions }));
    await story.ask('POST', '/alarms/batch', alarms);
    await story.advance('5s');
    await ana.isCalled(/and 2 more$/);
    await ana.hears();
    await story.advance('1h');
    await ana.isNotCalled();
    assert.equal((await story.histories()).length, 1);
  });
}
