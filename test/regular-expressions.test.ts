// The check of regular expressions finds those that take much longer than their text is long.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expressionsIn, slowExpressions } from '../scripts/check/regular-expressions.ts';

const planted = 'const header = /^[^:]+:\\s*\\s*$/; const name = /^[a-z]{1,20}$/;';

test('an expression whose time grows with the square of a text is named with its file', async () => {
  const complaints = await slowExpressions(expressionsIn('src/wire/planted.ts', planted), new Set());
  assert.equal(complaints.length, 2);
  assert.match(complaints[0] ?? '', /^src\/wire\/planted\.ts: .* may take very long on some text \(vulnerable\)/);
  assert.match(complaints[1] ?? '', /^src\/wire\/planted\.ts: \/\^\[a-z\]\{1,20\}\$\/ is safe: add it to /);
});

test('an expression that is known as safe is not judged again', async () => {
  assert.deepEqual(
    await slowExpressions([{ file: 'a.ts', pattern: '^(a+)+$', flags: '' }], new Set(['/^(a+)+$/'])),
    [],
  );
});
