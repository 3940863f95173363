// Tests calling-text.ts: the calling state of an alarm says what is least over, and when nobody took it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenCall, PersonInCall } from '@tocsin/client';
import type { AlarmView } from '../data/alarm-views.tsx';
import { en } from '../words/en/en.ts';
import { callingText } from './calling-text.ts';

const names = { byId: (id?: number) => `person ${id}`, byName: (name: string) => name };
const now = Date.parse('2026-11-16T03:00:00Z');

function textOf(call: Partial<OpenCall>): string | undefined {
  const base = { phase: 'calling', people: [], reason: '' };
  const alarm = { masked: false, ackUser: '', state: 3, openCalls: [{ ...base, ...call }] };
  return callingText(alarm as unknown as AlarmView, en, { names, now, areCallsKnown: true })?.text;
}

const person = (userId: number, step: PersonInCall['step'], more = {}) =>
  ({ userId, step, notice: false, relief: false, ...more }) as unknown as PersonInCall;

test('of several people the one who is least over is named', () => {
  const people = [person(1, 'failed'), person(2, 'noLine'), person(3, 'calling', { attempt: '2/3' })];
  assert.equal(textOf({ people }), 'calling person 3 2/3');
  assert.equal(textOf({ people: people.slice(0, 2) }), 'waits for person 2');
  assert.equal(textOf({ people: [person(1, 'failed'), person(2, 'declined')] }), 'person 2 has declined it');
  assert.equal(
    textOf({ people: [person(1, 'notified', { notice: true }), person(1, 'failed')] }),
    'person 1 was not reached',
  );
});

test('a call without people says why there are none', () => {
  const next = { step: 'round', time: '2026-11-16T03:05:00Z' } as const;
  assert.equal(textOf({ phase: 'pausing', next }), 'round again in 5 min');
  assert.equal(textOf({ phase: 'pausing' }), 'nobody took it');
  assert.equal(textOf({ phase: 'waiting', reasonCode: 'nobody-on-call' }), 'nobody is on call');
  assert.equal(textOf({ phase: 'waiting', reasonCode: 'everybody-heard-in-group' }), 'nobody took it');
});

test('H7: between two tries the row names who is next and when, and nobody who cannot be called', () => {
  const nextTime = '2026-11-16T03:00:40Z';
  const people = [person(1, 'retrying', { attempt: '1/3', nextTime }), person(2, 'failed')];
  assert.equal(textOf({ people }), 'next person 1 in 40 s');
  assert.equal(textOf({ people: [person(2, 'failed')] }), 'person 2 was not reached');
  assert.equal(
    textOf({ people: [person(3, 'notified'), person(1, 'calling', { attempt: '2/3' })] }),
    'calling person 1 2/3',
  );
});

test('of an alarm that came since the calls were read it is not said that nobody is called', () => {
  const text = (isUndecided: boolean) =>
    callingText({ masked: false, ackUser: '', state: 3, openCalls: [], isUndecided } as unknown as AlarmView, en, {
      names,
      now,
      areCallsKnown: true,
    })?.text;
  assert.equal(text(true), '–');
  assert.equal(text(false), 'not called');
});
