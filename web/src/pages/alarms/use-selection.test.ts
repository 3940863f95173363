// Tests the ranges of use-selection.ts: both ends are in it, in whichever order they were chosen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Row } from './order/arrange.ts';
import { idsBetween } from './use-selection.ts';

const rows = [4, 9, 2, 7].map((id) => ({ alarm: { id }, isGone: false })) as unknown as readonly Row[];

test('a range has both its ends, downwards and upwards', () => {
  assert.deepEqual(idsBetween(rows, 9, 7), [9, 2, 7]);
  assert.deepEqual(idsBetween(rows, 7, 9), [9, 2, 7]);
});

test('a range from a row that has left the list is none', () => {
  assert.deepEqual(idsBetween(rows, 1, 7), []);
});
