// Tests the files that ARCHITECTURE.md names on the path of one alarm and of one call, against the coverage of a real
// run.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { adminPassword, migratedStore } from './harness/site/app.ts';
import { storesUnderTest } from './harness/stores/stores.ts';

const architecture = readFileSync(new URL('../ARCHITECTURE.md', import.meta.url), 'utf8');
const program = fileURLToPath(new URL('harness/executed-files.ts', import.meta.url));

/** The section below a heading: the files it names in order, and the number of files it states. */
function sectionOf(heading: string): { readonly named: readonly string[]; readonly stated: number } {
  const text = architecture.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const named = [...text.matchAll(/`((?:src|packages)\/[\w./-]+\.ts)`/g)].map(([, file = '']) => file);
  return { named, stated: Number(/\b(\d+)\s+source\s+files\b/.exec(text)?.[1]) };
}

test('ARCHITECTURE.md names and counts the files that one alarm and one call execute', {
  skip: storesUnderTest().includes('postgres') ? false : 'needs PostgreSQL, which runs everything in one thread',
}, async (t) => {
  const { TOCSIN_DATABASE_URL = '', TOCSIN_DATA_DIR = '' } = await migratedStore(t, 'postgres');
  const env = {
    PATH: process.env.PATH,
    TOCSIN_PORT: '0',
    TOCSIN_ADMIN_PASSWORD: adminPassword,
    TOCSIN_DATABASE_URL,
    TOCSIN_DATA_DIR,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env });
  type Files = { readonly every: readonly string[]; readonly any: readonly string[] };
  const executed = JSON.parse(stdout) as { readonly alarm: Files; readonly call: Files };
  for (const [heading, { every: files, any }] of [
    ['The path of one alarm', executed.alarm],
    ['The path of one call', executed.call],
  ] as const) {
    const { named, stated } = sectionOf(heading);
    t.diagnostic(`${heading}: ${files.length} source files`);
    assert.ok(named.length >= 5, heading);
    for (const file of named) assert.ok(any.includes(file), `${heading}: ${file} executes nothing`);
    // The count varies by a few files with background tasks.
    assert.ok(
      Math.abs(files.length - stated) <= 6,
      `${heading}: ${files.length} source files execute code, not ${stated}:\n${files.join('\n')}`,
    );
  }
});
