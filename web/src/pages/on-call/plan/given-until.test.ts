// A duty that is given away ends after the usual time, or with the duty.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { givenUntil } from './given-until.ts';

const [ana, bo] = [1, 2];
const minute = 60_000;
const hour = 60 * minute;
const at = (ms: number): string => new Date(ms).toISOString();
const slot = (from: number, to: number, userId: number) => ({
  ...{ from: at(from), to: at(to) },
  members: [{ userId }],
});
const now = 10 * hour;
const until = (slots: readonly ReturnType<typeof slot>[]) => (givenUntil(slots, ana, now, 2 * hour) - now) / minute;

test('a duty that lasts longer is given away for two hours', () => {
  assert.equal(until([slot(8 * hour, 18 * hour, ana)]), 120);
});

test('a duty that ends sooner is given away to its end, and not the duty of whoever follows', () => {
  const next = slot(now + 30 * minute, now + 10 * hour, bo);
  assert.equal(until([slot(8 * hour, now + 30 * minute, ana), next]), 30);
  assert.equal(until([next, slot(8 * hour, now + 30 * minute, ana)]), 30);
});

test('one’s own duty that follows at once is given away as well', () => {
  assert.equal(until([slot(8 * hour, now + 30 * minute, ana), slot(now + 30 * minute, now + 50 * minute, ana)]), 50);
  assert.equal(until([slot(8 * hour, now + 30 * minute, ana), slot(now + 40 * minute, now + 50 * minute, ana)]), 30);
});
