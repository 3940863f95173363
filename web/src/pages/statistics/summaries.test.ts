// Tests summaries.ts: means that are none when there is too little, shares, and what most have in common.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlarmHistory, AlarmIntervention } from '@tocsin/client';
import { changePercent, commonOf, durationMs, originOf, reactionOf, sharesSoFar } from './summaries.ts';

const person = (interventionNumber: number, reactionMeanTime: string): AlarmIntervention => ({
  id: interventionNumber,
  user: 'somebody',
  interventionNumber,
  reactionMeanTime,
  interventionMeanTime: '00:00:00',
});

test('the mean reaction counts each person as often as they took something, and is none of too few', () => {
  assert.deepEqual(reactionOf([person(9, '00:01:00'), person(1, '00:11:00')]), { taken: 10, meanMs: 120_000 });
  assert.deepEqual(reactionOf([person(4, '00:01:00')]), { taken: 4, meanMs: undefined });
  assert.equal(durationMs('125:03:09'), 450_189_000);
});

test('shares add up, and nothing is not divided by', () => {
  assert.deepEqual(sharesSoFar([58, 44, 31], 317), [18, 32, 42]);
  assert.deepEqual(sharesSoFar([0], 0), [0]);
  assert.deepEqual([changePercent(317, 360), changePercent(3, 0), changePercent(0, 3)], [-12, undefined, -100]);
});

const entries = (...of: readonly (readonly [tagId: number, stationId: number])[]): readonly AlarmHistory[] =>
  of.map(([tagId, stationId], id) => ({
    id,
    tagId,
    stationId,
    tagName: `tag ${tagId}`,
    message: tagId === 1 ? '' : `message ${tagId}`,
    priority: 1,
    alarmTime: '',
    comment: '',
  }));

test('a flood came from one alarm, or from one station of several, when that has more than half of it', () => {
  assert.deepEqual(originOf(entries([1, 4], [1, 4], [2, 5]), 2), { kind: 'alarm', name: 'tag 1', count: 2 });
  const fromStation = entries([1, 4], [2, 4], [3, 4], [4, 5]);
  assert.deepEqual(originOf(fromStation, 2), { kind: 'station', stationId: 4, count: 3 });
  assert.equal(originOf(fromStation, 1), undefined);
  assert.equal(originOf(entries([1, 4], [2, 5]), 2), undefined);
  assert.equal(originOf([], 2), undefined);
});

test('unanswered calls have in common what all of them have', () => {
  const attempt = (userId: number, time: string) => ({
    userId,
    channel: 'voice',
    startTime: `2026-11-11T${time}+01:00`,
  });
  assert.deepEqual(commonOf([attempt(3, '23:10:00'), attempt(3, '04:00:00')]), {
    userId: 3,
    channel: 'voice',
    isAtNight: true,
  });
  assert.deepEqual(commonOf([attempt(3, '23:10:00'), attempt(4, '12:00:00')]), { channel: 'voice' });
  assert.deepEqual(commonOf([]), {});
});
