// Tests that a statement which ran on SQLite alone is found among what the processes of a run recorded.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { missingOnPostgres, readUsedStatements, type UsedStatement } from './statement-coverage.ts';

test('a statement that ran on SQLite in one process and on PostgreSQL in none is missing, once', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-statements-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const ofProcess = (name: string, used: readonly UsedStatement[]): void =>
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(used));
  ofProcess('1', [
    { text: 'select planted', sqlite: true, postgres: false },
    { text: 'select elsewhere', sqlite: true, postgres: false },
    { text: 'select for postgres', sqlite: false, postgres: true },
  ]);
  ofProcess('2', [
    { text: 'select planted', sqlite: true, postgres: false },
    { text: 'select elsewhere', sqlite: false, postgres: true },
  ]);
  assert.deepEqual(missingOnPostgres(readUsedStatements(folder)), ['select planted']);
});
