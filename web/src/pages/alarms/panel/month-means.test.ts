// Tests month-means.ts: what goes on or was never taken does not count, and too few give no mean.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlarmHistory } from '@tocsin/client';
import { monthMeans } from './month-means.ts';

const entry = (ackMinute: number | undefined, resetMinute: number | undefined): AlarmHistory => {
  const at = (minute: number): string => new Date(minute * 60_000).toISOString();
  return {
    id: 1,
    tagId: 1,
    tagName: 'tag',
    message: '',
    priority: 1,
    alarmTime: at(0),
    comment: '',
    ...(ackMinute === undefined ? {} : { ackTime: at(ackMinute) }),
    ...(resetMinute === undefined ? {} : { resetTime: at(resetMinute) }),
  };
};

test('means are of the times that ended and of those that were taken', () => {
  const entries = [entry(1, 6), entry(2, 6), entry(3, 6), entry(2, 6), entry(undefined, 6), entry(2, undefined)];
  assert.deepEqual(monthMeans(entries), { stoodMs: 360_000, takenMs: 120_000 });
});

test('four are too few', () => {
  const four = [entry(1, 6), entry(1, 6), entry(1, 6), entry(1, 6)];
  assert.deepEqual(monthMeans(four), { stoodMs: undefined, takenMs: undefined });
});
