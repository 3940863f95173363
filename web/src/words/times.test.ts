// Tests times.ts: a time of another day is never shown as if it were today's.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { momentText } from './times.ts';

const clock = { locale: 'en-GB', timeZone: 'Europe/Paris' };
const now = Date.parse('2026-11-16T03:12:41+01:00');
const text = (time: string): string => momentText(clock, Date.parse(time), now);

test('what was raised yesterday has its weekday, however few hours ago', () => {
  assert.equal(text('2026-11-16T00:00:05+01:00'), '00:00:05');
  assert.equal(text('2026-11-15T22:14:00+01:00'), 'Sun 22:14');
  assert.equal(text('2026-11-11T22:14:00+01:00'), 'Wed 22:14');
  assert.equal(text('2026-11-09T03:14:00+01:00'), '9 Nov 03:14');
});
