// Raising the priority of an unacknowledged alarm to 1 calls people again, unless a call for it is still open.

import assert from 'node:assert/strict';
import type { Row } from '../../../harness/alarm-desk.ts';
import { type Story, startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

/** An alarm of priority 3 calls ana once; its number is tried once. */
async function lesserAlarm(story: Story, more: object = {}) {
  const ana = await story.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
  const group = await story.group('Pumps', [await story.team('Night', [ana])]);
  const alarm = await story.raise(group, { priority: 3, ...more });
  return { ana, group, alarm };
}

/** The reasons of the timeline's `called-anew` events. */
async function reasons(story: Story, alarm: number): Promise<readonly unknown[]> {
  const events = await story.ask<readonly Row[]>('GET', `/alarms/${alarm}/timeline`);
  return events.filter(({ event }) => event === 'called-anew').map(({ data }) => (data as Row).reason);
}

testOnStores(
  'an alarm that nobody answered, raised to priority 1, is called for again until somebody takes it',
  async (t, kind) => {
    const story = await startStory(t, kind);
    const { ana, group, alarm } = await lesserAlarm(story);
    await ana.isCalled();
    await story.advance('30s');
    await story.admin.isCalled(/called in vain/);
    await story.admin.takes();
    await story.advance('1h');
    await ana.isNotCalled();
    await story.raise(group, { priority: 1 });
    await ana.isCalled(/Pump1 is too hot/);
    assert.deepEqual(await reasons(story, alarm), ['priority 1 instead of 3, and nobody has acknowledged it']);
    await ana.hangsUp();
    await story.expectWhatRings();
    await story.advance('301s');
    await ana.isCalled();
    await story.raise(group, { priority: 1 });
    assert.equal((await reasons(story, alarm)).length, 1, 'a report that changes nothing calls nobody');
    await ana.takes();
    assert.equal((await story.alarm(alarm)).ackUser, 'ana');
    await story.expectWhatRings();
  },
);

testOnStores(
  'an alarm that was only heard, raised to priority 1, calls the same person again, without the delay',
  async (t, kind) => {
    const story = await startStory(t, kind);
    const { ana, group, alarm } = await lesserAlarm(story, { alarmActions: [] });
    const alarmActions = [{ type: 'CallGroup', id: group, parameter: '60' }];
    await story.raise(group, { priority: 3, alarmActions });
    await story.advance('60s');
    await ana.isCalled();
    await ana.hears();
    await story.advance('1h');
    await ana.isNotCalled();
    await story.raise(group, { priority: 1, alarmActions });
    await ana.isCalled();
    await ana.takes();
    assert.equal((await story.alarm(alarm)).ackUser, 'ana');
  },
);

testOnStores(
  'a raised priority begins no call while one is open, after an acknowledgement or after the return',
  async (t, kind) => {
    const story = await startStory(t, kind);
    const { ana, group, alarm } = await lesserAlarm(story);
    await ana.isCalled();
    await story.raise(group, { priority: 1 });
    await ana.isCalled();
    assert.equal((await story.histories()).length, 1);
    await ana.takes();
    await story.raise(group, { priority: 3 });
    await story.raise(group, { priority: 1 });
    await ana.isNotCalled();
    await story.returnsToNormal();
    await story.raise(group, { priority: 3, raised: false });
    await story.raise(group, { priority: 1, raised: false });
    await ana.isNotCalled();
    await story.raise(group, { priority: 3 });
    await ana.isCalled();
    await ana.hears();
    await story.raise(group, { priority: 1, raised: false });
    await ana.isNotCalled();
    assert.deepEqual(await reasons(story, alarm), []);
  },
);

testOnStores(
  'an alarm raised and then set to priority 1 in one request gets one call, with priority 1',
  async (t, kind) => {
    const story = await startStory(t, kind);
    const { ana, group } = await lesserAlarm(story, { alarmActions: [] });
    const fan = { path: 'Plant/Fan', alarmMessage: 'Fan stands', alarmActions: [{ type: 'CallGroup', id: group }] };
    await story.ask(
      'POST',
      '/alarms/batch',
      [3, 1].map((priority) => ({ ...fan, priority })),
    );
    await ana.isCalled(/Fan stands/);
    assert.equal((await story.histories()).length, 1);
    await ana.hangsUp();
    await story.expectWhatRings();
    await story.advance('301s');
    await ana.isCalled(/Fan stands/);
    await ana.takes();
    await story.expectWhatRings();
  },
);
