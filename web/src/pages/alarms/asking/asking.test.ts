// Tests asking.ts: of a whole only what the filter still leaves is sent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stillMeant } from './asking.ts';

const matching = [{ id: 4 }, { id: 2 }, { id: 8 }];

test('of a whole only those are sent that the filter leaves by then, and none that came after it was asked', () => {
  assert.deepEqual(stillMeant([4, 9, 2], { isWhole: true }, matching), [4, 2]);
});

test('what was selected by hand is sent wherever it has gone', () => {
  assert.deepEqual(stillMeant([4, 9, 2], { isWhole: false }, matching), [4, 9, 2]);
});
