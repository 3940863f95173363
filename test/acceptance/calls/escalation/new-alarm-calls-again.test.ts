// A new alarm calls people again who answered "heard" to an earlier one, unless TOCSIN_CALL_AGAIN is false.

import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('a person who answered "heard" is called again for a new alarm, with both alarms', async (t, kind) => {
  const story = await startStory(t, kind);
  const [ana, bo] = [await story.person('ana'), await story.person('bo')];
  const group = await story.group('Pumps', [await story.team('Night', [ana, bo])]);
  await story.raise(group);
  await ana.isCalled();
  await bo.isCalled();
  await ana.hears();
  await ana.isNotCalled();
  await story.raise(group, { path: 'Second', alarmMessage: 'second' });
  await ana.isCalled(/^1 of 2: Pump1 is too hot\n2 of 2: second$/);
  await bo.isCalled(/^Pump1 is too hot$/);
});

testOnStores('with TOCSIN_CALL_AGAIN=false a person who answered "heard" is not called again', async (t, kind) => {
  const story = await startStory(t, kind, { overrides: { TOCSIN_CALL_AGAIN: 'false' } });
  const [ana, bo] = [await story.person('ana'), await story.person('bo')];
  const group = await story.group('Pumps', [await story.team('Night', [ana, bo])]);
  await story.raise(group);
  await ana.isCalled();
  await bo.isCalled();
  await ana.hears();
  await story.raise(group, { path: 'Second' });
  await ana.isNotCalled();
  await bo.isCalled();
});
