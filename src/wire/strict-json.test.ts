// Tests strict-json.ts: accepted input, refused input, and the reported position.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/harness/fast-check.ts';
import { processorMs } from '../../test/harness/server/processor-time.ts';
import { soak } from '../../test/harness/soak.ts';
import { AppError } from '../errors.ts';
import { parseIntakeJson, parseJson } from './strict-json.ts';

function refusal(text: string): AppError {
  try {
    parseJson(text);
  } catch (error) {
    assert.ok(error instanceof AppError, `threw ${error}`);
    return error;
  }
  assert.fail(`accepted ${text.slice(0, 80)}`);
}

const allowedKey = fc.string().filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key));
const text = fc.string({ unit: 'binary' });
const hasNul = (value: unknown): boolean => JSON.stringify(value).includes('\\u0000');
const jsonValue = fc
  .jsonValue({ maxDepth: 6, stringUnit: 'binary' })
  .filter((value) => !hasNul(value) && !/"(__proto__|constructor|prototype)":/.test(JSON.stringify(value)));

test('parseJson reads back what JSON.stringify writes', () => {
  fc.assert(
    fc.property(jsonValue, fc.constantFrom(undefined, 1), (value, indent) => {
      const written = JSON.stringify(value, undefined, indent);
      assert.deepEqual(parseJson(written).value, JSON.parse(written));
    }),
  );
});

test('parseJson reads back text written with unicode escapes', () => {
  fc.assert(
    fc.property(fc.dictionary(allowedKey, text), (value) => {
      fc.pre(!hasNul(value));
      const ascii = JSON.stringify(value).replace(
        /[^\x20-\x7e]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      assert.deepEqual(parseJson(ascii).value, JSON.parse(ascii));
    }),
  );
});

const jsonish = fc
  .array(
    fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '1',
      '-',
      '0',
      '.5',
      'e9',
      'true',
      'null',
      ' ',
      '\\',
      '"',
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''));

test('any text is either parsed as JSON.parse does or refused', () => {
  fc.assert(
    fc.property(fc.oneof(jsonish, fc.string(), fc.json()), (written) => {
      let value: unknown;
      try {
        value = parseJson(written).value;
      } catch (error) {
        assert.ok(error instanceof AppError, `threw ${error}`);
        if (error.code === 'malformed-json') assert.throws(() => JSON.parse(written), SyntaxError);
        return;
      }
      assert.deepEqual(value, JSON.parse(written));
    }),
    { numRuns: soak(2_000) },
  );
});

test('syntax errors name the line and the column', () => {
  const cases: [string, string][] = [
    ['', 'Line 1, column 1: expected a value.'],
    ['{"a":1,}', 'Line 1, column 8: expected a field name in double quotes.'],
    ['{"a":1\n "b":2}', 'Line 2, column 2: expected a comma or a closing brace.'],
    ['{"a" 1}', 'Line 1, column 6: expected a colon.'],
    ['[1 2]', 'Line 1, column 4: expected a comma or a closing bracket.'],
    ['[1,]', 'Line 1, column 4: expected a value.'],
    ['01', 'Line 1, column 2: expected nothing more.'],
    ['-', 'Line 1, column 1: expected a number.'],
    ['1.', 'Line 1, column 2: expected nothing more.'],
    ['"abc', 'Line 1, column 5: expected a closing quote.'],
    ['"abc\\', 'Line 1, column 5: expected an escape that JSON knows.'],
    ['"a\\x"', 'Line 1, column 3: expected an escape that JSON knows.'],
    ['"a\nb"', 'Line 1, column 3: expected control characters to be escaped.'],
    ['tru', 'Line 1, column 1: expected a value.'],
    ['{} x', 'Line 1, column 4: expected nothing more.'],
    ["{'a':1}", 'Line 1, column 2: expected a field name in double quotes.'],
    ['NaN', 'Line 1, column 1: expected a value.'],
  ];
  for (const [written, sentence] of cases) {
    const { code, message } = refusal(written);
    assert.deepEqual([code, message], ['malformed-json', sentence], written);
  }
});

test('duplicate, forbidden and too deeply nested fields are refused by name', () => {
  const cases: [string, string, string][] = [
    ['{"a":1,"a":2}', 'a', 'is given more than once'],
    ['{"a":1,"\\u0061":2}', 'a', 'is given more than once'],
    ['{"":1,"":2}', 'body', 'is given more than once'],
    ['{"x":[{"b":1},{"b":1,"b":1}]}', 'x[1].b', 'is given more than once'],
    ['{"__proto__":{}}', '__proto__', 'is a name that is not allowed'],
    ['{"a":{"constructor":1}}', 'a.constructor', 'is a name that is not allowed'],
    ['[{"prototype":null}]', '[0].prototype', 'is a name that is not allowed'],
    ['{"\\u005f_proto__":1}', '__proto__', 'is a name that is not allowed'],
    [`${'['.repeat(33)}${']'.repeat(33)}`, '[0]'.repeat(32), 'is nested more than 32 levels deep'],
  ];
  for (const [written, field, message] of cases) {
    const { code, errors } = refusal(written);
    assert.deepEqual([code, errors], ['invalid-input', [{ field, message }]], written);
  }
  assert.doesNotThrow(() => parseJson(`${'['.repeat(32)}${']'.repeat(32)}`));
});

test('NUL and half a surrogate pair are refused by name', () => {
  for (const written of ['\\u0000', '\\ud800', '\\uDC00', '\\udc00\\ud800', '\\ud800x']) {
    const { code, errors } = refusal(`{"a":{"b":["x","${written}"]}}`);
    assert.deepEqual([code, errors[0]?.field], ['unprocessable', 'a.b[1]'], written);
  }
  assert.equal(refusal('{"a\\u0000":1}').code, 'unprocessable');
  assert.equal(parseJson('"\\ud83d\\ude00"').value, '😀');
});

test('numbers written with a point or an exponent are listed', () => {
  const { value, writtenAsFraction } = parseJson('{"a":1.0,"b":[1,1e3,{"c":-2E-1}],"d":5,"e":"1.5"}');
  assert.deepEqual(writtenAsFraction, ['a', 'b[1]', 'b[2].c']);
  assert.deepEqual(value, { a: 1, b: [1, 1000, { c: -0.2 }], d: 5, e: '1.5' });
});

test('worst-case bodies are refused or parsed quickly', () => {
  const size = 262_144;
  const keys = Array.from({ length: size / 10 }, (_, index) => `"${index.toString(36)}":0`).join(',');
  const worst = [
    '['.repeat(400_000),
    '{"a":'.repeat(80_000),
    `{${keys}}`,
    `[${'1.0,'.repeat(size / 4)}1]`,
    `"${'\\u00e9'.repeat(size / 6)}"`,
    '\n'.repeat(size),
    '1'.repeat(size),
    `{"${'k'.repeat(size / 2)}":[${'1.5,'.repeat(size / 8)}1]}`,
  ];
  for (const written of worst) {
    const took = processorMs(() => {
      try {
        parseJson(written);
      } catch (error) {
        assert.ok(error instanceof AppError);
      }
    });
    assert.ok(took < 500, `${written.slice(0, 20)}… took ${took} ms`);
  }
});

test('a body of too many fractions is refused quickly', () => {
  assert.throws(() => parseJson(`[${'1.0,'.repeat(20_000)}1.0]`), /more than 20000 numbers with a fraction/);
  assert.equal(parseJson(`[${'1.5,'.repeat(19_999)}1.5]`).writtenAsFraction.length, 20_000);
});

test('an intake keeps a number that JSON.parse would make another one of as the text that was sent', () => {
  const exact = [
    '0',
    '-0',
    '80',
    '82.5',
    '82.50',
    '1e3',
    '1E+3',
    '-0.001',
    '9007199254740991',
    '1e21',
    '100e-2',
    '0e99',
  ];
  for (const written of exact)
    assert.deepEqual(parseIntakeJson(`{"value":${written}}`).value, { value: Number(written) }, written);
  const rounded = ['12345678901234567890', '-12345678901234567890', '1e400', '-1e400', '1e-400', '9007199254740993'];
  for (const written of [...rounded, '0.10000000000000000001', '3.14159265358979323846'])
    assert.deepEqual(parseIntakeJson(`[{"a":1,"value":${written}}]`).value, [{ a: 1, value: written }], written);
  const { value, mended } = parseIntakeJson('{"a":"x\\u0000","b":12345678901234567890,"b":12345678901234567891}');
  assert.deepEqual(value, { a: 'x\ufffd', b: '12345678901234567891' });
  assert.equal(mended.length, 2);
});

test('every number that JSON.stringify writes is a number for an intake', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
      const { value } = parseIntakeJson(JSON.stringify([number]));
      assert.deepEqual(value, [number === 0 ? 0 : number]);
    }),
  );
});
