// A call group with `callMode: 'turn'` calls one person per alarm, in rotation.

import assert from 'node:assert/strict';
import { carryOut } from '../../../../src/operations/calls/engine/carry-out.ts';
import { decideCalls } from '../../../../src/operations/calls/engine/decide-calls.ts';
import { type Site, startSite } from '../../../harness/site/site.ts';
import { numberOf, voice } from '../../../harness/site/site-phones.ts';
import { tablesOf } from '../../../harness/stores/table-rows.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('each alarm calls the next person, and an unanswered one goes to the one after', async (t, kind) => {
  const site = await startSite(t, kind);
  const numbers = (name: string) => ({ numbers: [voice(numberOf(name), { countTry: 1 })] });
  const people = [
    await site.person('ana', numbers('a')),
    await site.person('bo', numbers('b')),
    await site.person('cy', numbers('c')),
  ];
  const group = await site.group('Pumps', [await site.team('Night', people)], { callMode: 'turn' });
  for (const [index, person] of [...people, people[0]].entries()) {
    await site.alarms.raise(group, { path: `Alarm ${index}` });
    await person?.isCalled();
    for (const other of people.filter((one) => one !== person)) await other.isNotCalled();
    await person?.takes();
  }
  await site.alarms.raise(group, { path: 'Nobody answers' });
  await people[1]?.isCalled();
  await site.advance('30s');
  await people[1]?.isNotCalled();
  await people[2]?.isCalled();
  await people[2]?.takes();
  assert.deepEqual(await site.systemAlarms(), []);
});

testOnAnyStore('an alarm that changes between a decision and its write rings one person', async (t, kind) => {
  const site = await startSite(t, kind);
  const [ana, bo] = [await site.person('ana'), await site.person('bo')];
  const group = await site.group('Pumps', [await site.team('Night', [ana, bo])], { callMode: 'turn' });
  const alarmActions = [{ type: 'CallGroup', id: group, parameter: '60' }];
  await site.alarms.raise(group, { priority: 3, alarmActions });
  await site.settle();
  const { clock, store } = site.app;
  const { plan } = await store.read(decideCalls, { now: clock.now() + 60_000 });
  assert.ok(plan !== undefined && plan.begin.length === 1, 'it would ring the first in turn');
  await site.alarms.raise(group, { priority: 2, alarmActions });
  await store.write(carryOut, { plan, node: await deciderOf(site) });
  await ana.isNotCalled();
  await site.advance('1m');
  await ana.isCalled();
  await bo.isNotCalled();
});

/** The node that decides on calls. */
async function deciderOf(site: Site): Promise<string> {
  const tables = await tablesOf(site.app.environment);
  const lease = (await tables.all('meta')).find(({ key }) => key === 'calling-lease');
  await tables.close();
  return lease === undefined ? 'sqlite' : JSON.parse(lease.value).node;
}
