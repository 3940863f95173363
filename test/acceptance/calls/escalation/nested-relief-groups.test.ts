// Relief groups with relief groups of their own, seven levels deep.

import assert from 'node:assert/strict';
import { type Person, startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('seven nested relief groups are called one after the other', async (t, kind) => {
  const story = await startStory(t, kind);
  const names = ['ana', 'bo', 'cy', 'di', 'ed', 'flo', 'gus', 'hal'];
  const people: Person[] = [];
  let group = 0;
  for (const name of names.toReversed()) {
    const person = await story.person(name, { numbers: [voice(`+33 ${name}`, { countTry: 1 })] });
    people.unshift(person);
    group = await story.group(`Group of ${name}`, [await story.team(name, [person])], {
      reliefGroupId: group || null,
    });
  }
  const alarm = await story.raise(group);
  for (const [index, person] of people.entries()) {
    await person.isCalled(/Pump1/);
    for (const other of people.slice(index + 1)) await other.isNotCalled();
    if (index < 7) await story.advance('30s');
  }
  await people[7]?.takes();
  assert.equal((await story.alarm(alarm)).ackUser, 'hal');
  assert.deepEqual(await story.systemAlarms(), []);
});
