// Tests attempt-outcome.ts: delivered, reached, confirmed and taken are never mixed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallHistory } from '@tocsin/client';
import { type AttemptOutcome, outcomeOf } from './attempt-outcome.ts';

const at = '2026-11-16T03:12:00+01:00';
const base: CallHistory = {
  id: 1,
  cause: 'alarm',
  userId: 3,
  user: 'ana',
  channel: 'voice',
  address: '+33123456789',
  attempt: 1,
  status: 1,
  startTime: at,
  acknowledged: [],
  detail: '',
};
const taken = [{ alarmId: 7, ackTime: at }];

const table: readonly [name: string, change: Partial<CallHistory>, outcome: AttemptOutcome][] = [
  ['a telephone that rings', {}, 'underWay'],
  ['a call that was picked up and goes on', { answerTime: at }, 'reached'],
  ['a call that was picked up, without a key', { answerTime: at, endTime: at }, 'reached'],
  ['a call in which the alarm was taken', { outcome: 'answered', ackTime: at, acknowledged: taken }, 'taken'],
  ['a test call that was confirmed', { outcome: 'answered', ackTime: at }, 'confirmed'],
  ['a text on its way', { channel: 'sms' }, 'underWay'],
  ['a text that was handed over', { channel: 'sms', endTime: at }, 'sent'],
  ['a text that arrived', { channel: 'sms', endTime: at, deliveredTime: at }, 'delivered'],
  ['a telephone that nobody picked up', { outcome: 'noAnswer', endTime: at }, 'unanswered'],
  ['a line that is busy', { outcome: 'busy', endTime: at }, 'busy'],
  ['a call that ended because somebody took the alarm', { outcome: 'cancelled', endTime: at }, 'ended'],
  ['a person without a number', { attempt: 0, outcome: 'undeliverable', status: 4 }, 'failed'],
  ['a person who was called too often', { attempt: 0, outcome: 'limited', status: 2 }, 'heldBack'],
  ['a person whose line is in use', { attempt: 0, outcome: 'busy', status: 2 }, 'heldBack'],
  ['a number that does not exist', { outcome: 'badNumber', endTime: at }, 'failed'],
];

for (const [name, change, outcome] of table) {
  test(`${name}: ${outcome}`, () => assert.equal(outcomeOf({ ...base, ...change }), outcome));
}
