// A new alarm: those who have heard of the one before are called again, unless the setting says otherwise.

import { startStory } from '../../../harness/story.ts';
import { testOnStores } from '../../../harness/test-on-stores.ts';

testOnStores('who has heard is called again at once and told of both', async (t, kind) => {
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

testOnStores('with TOCSIN_CALL_AGAIN=false they are left in peace', async (t, kind) => {
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
