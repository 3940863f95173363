// Stories of notices and of texts that are answered late.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from '../../../test/harness/escalation/story.ts';

test('two notices that are spoken do not ring one person at the same time', () => {
  const spoken = { final: false };
  const story = new Story({
    people: { ana: [{ channel: 'sms', address: '+49302' }, spoken, spoken] },
    groups: { pumps: { members: ['ana'] } },
    providers: [{}, { channel: 'sms' }],
  });
  story.raise(1, 'pumps');
  assert.deepEqual(story.live, ['ana by sms', 'ana 2 (notice)']);
  story.arrives('ana 2 (notice)');
  assert.deepEqual(story.live, ['ana by sms', 'ana 3 (notice)']);
});

test('nobody is called while a notice is spoken to them, and a call goes before a notice', () => {
  const story = new Story({
    people: { ana: [{}, { final: false }] },
    groups: { pumps: { members: ['ana'] } },
  });
  story.raise(1, 'pumps');
  assert.deepEqual(story.live, ['ana']);
  story.ringsOut('ana');
  assert.deepEqual(story.live, ['ana 2 (notice)']);
  story.raise(2, 'pumps', { priority: 1 });
  assert.deepEqual(story.live, ['ana 2 (notice)']);
  story.arrives('ana 2 (notice)');
  assert.deepEqual(story.live, ['ana']);
});

test('answers count in the order in which they are given: a text may be answered after a later call', () => {
  const story = new Story({
    people: { ana: [{ channel: 'sms', address: '+49302', countAck: 0, timeToAckSeconds: 60 }, {}], bo: [{}] },
    groups: { pumps: { members: ['ana'], relief: 'site' }, site: { members: ['bo'] } },
    providers: [{}, { channel: 'sms' }],
  });
  story.raise(1, 'pumps');
  story.arrives('ana by sms');
  story.pass(60);
  story.reads('ana 2', [1]);
  story.hangsUp('ana 2', 'later');
  story.pass(120);
  story.answersText('ana by sms', 1, 'later');
  story.pass(299);
  assert.equal(
    story.began.filter((one) => one.startsWith('ana')).length,
    2,
    'not before five minutes after the last answer',
  );
  story.pass(1);
  assert.deepEqual(story.began.at(-1), 'ana by sms for 1: called-later');
});

test('a notice that its providers refuse is tried again at growing times', () => {
  const notice = 'ana 2 (notice) by sms';
  const story = new Story({
    people: { ana: [{}, { channel: 'sms', address: '+49302', final: false }] },
    groups: { pumps: { members: ['ana'] } },
    providers: [{}, { channel: 'sms' }],
  });
  story.raise(1, 'pumps');
  for (let second = 0; second < 1_200; second++) {
    if (story.live.includes(notice)) story.providerFails(notice);
    story.pass(1);
  }
  const sent = story.attempts.flatMap(({ kind, begunAt }) => (kind === 'notice' ? [begunAt / 1000] : []));
  assert.deepEqual(sent, [0, 60, 120, 180, 300, 540, 840, 1140]);
});
