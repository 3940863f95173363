// The package as it is published: what it exports, what it imports, and its README.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const home = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string): string => readFileSync(join(home, name), 'utf8');
const manifest = JSON.parse(read('package.json'));

/** Where npm put a package that this one depends on. */
function installed(name: string): string {
  return fileURLToPath(import.meta.resolve(`${name}/package.json`)).replace(/package\.json$/, '');
}

const example = /```ts\n(.*?)```/s.exec(read('README.md'))?.[1] ?? '';

describe('the built package', () => {
  let folder: string;
  const run = (file: string) => execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });

  before(() => {
    execFileSync(process.execPath, [join(home, '../../scripts/build-package.ts')], { cwd: home, stdio: 'inherit' });
    folder = mkdtempSync(join(tmpdir(), 'sip-package-'));
    const modules = join(folder, 'node_modules');
    // Copied, as npm would: Node runs no TypeScript in there, and finds none of the workspace's files.
    cpSync(join(home, 'dist'), join(modules, manifest.name), { recursive: true });
    mkdirSync(join(modules, '@types'), { recursive: true });
    symlinkSync(installed('@types/node'), join(modules, '@types/node'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('exports the user agent and lets nobody import an inner file', () => {
    writeFileSync(
      join(folder, 'names.js'),
      `import * as sip from '${manifest.name}';\nprocess.stdout.write(Object.keys(sip).join());`,
    );
    const names = run('names.js').split(',');
    for (const name of ['InvalidValue', 'UserAgent', 'parseUri', 'printUri']) assert.ok(names.includes(name), name);
    writeFileSync(join(folder, 'inner.js'), `import '${manifest.name}/message/parser.js';`);
    const { status, stderr } = spawnSync(process.execPath, ['inner.js'], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/);
  });

  it('has a manifest for npm without dependencies, a README, a changelog, a licence, and no sources', () => {
    const published = JSON.parse(read('dist/package.json'));
    assert.deepEqual(published.exports, { '.': { types: './index.d.ts', default: './index.js' } });
    for (const name of ['private', 'scripts', 'dependencies', 'devDependencies'])
      assert.equal(published[name], undefined, name);
    const files = globSync('**/*', { cwd: join(home, 'dist') });
    for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'index.js', 'index.d.ts'])
      assert.ok(files.includes(name), name);
    assert.deepEqual(
      files.filter((name) => /(?<!\.d)\.ts$|\.test\./.test(name)),
      [],
    );
  });

  it("compiles the README's example against its types, and refuses one with a wrong option", () => {
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
    const compiler = join(installed('typescript'), 'bin/tsc');
    const compile = (code: string) => {
      writeFileSync(join(folder, 'example.ts'), code);
      return spawnSync(process.execPath, [compiler, ...options, 'example.ts'], { cwd: folder, encoding: 'utf8' })
        .stdout;
    };
    assert.equal(compile(example), '');
    assert.match(compile(example.replace("to: '1000'", 'to: 1000')), /not assignable/);
  });

  it("runs the README's example, whose call ends where nobody is", () => {
    const unreachable = example
      .replace('pbx.example.com', '127.0.0.1')
      .replace("protocol: 'tcp' } as const", "port: 9, protocol: 'tcp' }");
    writeFileSync(join(folder, 'example.js'), `${unreachable}\ncall.on('ended', () => agent.close());\n`);
    assert.match(run('example.js'), /^ended transport undefined .*ECONNREFUSED/);
  });
});

/** Statements begin a line, which keeps imports inside of texts out; dynamic ones may stand anywhere. */
function importsOf(text: string): string[] {
  const found = text.matchAll(/^(?:import|export)\b(?:[^;'"=(]*\bfrom)? '([^']+)'|\bimport\('([^']+)'\)/gm);
  return [...found].map(([, statement, call]) => statement ?? call ?? '');
}

it('imports nothing from outside the package but Node, and in its tests what it declares', () => {
  for (const file of globSync('{src,test}/**/*.ts', { cwd: home })) {
    const isProduction = file.startsWith('src') && !file.endsWith('.test.ts');
    const allowed = isProduction ? [] : Object.keys(manifest.devDependencies);
    for (const specifier of importsOf(read(file))) {
      const isInside = specifier.startsWith('.') && !relative(home, join(home, file, '..', specifier)).startsWith('..');
      const isAllowed = allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`));
      assert.ok(isInside || isAllowed || specifier.startsWith('node:'), `${file} imports ${specifier}`);
    }
  }
});

it('has every option in its README', () => {
  const optionsOf = (file: string, type: string): string[] => {
    const [, options = ''] = new RegExp(`export type ${type} = \\{(.*?)\\n\\};`, 's').exec(read(file)) ?? [];
    return [...options.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, name]) => name ?? '');
  };
  const names = [
    ...optionsOf('src/user-agent/user-agent.ts', 'UserAgentOptions'),
    ...optionsOf('src/user-agent/invite-request.ts', 'InviteOptions'),
  ];
  assert.ok(names.length > 10);
  for (const name of names) assert.match(read('README.md'), new RegExp(`^\\| \`${name}\` \\|`, 'm'), name);
});
