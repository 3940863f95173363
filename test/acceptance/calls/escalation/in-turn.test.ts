// A call group with `callMode: 'turn'` calls one person per alarm, in rotation.

import assert from 'node:assert/strict';
import { startStory, voice } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('each alarm calls the next person, and an unanswered one goes to the one after', async (t, kind) => {
  const story = await startStory(t, kind);
  const numbers = (name: string) => ({ numbers: [voice(`+33 ${name}`, { countTry: 1 })] });
  const people = [
    await story.person('ana', numbers('a')),
    await story.person('bo', numbers('b')),
    await story.person('cy', numbers('c')),
  ];
  const group = await story.group('Pumps', [await story.team('Night', people)], { callMode: 'turn' });
  for (const [index, person] of [...people, people[0]].entries()) {
    await story.raise(group, { path: `Alarm ${index}` });
    await person?.isCalled();
    for (const other of people.filter((one) => one !== person)) await other.isNotCalled();
    await person?.takes();
  }
  await story.raise(group, { path: 'Nobody answers' });
  await people[1]?.isCalled();
  await story.advance('30s');
  await people[1]?.isNotCalled();
  await people[2]?.isCalled();
  await people[2]?.takes();
  assert.deepEqual(await story.systemAlarms(), []);
});
