// The rate limit of a caller: a thousand people at once, then two hundred a minute.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterCalling } from './request-limit.ts';

test('a caller may call a thousand people at once and two hundred a minute after that', () => {
  const all = afterCalling(undefined, 1_000, 0);
  assert.deepEqual(all, { kind: 'allowed', allowance: { left: 0, at: 0 } });
  const spent = { left: 0, at: 0 };
  assert.deepEqual(afterCalling(spent, 1, 0), { kind: 'wait', ms: 300 });
  assert.deepEqual(afterCalling(spent, 200, 60_000), { kind: 'allowed', allowance: { left: 0, at: 60_000 } });
  assert.deepEqual(afterCalling(spent, 400, 60_000), { kind: 'wait', ms: 60_000 });
});

test('the allowance never exceeds a thousand, and does not grow when the clock is set back', () => {
  assert.deepEqual(afterCalling({ left: 900, at: 0 }, 0, 86_400_000), {
    kind: 'allowed',
    allowance: { left: 1_000, at: 86_400_000 },
  });
  assert.deepEqual(afterCalling({ left: 10, at: 1_000 }, 5, 0), { kind: 'allowed', allowance: { left: 5, at: 0 } });
});
