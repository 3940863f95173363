// The launcher installs dependencies once, selects a Node version and runs the file as if it had been started directly.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

const launcher = new URL('../bin/launch.mjs', import.meta.url);
const installing = /Installing what Tocsin needs/;

/** Creates a package with one program, no dependencies and the launcher, which installs nothing there. */
async function tinyPackage(t: TestContext, program: string, engine = '>=18.0'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-launcher-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, 'bin'));
  await cp(launcher, join(folder, 'bin/launch.mjs'));
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'tiny', version: '1.0.0', engines: { node: engine } }),
  );
  await writeFile(join(folder, 'program.mjs'), program);
  return folder;
}

/** Creates one whose first start installs. */
async function packageToInstall(t: TestContext, program: string, engine?: string): Promise<string> {
  const folder = await tinyPackage(t, program, engine);
  await writeLock(folder);
  return folder;
}

function writeLock(folder: string, extra: object = {}): Promise<void> {
  const lock = { name: 'tiny', version: '1.0.0', lockfileVersion: 3, requires: true, ...extra };
  return writeFile(join(folder, 'package-lock.json'), JSON.stringify({ ...lock, packages: { '': lock } }));
}

type Ended = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly out: string;
  readonly err: string;
};
type Launched = { readonly child: ChildProcess; readonly printed: Promise<unknown>; readonly ended: Promise<Ended> };

function launch(folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Launched {
  const child = spawn(process.execPath, ['bin/launch.mjs', ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (err += text));
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, out, err }));
  return { child, printed: once(child.stdout, 'data'), ended };
}

const run = (folder: string, ...args: string[]): Promise<Ended> => launch(folder, args).ended;

const showsArguments =
  'console.log(JSON.stringify(process.argv.slice(2)), process.execArgv.join()); process.exitCode = 3;';
const stopsItself = "process.on('SIGTERM', () => process.exit(7)); setInterval(() => {}, 1000); console.log('ready');";
const runsOn = "setInterval(() => {}, 1000); console.log('ready');";

test('the first start installs, the second does not, a changed lock file installs again', async (t) => {
  const folder = await packageToInstall(t, showsArguments);
  const first = await run(folder, 'program.mjs');
  assert.match(first.err, installing);
  assert.match(first.err, /first start/);
  assert.equal(first.out, '[] \n');
  const second = await run(folder, 'program.mjs');
  assert.equal(second.err, '');
  await writeLock(folder, { license: 'MIT' });
  const third = await run(folder, 'program.mjs');
  assert.match(third.err, installing);
  assert.equal((await run(folder, 'program.mjs')).err, '');
});

test('a plain npm ci counts as installed; an installation of another lock file does not', async (t) => {
  const folder = await packageToInstall(t, showsArguments);
  const lockedAt = (integrity: string) => ({
    packages: { '': {}, 'node_modules/one': { integrity }, 'node_modules/elsewhere': { optional: true } },
  });
  const writeJson = (path: string, content: object) => writeFile(join(folder, path), JSON.stringify(content));
  await mkdir(join(folder, 'node_modules'));
  await writeJson('node_modules/.package-lock.json', { packages: { 'node_modules/one': { integrity: 'sha512-1' } } });
  await writeJson('package-lock.json', lockedAt('sha512-1'));
  assert.equal((await run(folder, 'program.mjs')).err, '');
  await writeJson('package-lock.json', lockedAt('sha512-2'));
  // The real npm would now request the package from a registry.
  await writeFile(join(folder, 'npm-cli.js'), '');
  const { ended } = launch(folder, ['program.mjs'], { npm_execpath: join(folder, 'npm-cli.js') });
  assert.match((await ended).err, installing);
});

test('a copy without a lock file installs nothing', async (t) => {
  const folder = await tinyPackage(t, showsArguments);
  assert.equal((await run(folder, 'program.mjs')).err, '');
});

test('two concurrent starts install once, and both run', async (t) => {
  const folder = await packageToInstall(t, showsArguments);
  const ends = await Promise.all([run(folder, 'program.mjs'), run(folder, 'program.mjs')]);
  assert.deepEqual(
    ends.map(({ code }) => code),
    [3, 3],
  );
  assert.equal(ends.filter(({ err }) => installing.test(err)).length, 1);
  assert.ok(!(await readdir(folder)).includes('.installing'));
});

test('the install lock of a killed start is taken over', async (t) => {
  const folder = await packageToInstall(t, showsArguments);
  const start = "await launch({ file: 'program.mjs', args: [], abandonedAfterMs: 100 });";
  await writeFile(join(folder, 'start.mjs'), `import { launch } from './bin/launch.mjs'; ${start}`);
  await mkdir(join(folder, '.installing'));
  const child = spawn(process.execPath, ['start.mjs'], { cwd: folder, stdio: 'ignore' });
  assert.deepEqual(await once(child, 'close'), [3, null]);
  assert.ok(!(await readdir(folder)).includes('.installing'));
});

test('a failed install is reported, removes its lock and does not run the file', async (t) => {
  const folder = await packageToInstall(t, showsArguments);
  await writeFile(join(folder, 'package-lock.json'), '{');
  const { code, out, err } = await run(folder, 'program.mjs');
  assert.deepEqual({ code, out }, { code: 1, out: '' });
  assert.match(err, /Installing failed: npm ci ended with code 1/);
  assert.ok(!(await readdir(folder)).includes('.installing'));
});

test('arguments, Node options and the exit code are passed on', async (t) => {
  const folder = await tinyPackage(t, showsArguments);
  const inProcess = await run(folder, 'program.mjs', 'serve', '--port=1');
  assert.deepEqual([inProcess.code, inProcess.out], [3, '["serve","--port=1"] \n']);
  const spawned = await run(folder, '--no-warnings', 'program.mjs', 'serve', '--port=1');
  assert.deepEqual([spawned.code, spawned.out], [3, '["serve","--port=1"] --no-warnings\n']);
});

for (const [how, options, make] of [
  // After an install the launcher must no longer handle the signal itself.
  ['in its own process', [], packageToInstall],
  ['in a child process', ['--no-warnings'], tinyPackage],
] as const) {
  test(`SIGTERM reaches the program ${how}`, async (t) => {
    const graceful = launch(await tinyPackage(t, stopsItself), [...options, 'program.mjs']);
    await graceful.printed;
    graceful.child.kill('SIGTERM');
    assert.equal((await graceful.ended).code, 7);
    const killed = launch(await make(t, runsOn), [...options, 'program.mjs']);
    await killed.printed;
    killed.child.kill('SIGTERM');
    assert.equal((await killed.ended).signal, 'SIGTERM');
  });
}

test('the program ends when the shell of npm is killed', { skip: process.platform === 'win32' }, async (t) => {
  const folder = await tinyPackage(t, stopsItself);
  const script = `"${process.execPath}" bin/launch.mjs program.mjs; true`;
  const env = { ...process.env, npm_lifecycle_event: 'start' };
  const shell = spawn('sh', ['-c', script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'ignore'] });
  await once(shell.stdout, 'data');
  shell.kill('SIGKILL');
  // The pipe is closed only when the program, which holds its other end, has ended too.
  await once(shell, 'close');
});

test('a Node that is too old is replaced by the one npm installed, or the required version is reported', async (t) => {
  const folder = await packageToInstall(t, 'console.log(process.execPath);', '>=999.1');
  const refused = await run(folder, 'program.mjs');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /Tocsin needs Node 999\.1 or newer and this is v\d+.*nodejs\.org\n$/);
  const system = process.platform === 'win32' ? 'win' : process.platform;
  const brought = join(folder, 'node_modules', `node-${system}-${process.arch}`);
  await mkdir(brought);
  await writeFile(join(brought, 'package.json'), JSON.stringify({ bin: { node: 'node-program' } }));
  await writeFile(join(brought, 'node-program'), '#!/bin/sh\necho brought "$@"\n', { mode: 0o755 });
  assert.equal((await run(folder, 'program.mjs', 'x')).out, 'brought program.mjs x\n');
});
