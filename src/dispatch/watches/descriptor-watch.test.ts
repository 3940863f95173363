// Tests how many connections a server takes by its limit of file descriptors.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultMaxConnections } from './descriptor-watch.ts';

const cases: readonly [limit: number, connections: number][] = [
  [64, 16],
  [256, 192],
  [1_024, 921],
  [4_096, 3_686],
  [1_048_576, 20_000],
];

for (const [limit, connections] of cases) {
  test(`with ${limit} file descriptors a server takes ${connections} connections`, () =>
    assert.equal(defaultMaxConnections({ open: 30, limit }), connections));
}

test('where the limit is not known a server takes 20,000 connections', () =>
  assert.equal(defaultMaxConnections(undefined), 20_000));
