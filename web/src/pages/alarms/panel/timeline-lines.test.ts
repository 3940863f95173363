// Tests timeline-lines.ts: what is ahead belongs to a call under way.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlarmEvent, Explanation } from '@tocsin/client';
import type { Names } from '../../../data/names.ts';
import { en } from '../../../words/en/en.ts';
import { aheadOf, pastOf } from './timeline-lines.ts';

const names: Names = { byId: (id) => `person ${id}`, byName: (name) => name };
const facts = { words: en, names, groupName: () => 'Pumps' };
const explanation = {
  at: '2026-11-16T03:00:00Z',
  masked: false,
  calls: [1, 2].map((callGroupId) => ({
    callGroupId,
    name: 'Pumps',
    time: '2026-11-16T03:00:00Z',
    steps: [{ time: '2026-11-16T03:01:00Z', what: 'attempt', userId: 2, channel: 'voice', reason: 'unanswered' }],
    more: false,
    notCalled: [],
  })),
  made: [],
  inert: [],
} as unknown as Explanation;

test('an alarm for which nobody is called has nothing ahead, whatever another raise would do', () => {
  const now = Date.parse('2026-11-16T03:00:30Z');
  assert.equal(aheadOf(explanation, true, now, facts).length, 2);
  assert.deepEqual(aheadOf(explanation, false, now, facts), []);
});

test('what is ahead is in the order of time, with the last resort and without the first level of a round', () => {
  const at = (second: number) => `2026-11-16T03:01:${String(second).padStart(2, '0')}Z`;
  const step = (second: number, what: string, reasonCode: string, more = {}) => ({
    time: at(second),
    what,
    reason: reasonCode,
    reasonCode,
    ...more,
  });
  const round = [step(30, 'round', 'new-round'), step(30, 'level', 'new-round', { callGroupId: 1 })];
  const pumps = { callGroupId: 1, steps: [...round, step(50, 'level', 'nobody-took-it', { callGroupId: 1 })] };
  const lastResort = { steps: [step(40, 'round', 'last-resort'), step(40, 'level', 'last-resort')] };
  const both = { ...explanation, calls: [pumps, lastResort] } as unknown as Explanation;
  const ahead = aheadOf(both, true, Date.parse(at(0)), facts);
  const lines = ahead.map(({ at: time, text }) => `${new Date(time).getUTCSeconds()} ${text}`);
  assert.deepEqual(lines, ['50 Relief group Pumps', '40 Calls Pumps', '30 The round begins again']);
});

test('the steps of calls are told with their reasons: who is called, relief, nobody, in vain', () => {
  const event = (kind: string, data: object) =>
    ({ time: '2026-11-16T03:00:00Z', event: kind, actor: 'system', data }) as unknown as AlarmEvent;
  const events = [
    event('call.round', { round: 1, target: { kind: 'user', id: 3 }, reason: 'raised', reasonCode: 'raised' }),
    event('call.level', { round: 1, groupId: 1, reason: 'raised', reasonCode: 'raised' }),
    event('call.level', { round: 1, groupId: 2, reason: 'nobody has taken it', reasonCode: 'nobody-took-it' }),
    event('call.waiting', { reason: 'nobody is on call', reasonCode: 'nobody-on-call' }),
    event('call.exhausted', { reason: 'round 1 is over', reasonCode: 'called-in-vain' }),
    event('call.round', { round: 2, reason: 'round 2 begins', reasonCode: 'new-round' }),
    event('call.round', { reason: 'as an earlier version said it' }),
  ];
  const past = pastOf([], events, facts);
  assert.deepEqual(
    past.map(({ text, why }) => [text, why]),
    [
      ['Calls person 3', 'raised'],
      ['Relief is called: Pumps', 'nobody has taken it'],
      ['Nobody can be called', 'nobody is on call'],
      ['Everybody was called', 'round 1 is over'],
      ['Round begins again', 'round 2 begins'],
      ['Round begins again', 'as an earlier version said it'],
    ],
  );
});
