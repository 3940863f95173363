// Who counts as a predecessor in a data folder: whoever held this very lock, and nobody who has a copy of the folder.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockFolder } from './folder-lock.ts';

test('those who hold the lock of a folder one after the other are of one lineage; a copy of the folder begins another', {
  skip: process.platform === 'linux' ? false : 'only Linux tells',
}, (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'tocsin-test-'));
  t.after(() => rmSync(parent, { recursive: true }));
  const [folder, copy] = [join(parent, 'folder'), join(parent, 'copy')];
  mkdirSync(folder);
  const lineageIn = (place: string) => {
    const lock = lockFolder(place);
    lock.release();
    return lock.lineage;
  };
  const first = lineageIn(folder);
  assert.match(first ?? '', /^[0-9a-f]{16}$/);
  assert.equal(lineageIn(folder), first);
  cpSync(folder, copy, { recursive: true });
  assert.notEqual(lineageIn(copy), first);
});
