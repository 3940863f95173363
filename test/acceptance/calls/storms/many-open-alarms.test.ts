// With many open alarms the engine decides on what has changed, in a thread of its own; here it comes to the same as deciding on all,
// which the site does to know that nothing is left to be done.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { numberOf, voice } from '../../../harness/site/site-phones.ts';
import { testOnStores } from '../../../harness/stores/test-on-stores.ts';

const alarmCount = 220;

testOnStores(
  'with many open alarms a call is for all of them, also those for which nothing has changed',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana', { numbers: [voice(numberOf('ana'), { countTry: 3 })] });
    const group = await site.group('Pumps', [await site.team('Night', [ana])]);
    const alarmActions = [{ type: 'CallGroup', id: group }];
    const alarms = Array.from({ length: alarmCount }, (_, n) => ({ path: `Pump ${n}`, priority: 3, alarmActions }));
    const ids = await site.ask<readonly number[]>('POST', '/alarms/batch', alarms);
    await ana.isCalled();
    await ana.hangsUp();
    await site.advance('10s');
    const urgent = await site.ask<number>('POST', '/alarms', { path: 'Fire', priority: 1, alarmActions });
    await ana.isCalled();
    const rows = await site.callHistories(`&userId=${ana.id}`);
    const forAlarms = rows.map(({ alarmIds }) => new Set(alarmIds as readonly number[]));
    assert.deepEqual(forAlarms, [new Set(ids), new Set([urgent, ...ids])]);
    const said = (await ana.declines()).join('\n');
    assert.match(said, /There are 221 alarms|1 of 221/);
    await site.admin.isCalled(/Nobody has taken this: Fire/);
    await site.admin.takes();
  },
);
