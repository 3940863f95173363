// Tests that a table as CSV holds no formula for any spreadsheet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvOf } from './csv.ts';

test('every text is quoted, and numbers are not', () => {
  assert.equal(
    csvOf(
      ['a', 'b'],
      [
        ['Pump "7"', -5],
        [undefined, 0],
      ],
    ),
    '"a","b"\r\n"Pump ""7""",-5\r\n"",0\r\n',
  );
});

test('a formula at the beginning, or after what some spreadsheet takes for the end of a cell, is none', () => {
  for (const text of [
    '=cmd()',
    '+1',
    '-1',
    '@a',
    'x;=cmd()',
    'x; =cmd()',
    'x\t=cmd()',
    'x\n=cmd()',
    'x,=cmd()',
    'x;"=cmd()"',
  ]) {
    const cell = csvOf([text], []);
    assert.doesNotMatch(cell, /(^"|[;\t\n\r,]\s*(?:"")?)[=+\-@]/, JSON.stringify(text));
    assert.match(cell, /'[=+\-@]/, JSON.stringify(text));
  }
  assert.equal(csvOf(['10 - 5 = 5; ok'], []), '"10 - 5 = 5; ok"\r\n');
});
