// Checks the documents: every path, command, setting, error code and name in them exists, and the reverse.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { generatedDocuments } from '../scripts/generated-documents.ts';
import { commands } from '../src/cli/commands.ts';
import { settings } from '../src/config.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...markdownIn('docs'),
];

function markdownIn(folder: string): string[] {
  return filesIn(folder).filter((path) => path.endsWith('.md'));
}

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (!statSync(join(root, path)).isDirectory()) return [path];
    return name === 'node_modules' || name === 'dist' ? [] : filesIn(path);
  });
}

/** Returns all matches of `pattern` in the documents, each with its document. */
function mentions(pattern: RegExp): [document: string, found: string][] {
  return documents.flatMap((document) =>
    [...read(document).matchAll(pattern)].map(([, found = '']): [string, string] => [document, found]),
  );
}

test('every path of the project that a document names exists', () => {
  const paths = mentions(/`((?:src|packages|test|docs|scripts|bin|bench|contrib|\.ci)\/[\w./-]*)`/g);
  assert.ok(paths.length > 30);
  for (const [document, path] of paths)
    assert.ok(existsSync(join(root, path)), `${document} names ${path}, which is not there`);
  for (const [document, path] of mentions(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
    assert.ok(existsSync(join(root, document, '..', path)), `${document} links to ${path}, which is not there`);
  }
});

test('every folder of src/ is in ARCHITECTURE.md', () => {
  const rooms = readdirSync(join(root, 'src')).filter((name) => statSync(join(root, 'src', name)).isDirectory());
  for (const room of rooms) assert.match(read('ARCHITECTURE.md'), new RegExp(`\`src/${room}/\``), room);
});

test('every file directly in src/ is in ARCHITECTURE.md', () => {
  const files = readdirSync(join(root, 'src')).filter((name) => /^[\w-]+\.ts$/.test(name));
  for (const file of files) assert.match(read('ARCHITECTURE.md'), new RegExp(`\\b${file}\``), file);
});

test('every setting that a document names exists, and every setting is in docs/operating.md', () => {
  for (const [document, name] of mentions(/\b(TOCSIN_[A-Z_]*[A-Z])\b/g)) {
    // Scripts of alarms get TOCSIN_ALARM_ID and TOCSIN_ALARM_PATH, which are not settings.
    const isKnown = Object.hasOwn(settings, name) || /^TOCSIN_(TEST|ALARM)_/.test(name);
    assert.ok(isKnown, `${document} names ${name}, which is no setting`);
  }
  for (const name of Object.keys(settings)) assert.match(read('docs/operating.md'), new RegExp(`\`${name}\``), name);
});

test('every npm script that a document names exists, and every script is in CONTRIBUTING.md', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const [document, name] of mentions(/npm run ([\w:-]+)/g))
    assert.ok(scripts[name], `${document} names npm run ${name}`);
  for (const name of Object.keys(scripts))
    assert.match(read('CONTRIBUTING.md'), new RegExp(`npm (run )?${name}\``), name);
});

test('every command that a document names exists', () => {
  for (const [document, words] of mentions(/npx tocsin ([a-z]+(?: [a-z]+)?)/g)) {
    const isKnown = commands[words] !== undefined || commands[words.split(' ')[0] ?? ''] !== undefined;
    assert.ok(isKnown, `${document} names tocsin ${words}`);
  }
});

test('.ci/run runs the test command of the README and nothing else', () => {
  const lines = read('.ci/run')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#') && !/^(set|cd) /.test(line));
  assert.equal(lines.length, 1);
  const command = /npm test/.exec(lines[0] ?? '')?.[0];
  assert.equal(command, 'npm test');
  assert.match(read('README.md'), /^npm test$/m);
});

test('the generated documents equal what npm run docs would write', async () => {
  for (const [file, text] of await generatedDocuments()) assert.equal(read(file), text, `${file} is not current`);
});

test('every name in the code column of the glossary exists in src/ or packages/', () => {
  const sources = ['src', 'packages']
    .flatMap(filesIn)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
  const identifiers = new Set(sources.flatMap((path) => withoutComments(read(path)).match(/\w+/g) ?? []));
  const rows = read('docs/glossary.md')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| Term '))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  assert.ok(rows.length > 100);
  for (const [, term = '', , code = ''] of rows) {
    const names = [...code.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    assert.ok(names.length > 0, `the glossary gives no name in code for "${term}"`);
    for (const name of names) {
      const exists = name.includes('/') ? existsSync(join(root, name)) : identifiers.has(name);
      assert.ok(exists, `the glossary gives \`${name}\` for "${term}", which is not in the code`);
    }
  }
  assert.equal(new Set(rows.map(([, term]) => term)).size, rows.length, 'no term twice');
});

/** Returns the code without its comments, so that a name that only a comment mentions does not count as one that exists. */
function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

test('the lock file contains no download URLs, and every dependency has a documented reason', () => {
  assert.doesNotMatch(read('package-lock.json'), /"resolved": "http/);
  const manifest = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
  for (const group of ['dependencies', 'devDependencies', 'optionalDependencies']) {
    for (const name of Object.keys(manifest[group] ?? {})) {
      assert.ok(
        read('docs/decisions/0002-dependencies.md').includes(`\`${name}\``),
        `${name} has no line in docs/decisions/0002-dependencies.md`,
      );
    }
  }
  const packages = Object.entries(
    JSON.parse(read('package-lock.json')).packages as Record<string, { dev?: boolean; optional?: boolean }>,
  );
  const atRunTime = packages.filter(([path, { dev, optional }]) => path !== '' && !dev && !optional).length;
  assert.ok(atRunTime <= 120, `${atRunTime} packages at run time`);
});

test('every line of the changelog has a kind and a room', () => {
  for (const line of read('CHANGELOG.md')
    .split('\n')
    .filter((text) => text.startsWith('- '))) {
    assert.match(line, /^- \[(CHANGE|FEATURE|FIX)\] [a-z-]+: [A-Za-z`/].*\.$/);
  }
});

const promised = [
  { path: 'docs/reliability.md', letter: 'F', last: 36 },
  { path: 'docs/security.md', letter: 'S', last: 42 },
];

for (const { path, letter, last } of promised)
  test(`${path} has a row for ${letter}1 to ${letter}${last}, and every test it names exists`, () => {
    const rows = read(path)
      .split('\n')
      .filter((line) => line.startsWith(`| ${letter}`));
    assert.deepEqual(
      rows.map((row) => row.split('|')[1]?.trim()),
      Array.from({ length: last }, (_, index) => `${letter}${index + 1}`),
    );
    for (const row of rows) {
      const cell = row.split('|')[3] ?? '';
      assert.match(cell, /"[^"]+"|[Nn]ot yet: |`npm run/, row);
      for (const [, file = '', titles = ''] of cell.matchAll(/`([^`]+\.ts)`: ("[^"]+"(?:, "[^"]+")*)/g)) {
        const source = read(file);
        for (const [, title = ''] of titles.matchAll(/"([^"]+)"/g))
          assert.ok(source.includes(title), `${file} has no test "${title}"`);
      }
    }
  });
