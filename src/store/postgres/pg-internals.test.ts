// Tests that another `pg` than the checked one is refused with a sentence that names both.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection, Query } from 'pg';
import manifest from '../../../package.json' with { type: 'json' };
import { StartError } from '../../errors.ts';
import { checkedVersion, refuseOtherPg } from './pg-internals.ts';

const installed = { version: checkedVersion, connection: Connection.prototype, query: Query.prototype };

test('the installed pg is accepted, and the checked version is the one in package.json', () => {
  refuseOtherPg();
  assert.equal(checkedVersion, manifest.dependencies.pg);
});

test('another patch release is accepted, another minor or major release is not', () => {
  refuseOtherPg({ ...installed, version: '8.23.9' });
  for (const version of ['8.24.0', '8.2.23', '9.23.1'])
    assert.throws(
      () => refuseOtherPg({ ...installed, version }),
      (error) =>
        error instanceof StartError &&
        error.message.includes(`pg ${version} `) &&
        error.message.includes(checkedVersion),
    );
});

test('a missing method is named', () => {
  const connection = Object.assign(Object.create(Connection.prototype), { describe: undefined });
  assert.throws(() => refuseOtherPg({ ...installed, connection }), /lacks Connection\.describe,/);
  const query = Object.assign(Object.create(Query.prototype), { handleDataRow: 1, submit: undefined });
  assert.throws(() => refuseOtherPg({ ...installed, query }), /lacks Query\.submit, Query\.handleDataRow,/);
});
