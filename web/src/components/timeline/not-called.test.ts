// Tests not-called.ts: M13, a person who is not called has one reason, and one who is called has none.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation } from '@tocsin/client';
import type { Names } from '../../data/names.ts';
import { notCalledOf } from './not-called.ts';

const names: Names = { byId: (id) => `person ${id}`, byName: (name) => name };
const relief = (userId: number) => ({ userId, reason: 'relief: the turn did not come', code: 'relief-not-due' });
const unverified = (userId: number) => ({ userId, reason: 'number not verified', code: 'without-number' });

function linesOf(calls: readonly object[], made: readonly { readonly userId: number }[] = []): readonly string[] {
  const whole = calls.map((call) => ({ steps: [], notCalled: [], ...call })) as unknown as Explanation['calls'];
  return notCalledOf({ calls: whole, made }, names);
}

test('M13: of two reasons that contradict the one is told that keeps a person from every call', () => {
  const one = { notCalled: [relief(4)] };
  const other = { notCalled: [unverified(4)] };
  assert.deepEqual(linesOf([one, other]), ['person 4: number not verified']);
  assert.deepEqual(linesOf([other, one]), ['person 4: number not verified']);
});

test('M13: who is called for one group, or was called, is not said not to be called for another', () => {
  const calling = { steps: [{ what: 'attempt', userId: 4 }] };
  assert.deepEqual(linesOf([calling, { notCalled: [relief(4), unverified(5)] }]), ['person 5: number not verified']);
  assert.deepEqual(linesOf([{ notCalled: [relief(4)] }], [{ userId: 4 }]), []);
});
