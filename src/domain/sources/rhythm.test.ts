// Tests which sources count as regular, and after which silence something is wrong with them.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { randomFrom } from '../../../bench/seed/year.ts';
import { GapTally, heard, rhythmOf, type SourceHistory } from './rhythm.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Learns from reports that are so far apart, written down after each. */
function learned(gaps: readonly number[], upSince = 0): SourceHistory {
  let at = 1;
  let known = heard(undefined, new GapTally(at).reports, upSince);
  for (const gap of gaps) {
    at += gap;
    known = heard(known, new GapTally(at).reports, upSince);
  }
  return known;
}

const times = <T>(count: number, gap: (index: number) => T) => Array.from({ length: count }, (_, index) => gap(index));
const rhythm = (gaps: readonly number[]) => rhythmOf(learned(gaps).gaps);

it('a steady source is silent after a few of its intervals, once it is known for a day', () => {
  const everyTen = times(8_640, () => 10 * second);
  assert.deepEqual(rhythm(everyTen), { usualMs: 10 * second, silentAfterMs: 2 * minute });
  assert.deepEqual(rhythm(everyTen.slice(1)), { usualMs: 10 * second, silentAfterMs: undefined }, 'a little less');
  const hourly = rhythm(times(24, () => hour));
  assert.deepEqual([hourly.usualMs, (hourly.silentAfterMs ?? 0) / hour < 3], [hour, true]);
  assert.deepEqual(rhythm(times(11, () => day)).silentAfterMs, undefined, 'too few');
});

it('bursts, lateness and missed reports leave a rhythm as it is', () => {
  const burst = (index: number) => (index % 10 === 0 ? minute : 20);
  assert.equal(rhythm(times(1_441 * 10, burst)).usualMs, minute);
  assert.notEqual(rhythm(times(1_441 * 10, burst)).silentAfterMs, undefined);
  const random = randomFrom(1);
  assert.notEqual(rhythm(times(10_000, () => (5 + random() * 10) * second)).silentAfterMs, undefined);
  const missed = times(10_000, (index) => (index % 10 === 0 ? 20 : 10) * second);
  assert.deepEqual([rhythm(missed).usualMs, rhythm(missed).silentAfterMs], [10 * second, 2 * minute]);
});

it('the end of a flood is no silence, and pauses at night and on weekends are no rhythm', () => {
  const pauses = [1, 40, 3, 12, 30, 2];
  const flood = times(2_000, (index) => (index % 100 === 0 ? (pauses[(index / 100) % 6] ?? 0) * hour : 2 * second));
  const withNights = times(7_000, (index) => (index % 700 === 0 ? 8 * hour : minute));
  const withWeekends = times(4 * 721, (index) => (index % 721 === 0 ? 60 * hour : 10 * minute));
  assert.ok((rhythm(flood).silentAfterMs ?? Number.POSITIVE_INFINITY) > 100 * hour);
  for (const gaps of [withNights, withWeekends]) assert.equal(rhythm(gaps).silentAfterMs, undefined);
  const steadyDay = times(43_200, () => 2 * second);
  assert.notEqual(rhythm(steadyDay).silentAfterMs, undefined);
  assert.equal(rhythm([...steadyDay, 5 * day]).silentAfterMs, undefined, 'it learns that the first day was a flood');
});

it('one outage does not make a steady source irregular, and what is long past is forgotten', () => {
  const weeks = times(25 * 24, () => hour);
  assert.notEqual(rhythm([...weeks, 3 * day]).silentAfterMs, undefined);
  const quicker = rhythm([...weeks, ...times(90 * 144, () => 10 * minute)]);
  assert.deepEqual([Math.round((quicker.usualMs ?? 0) / minute), (quicker.silentAfterMs ?? hour) < hour], [10, true]);
});

it('the time in which the server was away is no gap', () => {
  const known = learned(times(8_640, () => 10 * second));
  const back = known.lastAt + 20 * day;
  const after = heard(known, new GapTally(back).reports, back - second);
  assert.deepEqual([after.lastAt, rhythmOf(after.gaps)], [back, rhythmOf(known.gaps)]);
  const seen = heard(known, new GapTally(back).reports, 0);
  assert.equal(rhythmOf(seen.gaps).silentAfterMs, undefined);
});

it('a clock that is set back makes no gap', () => {
  const tally = new GapTally(hour);
  for (const at of [hour + second, 0, 4 * second]) tally.hear(at);
  assert.deepEqual([tally.reports.lastAt, tally.reports.gaps.counts.slice(0, 4)], [4 * second, [1, 0, 1, 0]]);
});
