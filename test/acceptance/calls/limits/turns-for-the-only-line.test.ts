// One line for many calls: of equally urgent ones the group that had it least recently goes first, and everybody sees who waits for it.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { numberOf, voice } from '../../../harness/site/site-phones.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

testOnStores(
  'the only line goes to the group that had it least recently, and an alarm says who waits',
  async (t, kind) => {
    const site = await startSite(t, kind);
    await site.create('/providers', { name: 'PBX', channel: 'voice', kind: 'simulator', lines: 1 });
    const stationId = await site.create('/stations', { name: 'Other' });
    const person = (name: string) => site.person(name, { numbers: [voice(numberOf(name), { countTry: 1 })] });
    const many = [];
    for (const name of ['ana', 'bea', 'cem', 'dan', 'eva', 'fay']) many.push(await person(name));
    const greta = await person('greta');
    const crowd = await site.group('Crowd', [await site.team('Crowd', many)]);
    const alone = await site.group('Alone', [await site.team('Alone', [greta])], { stationId });
    await site.alarms.raise(crowd, { path: 'Crowd', alarmMessage: 'crowd', priority: 2 });
    await many[0]?.isCalled();
    await site.alarms.raise(alone, { path: 'Alone', alarmMessage: 'alone', priority: 2 });
    await greta.isNotCalled();
    const { items } = await site.list('/calls?limit=10');
    assert.match(
      JSON.stringify(items.find(({ name }) => name === 'Alone')),
      /noLine/,
      'everybody sees what they wait for',
    );
    await site.advance('30s');
    await greta.isCalled(/^alone$/);
    await site.advance('29s');
    assert.ok(!(await site.activeSystemAlarms()).includes('system/no-free-line/voice'));
    await site.advance('2s');
    assert.ok((await site.activeSystemAlarms()).includes('system/no-free-line/voice'), 'they wait for a minute');
    await site.expectWhatRings();
  },
);
