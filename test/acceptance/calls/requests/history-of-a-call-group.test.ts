// Histories, statistics and interventions filtered by call group, also as relief of another group; and the purge of old
// calls.

import assert from 'node:assert/strict';
import { purgeCalls } from '../../../../src/operations/calls/purge.ts';
import type { Row } from '../../../harness/alarm-desk.ts';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

type List = { readonly items: readonly Row[]; readonly paging: { readonly total: number } };

testOnStores('the filter finds the alarms a group was called for, also as relief, and no other', async (t, kind) => {
  const story = await startStory(t, kind);
  const ana = await story.person('ana', { numbers: [voice('+331', { countTry: 1 })] });
  const bo = await story.person('bo');
  const relief = await story.group('Relief', [await story.team('B', [bo])]);
  const group = await story.group('Pumps', [await story.team('A', [ana])], { reliefGroupId: relief });
  const other = await story.group('Others', []);
  const alarm = await story.raise(group);
  await story.ask('POST', '/alarms', { path: 'Quiet', alarmMessage: 'calls nobody' });
  const alarmActions = [{ type: 'CallGroup', id: other, parameter: '600' }];
  const taken = await story.ask('POST', '/alarms', { path: 'Taken', alarmMessage: 'before its time', alarmActions });
  await story.ask('POST', `/alarms/${taken}/acknowledge`);
  await ana.isCalled();
  await ana.hangsUp();
  await bo.isCalled();
  await bo.takes();
  for (const [callGroupId, tags] of [
    [group, [alarm]],
    [relief, [alarm]],
    [other, []],
  ] as const) {
    const of = (name: string) => story.ask<List>('GET', `/alarms/${name}?callGroupId=${callGroupId}`);
    const histories = await of('histories');
    assert.deepEqual([histories.items.map(({ tagId }) => tagId), histories.paging.total], [tags, tags.length]);
    assert.deepEqual(
      (await of('statistics')).items.map(({ id }) => id),
      tags,
    );
    assert.deepEqual(
      (await of('interventions')).items.map(({ user, interventionNumber }) => [user, interventionNumber]),
      tags.length === 0 ? [] : [['bo', 1]],
    );
  }
});

testOnStores('the purge deletes ended calls with their phone messages and keeps open calls', async (t, kind) => {
  const story = await startStory(t, kind);
  const [ana, bo] = [await story.person('ana'), await story.person('bo')];
  const over = await story.raise(await story.group('Pumps', [await story.team('A', [ana])]));
  await ana.isCalled();
  await ana.takes();
  await story.raise(await story.group('Fans', [await story.team('B', [bo])]), { path: 'Fan' });
  await bo.isCalled();
  const later = story.app.clock.now() + 1;
  while (await story.app.store.write(purgeCalls, { before: later, phonesBefore: later }));
  assert.deepEqual(
    (await story.histories()).map(({ user }) => user),
    ['bo'],
  );
  assert.deepEqual(await ana.messages(), []);
  assert.equal((await bo.messages()).length, 1);
  assert.equal((await story.alarm(over)).state, 1);
});
