// Which attempts are stopped when their people are not called any more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from '../../../test/harness/escalation/story.ts';

const text = { channel: 'sms', address: '+49302', final: false };
const told = {
  people: { ana: [{}, text], bo: [{}] },
  groups: { pumps: { members: ['ana', 'bo'] }, tanks: { members: ['ana'] } },
  providers: [{}, { channel: 'sms' }],
};

test('a call not yet made to somebody who goes off duty is not made; a phone that rings goes on', () => {
  const story = new Story(told);
  story.raise(1, 'pumps');
  story.waitsToBeMade('ana');
  story.alterPerson('ana', { onDuty: false });
  story.alterPerson('bo', { onDuty: false });
  assert.deepEqual(story.live, ['bo', 'ana 2 (notice) by sms']);
});

test('a notice not yet made to somebody who is replaced is not made', () => {
  const story = new Story(told);
  story.raise(1, 'tanks');
  story.waitsToBeMade('ana 2 (notice) by sms');
  story.alterPerson('ana', { replacedById: 2 });
  assert.deepEqual(story.live, ['ana', 'bo']);
});

test('a call not yet made goes on while one of its alarms still calls the person', () => {
  const story = new Story({ ...told, people: { ana: [{ countTry: 2 }], bo: [{}] } });
  story.raise(1, 'tanks');
  story.ringsOut('ana');
  story.raise(2, 'pumps', { priority: 1 });
  story.waitsToBeMade('ana');
  const groups = new Map([...story.world.snapshot.groups].filter(([, { name }]) => name !== 'pumps'));
  story.alter((world) => ({ ...world, snapshot: { ...world.snapshot, groups } }));
  assert.deepEqual(story.began, ['ana for 1: raised', 'ana for 1 2: raised', 'bo for 2: raised']);
  assert.deepEqual(story.live, ['ana', 'bo']);
});
