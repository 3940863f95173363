// Tests judge.ts: what it finds untrue on a screen, so that a matrix without findings means something.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSame, untrueIn } from './judge.ts';

const truth = ['Priority 1: 2 active', '2 alarms'];
const seen = { truth, before: ['Priority 1: 1 active', '1 alarm'], isBetween: false };
const untrue = (shown: readonly string[], isLate = false) => untrueIn({ ...seen, shown }, isLate);

test('a figure that was never true is untrue, whatever else the screen says', () => {
  assert.deepEqual(untrue(['Priority 1: 0 active', 'This could not be read.']), ['Priority 1: 0 active']);
  assert.deepEqual(untrue(['No alarms.', '–'], true), ['No alarms.']);
});

test('a dash or a sentence that it is not known is true', () => {
  assert.deepEqual(untrue(['–', 'Priority 1: not known, the alarms are not read', '/', 'Reading…'], true), []);
});

test('what is older may be shown for a while, and later only beside a sentence that says so', () => {
  assert.deepEqual(untrue(seen.before), []);
  assert.deepEqual(untrue([...seen.before, 'No news'], true), []);
  assert.equal(untrue(seen.before, true).length, 4);
  assert.deepEqual(untrue(['2 alarms'], true), ['missing: Priority 1: 2 active']);
});

test('between two events a screen that says that nothing comes may show what was true for a moment', () => {
  const shown = ['Priority 1: 3 active', 'Connecting'];
  assert.deepEqual(untrueIn({ ...seen, shown, isBetween: true }, true), []);
  assert.deepEqual(untrueIn({ ...seen, shown: shown.slice(0, 1), isBetween: true }, false), shown.slice(0, 1));
});

test('a screen is back when it says the same', () => {
  assert.equal(isSame(truth, [...truth]), true);
  assert.equal(isSame(truth.slice(1), truth), false);
});
