// Tests judge.ts: what it finds untrue on a screen, so that a matrix without findings means something.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSame, untrueIn } from './judge.ts';

const at = (place: string, text: string) => `${place}\t${text}`;
const truth = [at('banner/P1', '2'), at('banner/P2', '0'), at('list', '2 alarms')];
const before = [at('banner/P1', '1'), at('banner/P2', '0'), at('list', '1 alarm')];
const seen = { truth, before: [before], isBetween: false };
const untrue = (shown: readonly string[], isLate = false) => untrueIn({ ...seen, shown }, isLate);

test('a figure that was never true is untrue, whatever else the screen says', () => {
  const zero = at('banner/P1', '5');
  assert.deepEqual(untrue([zero, at('notice', 'This could not be read.')]), [zero]);
  assert.deepEqual(untrue([at('list', 'No alarms.'), at('banner/P1', '–')], true), [at('list', 'No alarms.')]);
});

test('a 0 that is true of one figure is untrue in the place of another', () => {
  const zero = at('banner/P1', '0');
  assert.deepEqual(untrue([zero, at('banner/P2', '0')]), [zero]);
});

test('a row that stands there twice is untrue', () => {
  assert.deepEqual(untrue([...truth, at('list', '2 alarms')]), [at('list', '2 alarms')]);
});

test('a dash or a sentence that it is not known is true', () => {
  const shown = [at('P1', '–'), at('P1', 'Priority 1: not known, the alarms are not read'), at('P1', '/')];
  assert.deepEqual(untrue([...shown, at('list', 'Reading…')], true), []);
});

test('what is older may be shown for a while, and later only beside a sentence that says so', () => {
  assert.deepEqual(untrue(before), []);
  assert.deepEqual(untrue([...before, at('notice', 'No news')], true), []);
  assert.deepEqual(untrue(before, true), [
    `older: ${before[0]}`,
    `older: ${before[2]}`,
    `missing: ${truth[0]}`,
    `missing: ${truth[2]}`,
  ]);
  assert.deepEqual(untrue(truth.slice(1), true), [`missing: ${truth[0]}`]);
});

test('between two events a screen that says that nothing comes may show what was true for a moment', () => {
  const three = at('banner/P1', '3');
  const shown = [three, at('link', 'Connecting')];
  assert.deepEqual(untrueIn({ ...seen, shown, isBetween: true }, true), []);
  assert.deepEqual(untrueIn({ ...seen, shown: [three], isBetween: true }, false), [three]);
});

test('a screen is back when it says the same at the same places', () => {
  assert.equal(isSame(truth, [...truth]), true);
  assert.equal(isSame(truth.slice(1), truth), false);
  assert.equal(isSame([at('banner/P2', '2'), at('banner/P1', '0'), at('list', '2 alarms')], truth), false);
});
