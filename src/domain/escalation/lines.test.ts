// The lines of telephones: one call at a time by each.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from '../../../test/harness/escalation/story.ts';

const both = { pumps: { members: ['ana', 'bo'] } };

test('simulated phones have the same address, and each its own line', () => {
  const phone = { channel: 'simulator', address: 'simulated phone' } as const;
  const providers = [{ channel: 'simulator', kind: 'simulator' }] as const;
  const story = new Story({ people: { ana: [phone], bo: [phone] }, groups: both, providers });
  story.world = { ...story.world, providers: { ...story.world.providers, hasSimulator: true } };
  story.raise(1, 'pumps');
  assert.deepEqual(story.began, ['ana by simulator for 1: raised', 'bo by simulator for 1: raised']);
});

test('two people with the same telephone are called by it one after the other', () => {
  const phone = { channel: 'voice', address: '+49301' } as const;
  const story = new Story({ people: { ana: [phone], bo: [phone] }, groups: both });
  story.raise(1, 'pumps');
  assert.deepEqual(story.began, ['ana for 1: raised']);
  story.ringsOut('ana');
  assert.deepEqual(story.began, ['bo for 1: raised']);
});

test('a call whose trunk has failed while the other is full is passed over after a minute, and stays owed', () => {
  const story = new Story({
    people: { ana: [{}], bo: [{}] },
    groups: { pumps: { members: ['ana'], relief: 'site' }, site: { members: ['bo'] } },
  });
  story.raise(1, 'pumps');
  story.waitsForLine('ana');
  story.pass(59);
  assert.deepEqual(story.began, ['ana for 1: raised']);
  story.pass(1);
  assert.deepEqual(story.began, ['bo for 1: nobody-took-it']);
  assert.deepEqual(story.live, ['ana', 'bo']);
});

test('while a call waits for a line of the other trunk, the next number by another channel is used after a minute', () => {
  const story = new Story({
    people: { ana: [{}, {}, { channel: 'sms', address: '+49302' }] },
    groups: { pumps: { members: ['ana'] } },
    providers: [{}, { channel: 'sms' }],
  });
  story.raise(1, 'pumps');
  story.waitsForLine('ana');
  story.pass(60);
  assert.deepEqual(story.live, ['ana', 'ana 3 by sms']);
});
