// Relief groups with relief groups of their own, seven levels deep.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { numberOf, type Person, voice } from '../../../harness/site/site-phones.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore('seven nested relief groups are called one after the other', async (t, kind) => {
  const site = await startSite(t, kind);
  const names = ['ana', 'bo', 'cy', 'di', 'ed', 'flo', 'gus', 'hal'];
  const people: Person[] = [];
  let group = 0;
  for (const name of names.toReversed()) {
    const person = await site.person(name, { numbers: [voice(numberOf(name), { countTry: 1 })] });
    people.unshift(person);
    group = await site.group(`Group of ${name}`, [await site.team(name, [person])], {
      reliefGroupId: group || null,
    });
  }
  const alarm = await site.alarms.raise(group);
  for (const [index, person] of people.entries()) {
    await person.isCalled(/Pump1/);
    for (const other of people.slice(index + 1)) await other.isNotCalled();
    if (index < 7) await site.advance('30s');
  }
  await people[7]?.takes();
  assert.equal((await site.alarms.get(alarm)).ackUser, 'hal');
  assert.deepEqual(await site.systemAlarms(), []);
});
