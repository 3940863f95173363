// Tests silence.ts: what it is for, and what ends it before its time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hue } from '../../components/mark.tsx';
import { beginSilence, isOver, type Sounding, silenceMs, soundingOf, urgency } from './silence.ts';

const now = 1_000_000;
const raised = (id: number, hue: Hue, alarmTime = '2026-11-17T03:00:00Z'): Sounding => ({
  ...{ id, hue, alarmTime },
  state: 3,
  masked: false,
});

test('H5: in a quiet plant everything but priority 1 is silenced: a priority 2 stays silent, a priority 1 ends it', () => {
  const silence = beginSilence([], now);
  assert.equal(urgency[silence.rank], 'p2');
  assert.equal(isOver(silence, [raised(1, 'p2')], now + 1), false);
  assert.equal(isOver(silence, [raised(1, 'p2'), raised(2, 'p1')], now + 1), true);
});

test('silence of priority 1 holds for those that were heard and ends with a new one, also one that its source dates back', () => {
  const silence = beginSilence([raised(1, 'p1')], now);
  assert.equal(urgency[silence.rank], 'p1');
  assert.equal(isOver(silence, [raised(1, 'p1'), raised(2, 'p2')], now + 1), false);
  assert.equal(isOver(silence, [raised(1, 'p1'), raised(3, 'p1', '2020-01-01T00:00:00Z')], now + 1), true);
});

test('the same alarm raised once more is a new one', () => {
  const silence = beginSilence([raised(1, 'p1')], now);
  assert.equal(isOver(silence, [raised(1, 'p1', '2026-11-17T03:05:00Z')], now + 1), true);
});

test('silence of priority 3 ends with priority 2, not with priority 4 or Tocsin itself', () => {
  const silence = beginSilence([raised(1, 'p3')], now);
  assert.equal(isOver(silence, [raised(1, 'p3'), raised(2, 'p4'), raised(3, 'sys')], now + 1), false);
  assert.equal(isOver(silence, [raised(1, 'p3'), raised(2, 'p2')], now + 1), true);
});

test('it ends with its time', () => {
  const silence = beginSilence([raised(1, 'p1')], now);
  assert.equal(isOver(silence, [raised(1, 'p1')], now + silenceMs - 1), false);
  assert.equal(isOver(silence, [], now + silenceMs), true);
});

test('what is acknowledged, at rest or masked does not sound', () => {
  const one = raised(1, 'p1');
  assert.deepEqual(soundingOf([{ ...one, state: 1 }, { ...one, state: 2 }, { ...one, masked: true }, one]), [one]);
});
