// The rules of direction hold in this repository, and each of them is shown to notice a breach.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { breaches } from './harness/architecture.ts';

const root = new URL('..', import.meta.url);

function repository(): Map<string, string> {
  const paths = globSync('{src,scripts,bin,test}/**/*.{ts,tsx,mjs}', { cwd: fileURLToPath(root) });
  return new Map(paths.map((path) => [path.split(sep).join('/'), readFileSync(new URL(path, root), 'utf8')]));
}

test('the rules of direction hold', () => {
  assert.deepEqual(breaches(repository()), []);
});

type Planted = { readonly rule: string; readonly files: Record<string, string>; readonly breach: string };

const plantedImports: readonly Planted[] = [
  {
    rule: 'a room imports only what the table allows',
    files: { 'src/operations/raise-planted.ts': "import { print } from '../wire/planted.ts';" },
    breach: 'src/operations/raise-planted.ts imports src/wire/planted.ts: operations may not import wire',
  },
  {
    rule: 'api does not import hub',
    files: { 'src/api/planted.ts': "import type { Hub } from '../hub/planted.ts';" },
    breach: 'src/api/planted.ts imports src/hub/planted.ts: api may not import hub',
  },
  {
    rule: 'hub does not import api',
    files: { 'src/hub/planted.ts': "export * from '../api/planted.ts';" },
    breach: 'src/hub/planted.ts imports src/api/planted.ts: hub may not import api',
  },
  {
    rule: 'domain imports no room',
    files: { 'src/domain/planted.ts': "import '../errors.ts';" },
    breach: 'src/domain/planted.ts imports src/errors.ts: domain may not import errors',
  },
  {
    rule: 'domain imports nothing of Node',
    files: { 'src/domain/planted.ts': "import { join } from 'node:path';" },
    breach: 'src/domain/planted.ts imports node:path: domain imports no package',
  },
  {
    rule: 'domain imports no package but temporal-polyfill and ical.js',
    files: {
      'src/domain/planted.ts': "import 'temporal-polyfill';\nimport 'ical.js';\nimport { Type } from 'typebox';",
    },
    breach: 'src/domain/planted.ts imports typebox: domain imports no package',
  },
  {
    rule: 'only the wiring imports the SQLite driver',
    files: {
      'src/api/planted.ts': "const store = await import('../store/sqlite/planted.ts');",
      'src/open-store.ts': "import './store/sqlite/planted.ts';",
    },
    breach: 'src/api/planted.ts imports src/store/sqlite/planted.ts: only the wiring imports a driver',
  },
  {
    rule: 'the store itself does not import the PostgreSQL driver',
    files: { 'src/store/planted.ts': "export {\n  connect,\n} from './postgres/planted.ts';" },
    breach: 'src/store/planted.ts imports src/store/postgres/planted.ts: only the wiring imports a driver',
  },
  {
    rule: 'one driver does not import another',
    files: { 'src/store/sqlite/planted.ts': "import '../postgres/planted.ts';" },
    breach: 'src/store/sqlite/planted.ts imports src/store/postgres/planted.ts: only the wiring imports a driver',
  },
  {
    rule: 'only main.ts, cli and tests import app.ts',
    files: {
      'src/open-store.ts': "import './app.ts';",
      'src/main.ts': "import './app.ts';",
      'src/cli/planted.ts': "import '../app.ts';",
      'src/api/planted.test.ts': "import '../app.ts';",
    },
    breach: 'src/open-store.ts imports src/app.ts: only main.ts, cli and tests do',
  },
  {
    rule: 'the server imports nothing of the tests',
    files: { 'src/app.ts': "import '../test/harness/planted.ts';" },
    breach: 'src/app.ts imports test/harness/planted.ts: it is not part of the server',
  },
  {
    rule: 'there are no cycles',
    files: {
      'src/wire/one.ts': "import './two.ts';",
      'src/wire/two.ts': "import './three.ts';",
      'src/wire/three.ts': "import './one.ts';",
    },
    breach: 'cycle: src/wire/one.ts → src/wire/two.ts → src/wire/three.ts → src/wire/one.ts',
  },
];

const plantedCode: readonly Planted[] = [
  {
    rule: 'every folder of src/ is in the table',
    files: { 'src/helpers/planted.ts': '' },
    breach: 'src/helpers/planted.ts is in no room: add "helpers" to the table',
  },
  {
    rule: 'there are no barrels',
    files: { 'src/wire/index.ts': '' },
    breach: 'src/wire/index.ts is a barrel: import the file itself',
  },
  {
    rule: 'only config.ts reads the environment',
    files: {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the planted code holds the template.
      'src/cli/planted.ts': 'const host = `${process.env.HOST}`;',
      'src/config.ts': 'process.env.HOST;',
      'src/main.ts': 'process.env;',
    },
    breach: 'src/cli/planted.ts reads process.env: only src/config.ts does',
  },
  ...['Date.now', 'new Date()', 'Math.random', 'performance', 'process', 'setTimeout'].map((name) => ({
    rule: `domain does not use ${name}`,
    files: { 'src/domain/planted.ts': `const planted = ${name};` },
    breach: `src/domain/planted.ts uses ${name}: domain is pure`,
  })),
];

for (const { rule, files, breach } of [...plantedImports, ...plantedCode]) {
  test(`a breach is noticed: ${rule}`, () => {
    const planted = Object.entries(files).map(([path, code]) => [path, `// A planted file.\n\n${code}\n`] as const);
    assert.deepEqual(breaches(new Map(planted)), [breach]);
  });
}

test('a breach is noticed: every file opens with a comment of one sentence', () => {
  const planted = new Map([
    ['scripts/bare.ts', 'export const x = 1;\n'],
    ['src/wire/late.ts', "import './x.ts';\n// Too late.\n"],
    ['bin/without.mjs', '#!/usr/bin/env node\nrun();\n'],
    ['test/unfinished.ts', '// Not a sentence\n'],
    ['bin/fine.mjs', '#!/usr/bin/env node\n// Fine.\n'],
    ['test/fine.ts', '/** Fine. */\n'],
  ]);
  assert.deepEqual(
    breaches(planted),
    ['scripts/bare.ts', 'src/wire/late.ts', 'bin/without.mjs', 'test/unfinished.ts'].map(
      (path) => `${path} does not open with a comment of one sentence`,
    ),
  );
});

test('what only looks like an import or a use is none', () => {
  const code = String.raw`// A fake file.
// import '../api/x.ts'; process.env
/* import '../api/x.ts'; */
const text = "import '../api/x.ts'; Date.now()";
const quote = /["'\`/]/; const half = 4 / 2; // '
const sql = \`select a from '../api/x.ts' \${ { a: \`\${text} Date.now()\` } } process.env\`;
const list = Array.from('../api/x.ts');
const day = new Date(0), shape = { process: 1, performance: 2 }, other = shape.process;
`
    .replaceAll('\\`', '`')
    .replaceAll('\\$', '$');
  assert.deepEqual(breaches(new Map([['src/domain/fake.ts', code]])), []);
});
