// Tests stored-session.ts: a damaged session in the browser is none, and does not stop the console.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSession } from './stored-session.ts';

test('W9: a damaged stored session is none', () => {
  const session = { token: 't', name: 'ana', expiresAt: 5 };
  assert.deepEqual(readSession(JSON.stringify(session)), session);
  for (const text of [null, '', '{', 'null', '7', '"x"', '{}', '{"token":"t","name":"ana"}', '[1]'])
    assert.equal(readSession(text), undefined, String(text));
});
