// Actions of a return to normal and of an acknowledgement call as well, with texts of their own.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storesUnderTest } from '../../harness/stores.ts';
import { startStory } from '../../harness/story.ts';

for (const kind of storesUnderTest()) {
  test(`${kind}: people are told that it is over, and who has taken it`, async (t) => {
    const story = await startStory(t, kind);
    const [ana, bo] = [await story.person('ana'), await story.person('bo')];
    const pumps = await story.group('Pumps', [await story.team('Night', [ana])]);
    const heads = await story.group('Heads', [await story.team('Heads', [bo])]);
    const call = [{ type: 'CallGroup', id: heads }];
    const alarm = await story.raise(pumps, {
      resetActions: call,
      resetMessage: 'Pump1 has cooled down',
      ackActions: call,
    });
    await ana.isCalled(/^Pump1 is too hot$/);
    await bo.isNotCalled();
    await story.returnsToNormal();
    await bo.isCalled(/^Pump1 has cooled down$/);
    await bo.takes();
    assert.equal((await story.alarm(alarm)).ackUser, '');
    await ana.takes();
    assert.equal((await story.alarm(alarm)).ackUser, 'ana');
    await bo.isCalled(/^Acknowledged: Pump1 is too hot$/);
    await bo.hears();
    // There is nothing left to acknowledge: nobody is called again for it.
    await story.advance('1h');
    await bo.isNotCalled();
  });
}
