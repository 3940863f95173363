// Tests that the repository follows the import rules and file rules, and that a breach of each rule is detected.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { breaches } from './harness/architecture.ts';

const root = new URL('..', import.meta.url);

function repository(): Map<string, string> {
  const paths = globSync('{src,scripts,bin,test,packages/*/{src,scripts,test}}/**/*.{ts,tsx,mjs}', {
    cwd: fileURLToPath(root),
  });
  return new Map(paths.map((path) => [path.split(sep).join('/'), readFileSync(new URL(path, root), 'utf8')]));
}

test('the repository follows the import rules and file rules', () => {
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
    rule: 'routes do not import hub',
    files: { 'src/routes/planted.ts': "import type { Hub } from '../hub/planted.ts';" },
    breach: 'src/routes/planted.ts imports src/hub/planted.ts: routes may not import hub',
  },
  {
    rule: 'hub does not import routes',
    files: { 'src/hub/planted.ts': "export * from '../routes/planted.ts';" },
    breach: 'src/hub/planted.ts imports src/routes/planted.ts: hub may not import routes',
  },
  {
    rule: 'http imports only parts of wire',
    files: {
      'src/http/planted.ts': "import '../wire/paging.ts';\nimport '../wire/alarms/alarm.ts';",
      'src/http/fine.ts': "import '../domain/access/access.ts';",
    },
    breach: 'src/http/planted.ts imports src/wire/alarms/alarm.ts: http may not import src/wire/alarms/alarm.ts',
  },
  {
    rule: 'the store does not import operations',
    files: { 'src/store/planted.ts': "import '../operations/access/queries.ts';" },
    breach: 'src/store/planted.ts imports src/operations/access/queries.ts: store may not import operations',
  },
  {
    rule: 'the store imports no subject',
    files: { 'src/store/planted.ts': "import type { Role } from '../domain/access/access.ts';" },
    breach: 'src/store/planted.ts imports src/domain/access/access.ts: store may not import domain',
  },
  {
    rule: 'the store does not import the migrations',
    files: { 'src/store/planted.ts': "import { schema } from '../migrations/schema.ts';" },
    breach: 'src/store/planted.ts imports src/migrations/schema.ts: store may not import migrations',
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
      'src/routes/planted.ts': "const store = await import('../store/sqlite/planted.ts');",
      'src/open-store.ts': "import './store/sqlite/planted.ts';",
    },
    breach: 'src/routes/planted.ts imports src/store/sqlite/planted.ts: only the wiring imports a driver',
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
      'src/routes/planted.test.ts': "import '../app.ts';",
    },
    breach: 'src/open-store.ts imports src/app.ts: only main.ts, cli and tests do',
  },
  {
    rule: 'the server imports nothing of the tests',
    files: { 'src/app.ts': "import '../test/harness/planted.ts';" },
    breach: 'src/app.ts imports test/harness/planted.ts: it is not part of the server',
  },
  {
    rule: 'a package imports nothing outside of itself',
    files: { 'packages/planted/src/planted.ts': "import '../../../src/clock.ts';" },
    breach: 'packages/planted/src/planted.ts imports src/clock.ts: a package imports nothing outside of itself',
  },
  {
    rule: 'the tests of a package import nothing outside of it',
    files: { 'packages/planted/test/planted.test.ts': "import '../../../test/harness/until.ts';" },
    breach:
      'packages/planted/test/planted.test.ts imports test/harness/until.ts: a package imports nothing outside of itself',
  },
  {
    rule: 'the sources of a package are imported by its name',
    files: {
      'src/hub/planted.ts': "import '../../packages/planted/src/inner.ts';",
      'test/planted.test.ts': "import '../packages/planted/test/harness/planted.ts';",
    },
    breach: 'src/hub/planted.ts imports packages/planted/src/inner.ts: import the package by its name',
  },
  {
    rule: 'only the rooms of the table import a package of our own',
    files: {
      'src/operations/planted.ts': "import '@tocsin/signalr';",
      'src/hub/planted.ts': "import '@tocsin/signalr';",
      'src/app.ts': "import '@tocsin/signalr';",
    },
    breach: 'src/operations/planted.ts imports @tocsin/signalr: operations may not import @tocsin/signalr',
  },
  {
    rule: 'there are no cycles in a package',
    files: {
      'packages/planted/src/one.ts': "import './two.ts';",
      'packages/planted/src/two.ts': "import './one.ts';",
    },
    breach: 'cycle: packages/planted/src/one.ts → packages/planted/src/two.ts → packages/planted/src/one.ts',
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
    rule: 'no folder has more than 20 source files',
    files: Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [
        [`src/wire/planted-${index}.ts`, ''],
        [`src/wire/planted-${index}.test.ts`, ''],
      ]).flat(),
    ),
    breach: 'src/wire has 21 source files: at most 20',
  },
  {
    rule: 'no folder of a package has more than 20 source files',
    files: Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [`packages/planted/src/inner/planted-${index}.ts`, '']),
    ),
    breach: 'packages/planted/src/inner has 21 source files: at most 20',
  },
  {
    rule: 'no folder of test/ has more than 20 files',
    files: Object.fromEntries(
      Array.from({ length: 21 }, (_, index) => [`test/acceptance/planted/planted-${index}.test.ts`, '']),
    ),
    breach: 'test/acceptance/planted has 21 source files: at most 20',
  },
  {
    rule: 'there are no barrels',
    files: { 'src/wire/index.ts': '' },
    breach: 'src/wire/index.ts is a barrel: import the file itself',
  },
  {
    rule: 'a package has one index, that of its sources',
    files: { 'packages/planted/src/index.ts': '', 'packages/planted/src/inner/index.ts': '' },
    breach: 'packages/planted/src/inner/index.ts is a barrel: import the file itself',
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
  {
    rule: 'alarms know nobody who reacts to them',
    files: {
      'src/operations/alarms/planted.ts': "import '../calls/queries.ts';",
      'src/operations/calls/queries.ts': "import '../alarms/reaction.ts';",
      'src/operations/alarms/reaction.ts': "import '../audit/append.ts';",
      'src/operations/audit/append.ts': '',
    },
    breach:
      'src/operations/alarms/planted.ts imports src/operations/calls/queries.ts: operations/alarms may not import operations/calls',
  },
  ...["'alarms'", '`select id from alarms`', '"insert into alarms (id)"'].map((text) => ({
    rule: `the store names no table of a subject: ${text}`,
    files: {
      'src/store/planted.ts': `// Not the alarms of a comment, nor events.\nconst alarms = 'events', planted = ${text};`,
      'src/operations/planted.ts': "const planted = 'alarms';",
    },
    breach: 'src/store/planted.ts names alarms: it belongs to a subject',
  })),
  ...['new Function(text)', 'eval(text)'].map((call) => ({
    rule: `only compiled-shape.ts compiles code: ${call}`,
    files: { 'src/store/planted.ts': `const planted = ${call};`, 'src/store/compiled-shape.ts': call },
    breach: 'src/store/planted.ts compiles code: only src/store/compiled-shape.ts does',
  })),
  ...['valid && verified', '!number.verified || !number.valid'].map((decision) => ({
    rule: `one file decides whether a number is called: ${decision}`,
    files: { 'src/routes/planted.ts': `const planted = ${decision};`, 'src/domain/calls/usable-numbers.ts': decision },
    breach: 'src/routes/planted.ts decides whether a number is called: isCallable, isUsable and canBeReached do',
  })),
  ...["reason !== 'no response'", "ended.reason === 'busy'", "'busy' === ended.reason"].map((decision) => ({
    rule: `nothing decides by a sentence: ${decision}`,
    files: { 'src/channels/planted.ts': `const planted = ${decision};`, 'src/wire/planted.ts': decision },
    breach: 'src/channels/planted.ts decides by a sentence: compare the code, not the reason',
  })),
  ...['Date.now', 'new Date()', 'Math.random', 'performance', 'process', 'setTimeout'].map((name) => ({
    rule: `domain does not use ${name}`,
    files: { 'src/domain/planted.ts': `const planted = ${name};` },
    breach: `src/domain/planted.ts uses ${name}: domain is pure`,
  })),
];

for (const { rule, files, breach } of [...plantedImports, ...plantedCode]) {
  test(`a breach is detected: ${rule}`, () => {
    const planted = Object.entries(files).map(([path, code]) => [path, `// A planted file.\n\n${code}\n`] as const);
    assert.deepEqual(breaches(new Map(planted)), [breach]);
  });
}

test('a breach is detected: every file opens with a comment of one sentence', () => {
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

test('text that only looks like an import or a use of a global is no breach', () => {
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
