// Tests the file of the work in hand.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { WorkInHand } from './work-in-hand.ts';

function folderOf(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-in-hand-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

const attempt = (id: number) => ({ kind: 'attempt', id }) as const;

function fail(error: unknown): never {
  throw error;
}

test('what is in hand is found after any number of attempts, in a file that does not grow with them', (t) => {
  const folder = folderOf(t);
  const inHand = new WorkInHand(folder, fail);
  inHand.open();
  const first = 10 ** 14;
  inHand.begin(attempt(first));
  // Long enough to be written anew three times.
  for (let id = first + 1; id <= first + 6_000; id += 1) {
    inHand.begin(attempt(id));
    if ((id - first) % 2_000 > 1_850)
      assert.deepEqual(new WorkInHand(folder, fail).left, [attempt(first), attempt(id)]);
    inHand.end(attempt(id));
  }
  assert.ok(statSync(join(folder, 'work-in-hand')).size < 100_000);
});

test('a server that ends again before it has anything in hand leaves nothing of the one before', (t) => {
  const folder = folderOf(t);
  const first = new WorkInHand(folder, fail);
  first.open();
  first.begin(attempt(7));
  const second = new WorkInHand(folder, fail);
  assert.deepEqual(second.left, [attempt(7)]);
  second.open();
  assert.deepEqual(new WorkInHand(folder, fail).left, []);
});

test('an end keeps its mark until something else is in hand', (t) => {
  const folder = folderOf(t);
  const first = new WorkInHand(folder, fail);
  assert.equal(first.leftAt, '');
  first.open();
  first.begin(attempt(7));
  const second = new WorkInHand(folder, fail);
  assert.notEqual(second.leftAt, '');
  assert.equal(new WorkInHand(folder, fail).leftAt, second.leftAt, 'nothing was in hand since');
  second.open();
  second.begin(attempt(7));
  assert.notEqual(new WorkInHand(folder, fail).leftAt, second.leftAt);
});

test('work of every kind is found again, and a line of an earlier version is an attempt', (t) => {
  const folder = folderOf(t);
  const first = new WorkInHand(folder, fail);
  first.open();
  const mail = { kind: 'mail', id: 2 ** 32 + 7 } as const;
  for (const work of [attempt(3), mail, { kind: 'purge', id: 0 }, { kind: 'hand-over', id: 0 }] as const)
    first.begin(work);
  first.end({ kind: 'purge', id: 0 });
  assert.deepEqual(new WorkInHand(folder, fail).left, [attempt(3), mail, { kind: 'hand-over', id: 0 }]);
  writeFileSync(join(folder, 'work-in-hand'), '+7\n+8\n-7\n+later-kind 1\n+cause 5');
  assert.deepEqual(new WorkInHand(folder, fail).left, [attempt(8)]);
});
