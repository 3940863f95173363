// The last resort beside the rounds of the group that it follows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from '../../../test/harness/escalation/story.ts';

const people = { ana: [{}], bo: [{}] };
const alone = { people, groups: { pumps: { members: ['ana'] } }, administrators: ['ana'] };

test('the only administrator, who heard it, is called again with the next round, and the last resort is not in vain before that', () => {
  const story = new Story(alone);
  story.raise(1, 'pumps', { priority: 1 });
  for (const round of [1, 2]) {
    story.pass(10);
    story.reads('ana', [1]);
    story.hangsUp('ana', 'heard');
    assert.deepEqual(story.stateOf(1), ['group: open, in-vain', 'last-resort: open'], `round ${round} was heard`);
    story.pass(600);
    assert.deepEqual(story.live, ['ana'], `round ${round + 1} rings`);
    assert.deepEqual(story.stateOf(1), ['group: open, in-vain', 'last-resort: open'], `round ${round + 1} rings`);
  }
  story.ringsOut('ana');
  assert.deepEqual(story.stateOf(1), ['group: open, in-vain', 'last-resort: open, in-vain']);
  assert.deepEqual(story.began, ['ana for 1: raised', 'ana for 1: new-round', 'ana for 1: new-round']);
});

test('a further group whose delay is not over does not keep the last resort waiting for who heard it in an earlier round', () => {
  const story = new Story({ ...alone, groups: { ...alone.groups, tanks: { members: ['bo'] } } });
  story.raise(1, 'pumps', { priority: 1 });
  story.alsoCalls(1, 'tanks', 36_000);
  story.reads('ana', [1]);
  story.hangsUp('ana', 'heard');
  story.pass(300);
  story.ringsOut('ana');
  assert.deepEqual(story.stateOf(1), ['group: open, in-vain', 'group: open', 'last-resort: open, in-vain']);
});

test('who asked to be called later three times in the group is not rung by the last resort, which waits', () => {
  const story = new Story(alone);
  story.raise(1, 'pumps');
  for (const _ of [1, 2, 3]) {
    story.reads('ana', [1]);
    story.hangsUp('ana', 'later');
    story.pass(300);
  }
  assert.deepEqual(story.stateOf(1), ['group: exhausted, in-vain', 'last-resort: open']);
});

test('the last resort whose people all hear it in the group meanwhile waits, and is not in vain', () => {
  const story = new Story({ ...alone, groups: { pumps: { members: ['ana'], timeToTakeSeconds: 60 } } });
  story.raise(1, 'pumps', { priority: 1 });
  story.pass(60);
  assert.equal(story.stateOf(1)[1], 'last-resort: open');
  story.reads('ana', [1]);
  story.hangsUp('ana', 'heard');
  assert.deepEqual(story.stateOf(1), ['group: open, in-vain', 'last-resort: open']);
});

test('what the last resort waited for is not the reason of a call', () => {
  const story = new Story({ people, groups: { pumps: { members: ['ana'] } }, administrators: ['ana', 'bo'] });
  story.alterPerson('bo', { isAdministrator: false });
  story.raise(1, 'pumps', { priority: 1 });
  story.reads('ana', [1]);
  story.hangsUp('ana', 'heard');
  story.alterPerson('bo', { isAdministrator: true });
  assert.deepEqual(story.began, ['ana for 1: raised', 'bo for 1: last-resort']);
});
