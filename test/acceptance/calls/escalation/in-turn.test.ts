// A call group with `callMode: 'turn'` calls one person per alarm, in rotation.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { numberOf, voice } from '../../../harness/site/site-phones.ts';
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
