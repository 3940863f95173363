// Tests of the made-up history of the demo plant: its size, its pattern, its flood, and that it can have happened.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { demoCalls } from './calls.ts';
import { demoHistory } from './history.ts';
import { endOf } from './occurrence.ts';
import { demoStations, demoTagGroups, demoTags } from './plant.ts';

const at = Date.UTC(2026, 10, 16, 2, 12, 41);
const dayMs = 86_400_000;
const { old, recent } = demoHistory(7, at, 'Europe/Paris');

test('the plant has 4 stations and 96 tags, and its history is the same for the same seed', () => {
  assert.equal(demoStations.length, 4);
  assert.equal(new Set(demoTags.map(({ path }) => path)).size, 96);
  assert.equal(new Set(demoTagGroups.map(({ name }) => name)).size, demoTagGroups.length);
  assert.deepEqual(demoHistory(7, at, 'Europe/Paris').old, old);
  assert.notDeepEqual(demoHistory(8, at, 'Europe/Paris').old, old);
});

test('three months have 4,000 to 8,000 alarms, more by day than by night', () => {
  assert.ok(old.length >= 4_000 && old.length <= 8_000, `${old.length}`);
  const hourOf = (instant: number): number => ((instant + 3_600_000) % dayMs) / 3_600_000;
  const byDay = old.filter(({ raisedAt }) => hourOf(raisedAt) >= 8 && hourOf(raisedAt) < 18).length;
  assert.ok(byDay / old.length > 0.5, `${byDay} of ${old.length} in ten hours of the day`);
});

test('a flood of some sixty alarms came within the last week, most of them from Lift station 4', () => {
  const start = Date.UTC(2026, 10, 12, 3, 10);
  const flood = old.filter(({ raisedAt }) => raisedAt >= start && raisedAt < start + 1.5 * 3_600_000);
  const own = flood.filter(({ tag }) => demoTags[tag]?.station === 'Lift station 4');
  assert.ok(flood.length >= 45 && flood.length <= 75, `${flood.length}`);
  assert.ok(own.length / flood.length > 0.6, `${own.length} of ${flood.length}`);
  const inTenMinutes = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((span) => {
    const from = start + span * 600_000;
    return flood.filter(({ raisedAt }) => raisedAt >= from && raisedAt < from + 600_000).length;
  });
  assert.ok((inTenMinutes[0] ?? 0) >= 12 && Math.min(...inTenMinutes.slice(0, -1)) >= 5, `${inTenMinutes}`);
});

test('no alarm is raised before its last occurrence is over, and all of the old history is', () => {
  const boundary = at - dayMs;
  const free = new Map<number, number>();
  for (const occurrence of [...old, ...recent]) {
    assert.ok(occurrence.raisedAt >= (free.get(occurrence.tag) ?? 0));
    if (occurrence.resetAt !== undefined) assert.ok(occurrence.resetAt > occurrence.raisedAt);
    if (occurrence.ack !== undefined) assert.ok(occurrence.ack.at > occurrence.raisedAt && occurrence.ack.at < at);
    if (occurrence.raisedAt < boundary) assert.ok(endOf(occurrence) < boundary);
    free.set(occurrence.tag, endOf(occurrence));
  }
  assert.equal(recent.filter(({ resetAt, ack }) => resetAt === undefined || ack === undefined).length, 19);
});

test('people differ in how soon they react, and most calls were answered', () => {
  const mean = (name: string): number => {
    const taken = old.filter(({ ack }) => ack?.person === name);
    return taken.reduce((sum, { ack, raisedAt }) => sum + (ack?.at ?? 0) - raisedAt, 0) / taken.length;
  };
  assert.ok(mean('ana') * 2 < mean('goran'));
  const calls = demoCalls(7, at, old);
  assert.ok(calls.length > 100 && calls.length < 400, `${calls.length}`);
  assert.ok(calls.every(({ raisedAt }) => raisedAt >= at - 14 * dayMs));
  const unanswered = calls.filter(({ isAnswered }) => !isAnswered).length;
  assert.ok(unanswered > 0 && unanswered < calls.length / 10, `${unanswered}`);
});
