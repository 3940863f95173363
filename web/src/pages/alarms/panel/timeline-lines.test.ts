// Tests timeline-lines.ts: what is ahead belongs to a call under way, and those who are not called are named once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation } from '@tocsin/client';
import type { Names } from '../../../data/names.ts';
import { en } from '../../../words/en/en.ts';
import { notCalledOf, timelineOf } from './timeline-lines.ts';

const names: Names = { byId: (id) => `person ${id}`, byName: (name) => name };
const facts = { words: en, names, groupName: () => 'Pumps' };
const notCalled = [{ userId: 4, user: 'chidi', reason: 'not on duty' }];
const explanation = {
  at: '2026-11-16T03:00:00Z',
  masked: false,
  calls: [1, 2].map((callGroupId) => ({
    callGroupId,
    name: 'Pumps',
    time: '2026-11-16T03:00:00Z',
    steps: [{ time: '2026-11-16T03:01:00Z', what: 'attempt', userId: 2, channel: 'voice', reason: 'unanswered' }],
    more: false,
    notCalled,
  })),
  made: [],
  inert: [],
} as unknown as Explanation;

test('an alarm for which nobody is called has nothing ahead, whatever another raise would do', () => {
  const now = Date.parse('2026-11-16T03:00:30Z');
  assert.equal(timelineOf(explanation, true, [], now, facts).ahead.length, 2);
  assert.deepEqual(timelineOf(explanation, false, [], now, facts).ahead, []);
});

test('who is not called is named once, with the reason', () => {
  assert.deepEqual(notCalledOf(explanation, names), ['person 4: not on duty']);
});
