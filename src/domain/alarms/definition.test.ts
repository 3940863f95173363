// Tests codeOf: a short message that is a whole number becomes the alarm code of statistics.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, codeWithinBounds, emptyDefinition } from './definition.ts';

const codes = { '17': 17, '007': 7, '0': 0, '2147483647': 2_147_483_647 };
const none = ['', 'hot', '1.5', ' 4', '-', '-3', '--3', '-0', '2147483648', '4294967296', '9999999999999999'];

test('a short message that is a whole number of 31 bits is the code; any other message has code 0', () => {
  const code = (shortMessage: string) =>
    codeOf({ ...emptyDefinition, alarm: { ...emptyDefinition.alarm, shortMessage } });
  for (const [shortMessage, expected] of Object.entries(codes))
    assert.equal(code(shortMessage), expected, shortMessage);
  for (const shortMessage of none) assert.equal(code(shortMessage), 0, shortMessage);
});

test('a code that an earlier version stored out of bounds is shown as 0', () => {
  assert.deepEqual([-3, 0, 2_147_483_647, 2_147_483_648].map(codeWithinBounds), [0, 0, 2_147_483_647, 0]);
});
