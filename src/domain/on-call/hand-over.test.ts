// Tests who comes on and goes off duty between two looks.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handOversBetween } from './hand-over.ts';

test('people come on and go off by group; a group that is new or gone hands nothing over', () => {
  assert.deepEqual(handOversBetween({ 1: [3, 4], 2: [5], 9: [6] }, { 1: [4, 5], 2: [5], 7: [8] }), [
    { groupId: 1, userId: 5, isOn: true },
    { groupId: 1, userId: 3, isOn: false },
  ]);
});
