// Tests the lineage of a data folder's lock: shared by its successive holders, different for a copy of the folder.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { lockFolder } from './folder-lock.ts';

test('successive holders of a folder lock have the same lineage; a copy of the folder has another', {
  skip: process.platform === 'linux' ? false : 'only Linux has a boot id',
}, (t) => {
  const parent = mkdtempSync(join(tmpdir(), 'tocsin-test-'));
  t.after(() => rmSync(parent, { recursive: true }));
  const [folder, copy] = [join(parent, 'folder'), join(parent, 'copy')];
  mkdirSync(folder);
  const lineageIn = (path: string) => {
    const lock = lockFolder(path);
    lock.release();
    return lock.lineage;
  };
  const first = lineageIn(folder);
  assert.match(first ?? '', /^[0-9a-f]{16}$/);
  assert.equal(lineageIn(folder), first);
  cpSync(folder, copy, { recursive: true });
  assert.notEqual(lineageIn(copy), first);
});
