// Every operation and query of the program is known to SQLite's threads; a forgotten one would work on PostgreSQL alone.

import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { operations, queries } from '../src/store-worker.ts';

const source = new URL('../src/', import.meta.url);

/** The names of what a folder's modules export that looks like an operation or a query. */
async function declaredIn(folder: string): Promise<string[]> {
  const files = (await readdir(new URL(folder, source))).filter(
    (file) => /^[\w-]+\.ts$/.test(file) && !file.endsWith('.test.ts'),
  );
  const modules = await Promise.all(files.map((file) => import(new URL(`${folder}/${file}`, source).href)));
  return modules
    .flatMap((module) => Object.values(module as Record<string, unknown>))
    .filter(
      (value): value is { name: string } =>
        typeof value === 'object' && value !== null && 'run' in value && 'name' in value,
    )
    .map(({ name }) => name);
}

test('the catalogue holds every operation', async () => {
  const declared = await declaredIn('operations');
  assert.ok(declared.length > 5);
  assert.deepEqual(operations.map(({ name }) => name).toSorted(), declared.toSorted());
});

test('the catalogue holds every query', async () => {
  const declared = await declaredIn('store');
  assert.ok(declared.length > 5);
  assert.deepEqual(queries.map(({ name }) => name).toSorted(), declared.toSorted());
});
