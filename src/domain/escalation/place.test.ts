// When the next level is called, while people of several levels are called at once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from '../../../test/harness/escalation/story.ts';

test('a level that has had its time opens the way, although somebody of an earlier level is called once more', () => {
  const story = new Story({
    people: { ana: [{}], bob: [{}], cem: [{}] },
    groups: {
      other: { members: ['ana'] },
      pumps: { members: ['ana'], relief: 'deputies', timeToTakeSeconds: 900 },
      deputies: { members: ['bob'], relief: 'boss', timeToTakeSeconds: 200 },
      boss: { members: ['cem'] },
    },
    policy: { cap: { attempts: 1, windowMs: 300_000 } },
  });
  story.raise(1, 'other');
  story.ringsOut('ana');
  story.take(1);
  story.raise(2, 'pumps');
  story.pass(60);
  story.ringsOut('ana (bundle)');
  // Her cap is reached, so that she holds the way up for a minute only.
  story.pass(60);
  assert.deepEqual(story.live, ['bob']);
  story.pass(181);
  assert.deepEqual(story.live, ['bob', 'ana'], 'the cap allows the next call to ana');
  story.reads('bob', [2]);
  story.hangsUp('bob', 'declined');
  assert.deepEqual(story.live, ['ana'], 'ana, who is called now, could take it');
  story.pass(20);
  assert.deepEqual(story.live, ['ana', 'cem'], 'the deputies have had their time');
});
