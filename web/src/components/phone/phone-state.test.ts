// Tests phone-state.ts: what a phone shows, by its newest calls and texts.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PhoneMessage } from '@tocsin/client';
import { phoneStateOf } from './phone-state.ts';

let lastId = 0;
const message = (state: PhoneMessage['state'], change: Partial<PhoneMessage> = {}): PhoneMessage => ({
  id: ++lastId,
  channel: 'voice',
  address: '+33123456789',
  direction: 'to',
  text: '',
  state,
  outcome: '',
  time: '2026-11-16T03:12:00+01:00',
  ...change,
});
const text = (direction: PhoneMessage['direction']) => message('delivered', { channel: 'sms', direction });
/** Newest first, as the server lists them. */
const stateOf = (...messages: readonly PhoneMessage[]) =>
  phoneStateOf({ userId: 3, user: 'ana', messages: [...messages] });

test('a call that rings or goes on is before texts, on every channel that rings', () => {
  assert.equal(stateOf(message('ringing'), text('to')).kind, 'ringing');
  assert.equal(stateOf(message('ringing', { channel: 'simulator' })).kind, 'ringing');
  assert.equal(stateOf(message('ringing'), message('answered')).kind, 'inCall');
});

test('calls that ended are no texts', () => {
  assert.equal(stateOf(message('ended', { channel: 'simulator' })).kind, 'rest');
  assert.deepEqual(stateOf(message('ended'), text('to')).texts.length, 1);
});

test('texts are oldest first, and those since the last reply are new', () => {
  const { kind, newTexts, texts } = stateOf(text('to'), text('to'), text('from'), text('to'));
  assert.deepEqual([kind, newTexts], ['text', 2]);
  assert.deepEqual(
    texts.map(({ direction }) => direction),
    ['to', 'from', 'to', 'to'],
  );
  assert.equal(stateOf(text('to')).newTexts, 1);
  assert.equal(stateOf().newTexts, 0);
});
