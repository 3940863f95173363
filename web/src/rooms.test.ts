// The rooms of the console: who may import whom, and how large a folder may be.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));
const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));

/** The rooms that each room must not import from. */
const closed: Readonly<Record<string, readonly string[]>> = {
  words: ['app', 'pages'],
  data: ['app', 'pages'],
  components: ['app', 'pages'],
};

const roomOf = (path: string): string => path.split('/')[0] ?? '';

test('data, components and words import no page and nothing of the frame', () => {
  const breaches = files.flatMap((file) =>
    Array.from(readFileSync(`${root}/${file}`, 'utf8').matchAll(/from '(\.[^']+)'/g), ([, path = '']) =>
      posix.join(posix.dirname(file), path),
    )
      .filter((target) => closed[roomOf(file)]?.includes(roomOf(target)))
      .map((target) => `${file} imports ${target}`),
  );
  assert.deepEqual(breaches, []);
});

test('no folder has more than 20 source files', () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(posix.dirname(file), (counts.get(posix.dirname(file)) ?? 0) + 1);
  assert.ok(counts.size > 10);
  assert.deepEqual(
    [...counts].filter(([, count]) => count > 20),
    [],
  );
});
