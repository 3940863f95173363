// Histories, statistics and interventions filtered by call group, also as relief of another group; and the purge of old
// calls.

import assert from 'node:assert/strict';
import { purgeCalls } from '../../../../src/operations/calls/purge.ts';
import { startSite } from '../../../harness/site/site.ts';
import type { Row } from '../../../harness/site/site-caller.ts';
import { voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore, testOnStores } from '../../../harness/stores/test-on-stores.ts';

type List = { readonly items: readonly Row[]; readonly paging: { readonly total: number } };

testOnStores('the filter finds the alarms a group was called for, also as relief, and no other', async (t, kind) => {
  const site = await startSite(t, kind);
  const ana = await site.person('ana', { numbers: [voice('+331', { countTry: 1 })] });
  const bo = await site.person('bo');
  const relief = await site.group('Relief', [await site.team('B', [bo])]);
  const group = await site.group('Pumps', [await site.team('A', [ana])], { reliefGroupId: relief });
  const other = await site.group('Others', []);
  const alarm = await site.alarms.raise(group);
  await site.alarms.send({ path: 'Quiet', alarmMessage: 'calls nobody' });
  const alarmActions = [{ type: 'CallGroup', id: other, parameter: '600' }];
  const taken = await site.alarms.send({ path: 'Taken', alarmMessage: 'before its time', alarmActions });
  await site.alarms.acknowledge(taken);
  await ana.isCalled();
  await ana.hangsUp();
  await bo.isCalled();
  await bo.takes();
  for (const [callGroupId, tags] of [
    [group, [alarm]],
    [relief, [alarm]],
    [other, []],
  ] as const) {
    const of = (name: string) => site.ask<List>('GET', `/alarms/${name}?callGroupId=${callGroupId}`);
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

testOnAnyStore('the purge deletes ended calls with their phone messages and keeps open calls', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const over = await site.alarms.raise(await site.group('Pumps', [await site.team('A', [ana])]));
  await ana.isCalled();
  await ana.takes();
  await site.alarms.raise(await site.group('Fans', [await site.team('B', [bo])]), { path: 'Fan' });
  await bo.isCalled();
  const later = site.app.clock.now() + 1;
  while (await site.app.store.write(purgeCalls, { before: later, recordingsBefore: later, phonesBefore: later }));
  assert.deepEqual(
    (await site.callHistories()).map(({ user }) => user),
    ['bo'],
  );
  assert.deepEqual(await ana.messages(), []);
  assert.equal((await bo.messages()).length, 1);
  assert.equal((await site.alarms.get(over)).state, 1);
});
