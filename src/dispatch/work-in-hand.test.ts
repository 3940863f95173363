// Tests the file of the work in hand.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { WorkInHand } from './work-in-hand.ts';

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-in-hand-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

function fail(error: unknown): never {
  throw error;
}

test('what is in hand is found after any number of attempts, in a file that does not grow with them', (t) => {
  const folder = folderOf(t);
  const inHand = new WorkInHand(folder, fail);
  inHand.open();
  const first = 10 ** 14;
  inHand.begin(first);
  // Long enough to be written anew three times.
  for (let id = first + 1; id <= first + 6_000; id += 1) {
    inHand.begin(id);
    if ((id - first) % 2_000 > 1_850) assert.deepEqual(new WorkInHand(folder, fail).left, [first, id]);
    inHand.end(id);
  }
  assert.ok(statSync(join(folder, 'work-in-hand')).size < 100_000);
});

test('a server that ends again before it has anything in hand leaves nothing of the one before', (t) => {
  const folder = folderOf(t);
  const first = new WorkInHand(folder, fail);
  first.open();
  first.begin(7);
  const second = new WorkInHand(folder, fail);
  assert.deepEqual(second.left, [7]);
  second.open();
  assert.deepEqual(new WorkInHand(folder, fail).left, []);
});

test('an end keeps its mark until something else is in hand', (t) => {
  const folder = folderOf(t);
  const first = new WorkInHand(folder, fail);
  assert.equal(first.leftAt, '');
  first.open();
  first.begin(7);
  const second = new WorkInHand(folder, fail);
  assert.notEqual(second.leftAt, '');
  assert.equal(new WorkInHand(folder, fail).leftAt, second.leftAt, 'nothing was in hand since');
  second.open();
  second.begin(7);
  assert.notEqual(new WorkInHand(folder, fail).leftAt, second.leftAt);
});
