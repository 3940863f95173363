// The server is stopped in the middle of calling and started again: nothing is lost, nobody is called twice.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storesUnderTest } from '../../harness/stores.ts';
import { startStory, voice } from '../../harness/story.ts';

for (const kind of storesUnderTest()) {
  test(`${kind}: a phone rings on, pauses run on, and each attempt is made once`, async (t) => {
    const story = await startStory(t, kind);
    const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 2, timeToRetry: 60 })] });
    const bo = await story.person('bo');
    const group = await story.group('Pumps', [await story.team('Night', [ana], [bo])]);
    const alarm = await story.raise(group);
    await ana.isCalled();
    await story.advance('10s');
    await story.restart();
    await story.advance('15s');
    await ana.isCalled();
    assert.equal((await story.histories()).length, 1);
    await story.advance('5s');
    await ana.isNotCalled();
    await story.restart();
    await story.advance('59s');
    await ana.isNotCalled();
    await story.advance('1s');
    await ana.isCalled();
    await story.restart();
    await story.advance('30s');
    await bo.isCalled();
    assert.deepEqual((await ana.messages()).length, 2);
    const rows = (await story.histories()).map(({ user, attempt, detail }) => `${user} ${attempt} ${detail}`);
    assert.deepEqual(rows, ['ana 1 no answer', 'ana 2 no answer', 'bo 1 relief: others were not reached']);
    await bo.takes();
    assert.equal((await story.alarm(alarm)).ackUser, 'bo');
  });

  test(`${kind}: a call that was answered while nobody looked goes on from there`, async (t) => {
    const story = await startStory(t, kind);
    const ana = await story.person('ana');
    const group = await story.group('Pumps', [await story.team('Night', [ana])]);
    const alarm = await story.raise(group, { alarmActions: [{ type: 'CallGroup', id: group, parameter: '60' }] });
    await story.restart();
    await story.advance('59s');
    await ana.isNotCalled();
    await story.advance('1s');
    await ana.isCalled();
    await ana.answers('1');
    await story.restart();
    assert.equal(await ana.press('1'), 'You have taken it. Thank you.');
    // What the server had in hand is its own for a while yet, unless it can only have been this one.
    if (kind === 'postgres') story.app.clock.advance(11_000);
    await story.advance('1s');
    const detail = { sqlite: 'answered', postgres: 'nobody knows what became of it' }[kind];
    assert.equal((await story.histories())[0]?.detail, detail);
    await story.advance('1h');
    await ana.isNotCalled();
    assert.equal((await story.alarm(alarm)).ackUser, 'ana');
    assert.equal((await story.histories()).length, 1);
  });
}
