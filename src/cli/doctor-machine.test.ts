// The finding of doctor on the disk: a problem, and with it an exit code, when next to nothing is free.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spaceFinding } from './doctor-machine.ts';

test('a disk without room is a problem, one with little a warning', () => {
  const gigabyte = 2 ** 30;
  const levelAt = (free: number, all: number) =>
    spaceFinding('/data', { bavail: free * 1_024, bsize: gigabyte / 1_024, blocks: all * 1_024 }).level;
  assert.equal(levelAt(0, 100), 'problem');
  assert.equal(levelAt(0.05, 1), 'problem');
  assert.equal(levelAt(0.9, 100), 'problem');
  assert.equal(levelAt(5, 100), 'warning');
  assert.equal(levelAt(0.5, 1), 'warning');
  assert.equal(levelAt(50, 100), 'ok');
});
