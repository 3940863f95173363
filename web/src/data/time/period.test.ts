// Tests period.ts: the periods with a name, those of an address, and the one before.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastNights, periodBefore, periodOf, readPeriodSearch, searchOf } from './period.ts';

const paris = 'Europe/Paris';
const now = Date.parse('2026-11-16T02:12:41Z');
const texts = ({ from, to }: { readonly from: number; readonly to: number }): string[] =>
  [from, to].map((at) => new Date(at).toISOString());

test('last week is from Monday to Sunday of the plant, in the night of a Monday as well', () => {
  assert.deepEqual(texts(periodOf({ period: 'week' }, '7d', now, paris)), [
    '2026-11-08T23:00:00.000Z',
    '2026-11-15T23:00:00.000Z',
  ]);
  const sunday = Date.parse('2026-11-15T22:30:00Z');
  assert.equal(texts(periodOf({ period: 'week' }, '7d', sunday, paris))[1], '2026-11-08T23:00:00.000Z');
});

test('others end with this minute; 30 days begin at midnight', () => {
  assert.deepEqual(texts(periodOf({}, '24h', now, paris)), ['2026-11-15T02:13:00.000Z', '2026-11-16T02:13:00.000Z']);
  assert.deepEqual(texts(periodOf({ period: '30d' }, '24h', now, paris)), [
    '2026-10-17T22:00:00.000Z',
    '2026-11-16T02:13:00.000Z',
  ]);
});

test('an address names two instants in order, or a period, or nothing', () => {
  const both = searchOf({ from: now - 3_600_000, to: now });
  assert.deepEqual(readPeriodSearch({ ...both, period: 'week' }), both);
  assert.deepEqual(readPeriodSearch({ from: both.to, to: both.from, period: 'week' }), { period: 'week' });
  assert.deepEqual(readPeriodSearch({ from: 'yesterday', period: 'century' }), {});
});

test('the week before has as many days, also across a change of the clock', () => {
  const week = { from: Date.parse('2026-10-25T23:00:00Z'), to: Date.parse('2026-11-01T23:00:00Z') };
  assert.deepEqual(texts(periodBefore(week, paris)), ['2026-10-18T22:00:00.000Z', '2026-10-25T23:00:00.000Z']);
  assert.deepEqual(periodBefore({ from: 500, to: 800 }, paris), { from: 200, to: 500 });
});

test('the last nights are from 22:00 to 06:00 of the plant, that of a changed clock as well, the newest first', () => {
  assert.deepEqual(lastNights(now, 2, paris).map(texts), [
    ['2026-11-15T21:00:00.000Z', '2026-11-16T05:00:00.000Z'],
    ['2026-11-14T21:00:00.000Z', '2026-11-15T05:00:00.000Z'],
  ]);
  const evening = Date.parse('2026-10-25T21:00:00Z');
  assert.deepEqual(lastNights(evening, 2, paris).map(texts), [
    ['2026-10-25T21:00:00.000Z', '2026-10-26T05:00:00.000Z'],
    ['2026-10-24T20:00:00.000Z', '2026-10-25T05:00:00.000Z'],
  ]);
});
