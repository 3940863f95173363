// Tests postgres-errors.ts: which errors mean that the caller may try again.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnreachable } from './postgres-errors.ts';

const ofPostgres = (code: string, message: string): Error => Object.assign(new Error(message), { code });

test('a session that PostgreSQL has ended, also because it was idle in a transaction, is a database that cannot be reached', () => {
  for (const [code, message] of [
    ['57P01', 'terminating connection due to administrator command'],
    ['57P05', 'terminating connection due to idle-session timeout'],
    ['25P03', 'terminating connection due to idle-in-transaction timeout'],
  ] as const)
    assert.equal(isUnreachable(ofPostgres(code, message)), true, message);
  assert.equal(isUnreachable(ofPostgres('22P02', 'invalid input syntax for type bigint')), false);
});
