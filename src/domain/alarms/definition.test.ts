// Tests codeOf: a short message that is a whole number becomes the alarm code of statistics.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeOf, emptyDefinition } from './definition.ts';

const codes = { '17': 17, '007': 7, '-3': -3, '4294967296': 4_294_967_296, '999999999999999': 999_999_999_999_999 };
const none = ['', 'hot', '1.5', ' 4', '-', '--3', '-0', '9999999999999999'];

test('a short message that is a whole number is the code; any other message has code 0', () => {
  const code = (shortMessage: string) =>
    codeOf({ ...emptyDefinition, alarm: { ...emptyDefinition.alarm, shortMessage } });
  for (const [shortMessage, expected] of Object.entries(codes))
    assert.equal(code(shortMessage), expected, shortMessage);
  for (const shortMessage of none) assert.equal(code(shortMessage), 0, shortMessage);
});
