// Tests that every operation and query is registered for SQLite's worker threads; an unregistered one would work on
// PostgreSQL only.

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { operations, queries } from '../src/store-worker.ts';

const source = new URL('../src/', import.meta.url);

/** The names of all operations and queries that the modules of the folders export. */
async function declaredIn(...folders: readonly string[]): Promise<string[]> {
  const files = folders
    .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: source }))
    .filter((file) => !file.endsWith('.test.ts'));
  const modules = await Promise.all(files.map((file) => import(new URL(file, source).href)));
  return modules
    .flatMap((module) => Object.values(module as Record<string, unknown>))
    .filter(
      (value): value is { name: string } =>
        typeof value === 'object' && value !== null && 'run' in value && 'name' in value,
    )
    .map(({ name }) => name);
}

test('store-worker.ts lists every operation and every query', async () => {
  const declared = await declaredIn('operations', 'store');
  assert.ok(declared.length > 50);
  assert.deepEqual([...operations, ...queries].map(({ name }) => name).toSorted(), declared.toSorted());
});
