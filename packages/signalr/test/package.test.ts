// The package as it is published: what it exports, what it imports, and its README.

import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { defaultIntervals, defaultLimits } from '../src/options.ts';

const home = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string): string => readFileSync(join(home, name), 'utf8');
const manifest = JSON.parse(read('package.json'));

/** Where npm put a package that this one depends on. */
function installed(name: string): string {
  return fileURLToPath(import.meta.resolve(`${name}/package.json`)).replace(/package\.json$/, '');
}

/** The first block of code of that language in the README. */
function codeInReadme(language: string): string {
  return new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(read('README.md'))?.[1] ?? '';
}

describe('the built package', () => {
  let folder: string;
  const run = (file: string) => execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' });

  before(() => {
    execFileSync(process.execPath, [join(home, '../../scripts/build-package.ts')], { cwd: home, stdio: 'inherit' });
    folder = mkdtempSync(join(tmpdir(), 'signalr-package-'));
    const modules = join(folder, 'node_modules');
    // Copied, as npm would: Node runs no TypeScript in there, and finds none of the workspace's files.
    cpSync(join(home, 'dist'), join(modules, manifest.name), { recursive: true });
    for (const name of [...Object.keys(manifest.dependencies), '@types/node']) {
      mkdirSync(join(modules, name, '..'), { recursive: true });
      symlinkSync(installed(name), join(modules, name));
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('exports the public names and nothing else', () => {
    writeFileSync(
      join(folder, 'names.js'),
      `import * as signalr from '${manifest.name}';\nprocess.stdout.write(Object.keys(signalr).join());`,
    );
    assert.equal(run('names.js'), 'HubException,RequestRefused,SignalRServer,defaultIntervals,defineHub');
  });

  it('lets nobody import an inner file', () => {
    for (const inner of ['server.js', 'core/negotiate.js', 'package.json']) {
      writeFileSync(join(folder, 'inner.js'), `import '${manifest.name}/${inner}';`);
      const { status, stderr } = spawnSync(process.execPath, ['inner.js'], { cwd: folder, encoding: 'utf8' });
      assert.equal(status, 1);
      assert.match(stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/, inner);
    }
  });

  it('has a manifest for npm, a README, a changelog, a licence, and no sources', () => {
    const published = JSON.parse(read('dist/package.json'));
    assert.deepEqual(published.dependencies, manifest.dependencies);
    assert.deepEqual(published.exports, { '.': { types: './index.d.ts', default: './index.js' } });
    for (const name of ['private', 'scripts', 'devDependencies']) assert.equal(published[name], undefined, name);
    const files = globSync('**/*', { cwd: join(home, 'dist') });
    for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'index.js', 'index.d.ts']) {
      assert.ok(files.includes(name), name);
    }
    assert.deepEqual(
      files.filter((name) => /(?<!\.d)\.ts$|\.test\./.test(name)),
      [],
    );
    for (const name of files.filter((file) => file.endsWith('.d.ts'))) {
      assert.doesNotMatch(read(`dist/${name}`), /(?<!\.d)\.ts'/, name);
    }
  });

  it("compiles the README's example against its types, and refuses one with a wrong option", () => {
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node'];
    const compiler = join(installed('typescript'), 'bin/tsc');
    const compile = (code: string) => {
      writeFileSync(join(folder, 'example.ts'), code);
      return spawnSync(process.execPath, [compiler, ...options, 'example.ts'], { cwd: folder, encoding: 'utf8' })
        .stdout;
    };
    assert.equal(compile(codeInReadme('ts')), '');
    assert.match(compile(codeInReadme('ts').replace('hub: chat }', "hub: 'chat' }")), /not assignable/);
  });

  it("runs the README's example of ten lines, to which the published client connects", async () => {
    const example = codeInReadme('ts');
    assert.equal(example.trimEnd().split('\n').length, 10);
    const onAnyPort = example.replace('http.listen(8080)', 'http.listen(0)');
    assert.notEqual(onAnyPort, example);
    writeFileSync(
      join(folder, 'example.js'),
      `${onAnyPort}\nhttp.on('listening', () => process.send(http.address().port));\n`,
    );
    const child: ChildProcess = spawn(process.execPath, ['example.js'], {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    try {
      const [port] = await once(child, 'message');
      const other = await fetch(`http://localhost:${port}/`);
      assert.equal(await other.text(), 'The chat is at /chat.\n');
      const client = new HubConnectionBuilder()
        .withUrl(`http://localhost:${port}/chat`)
        .configureLogging(LogLevel.None)
        .build();
      const said = new Promise((resolve) => client.on('said', resolve));
      await client.start();
      await client.invoke('say', 'hello');
      assert.equal(await said, 'hello');
      await client.stop();
    } finally {
      child.kill();
    }
  });
});

/** Statements begin a line, which keeps imports inside of texts out; dynamic ones may stand anywhere. */
function importsOf(text: string): string[] {
  const found = text.matchAll(/^(?:import|export)\b(?:[^;'"=(]*\bfrom)? '([^']+)'|\bimport\('([^']+)'\)/gm);
  return [...found].map(([, statement, call]) => statement ?? call ?? '');
}

it('imports nothing from outside the package but Node and its declared dependencies', () => {
  const declared = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.devDependencies)];
  for (const file of globSync('{src,test}/**/*.ts', { cwd: home })) {
    const isProduction = file.startsWith('src') && !file.endsWith('.test.ts');
    const allowed = isProduction ? Object.keys(manifest.dependencies) : declared;
    for (const specifier of importsOf(read(file))) {
      const isInside = specifier.startsWith('.') && !relative(home, join(home, file, '..', specifier)).startsWith('..');
      const isAllowed = allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`));
      assert.ok(isInside || isAllowed || specifier.startsWith('node:'), `${file} imports ${specifier}`);
    }
  }
});

it('has the default of every interval and limit in its README', () => {
  for (const [name, value] of Object.entries({ ...defaultIntervals, ...defaultLimits })) {
    assert.ok(read('README.md').includes(`| \`${name}\` | ${value.toLocaleString('en')} |`), `${name} ${value}`);
  }
});

it('has every option in its README', () => {
  const [, options = ''] = /export type SignalROptions = \{(.*?)\n\};/s.exec(read('src/options.ts')) ?? [];
  const names = [...options.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, name]) => name);
  assert.ok(names.length > 10);
  for (const name of names) assert.match(read('README.md'), new RegExp(`^\\| \`${name}\` \\|`, 'm'), name);
});
