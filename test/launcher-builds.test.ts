// A start from sources builds the server and the console, and keeps no compiler while the server runs.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { processesBelow } from './harness/server/child-processes.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const files = {
  'package.json': '{ "type": "module", "engines": { "node": ">=24" } }',
  'package-lock.json': '{ "packages": { "": {} } }',
  'node_modules/.package-lock.json': '{ "packages": {} }',
  'src/main.ts': "setInterval(() => {}, 1_000); console.log('ready' as string);",
  'src/store-worker.ts': '',
  'src/voice-worker.ts': '',
  'src/loop-worker.ts': '',
  'packages/client/src/index.ts': '',
  'web/package.json': '{ "type": "module" }',
  'web/vite.config.ts': 'export default {};',
  'web/icon-names.ts': '',
  'web/index.html': '<script type="module" src="/src/main.ts"></script>',
  'web/src/main.ts': "document.title = 'Tocsin' as string;",
  'web/public/robots.txt': '',
};

/** A clone with a server and a console of a line each, and the packages that are installed here. */
async function tinyClone(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-clone-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await cp(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const installed = join(root, 'node_modules');
  for (const name of await readdir(installed))
    if (!name.startsWith('.')) await symlink(join(installed, name), join(folder, 'node_modules', name));
  return folder;
}

/** Starts the server of the clone and waits until it is ready; returns what it said on the way. */
async function start(
  t: TestContext,
  folder: string,
): Promise<{ readonly server: ChildProcess; readonly said: string }> {
  const server = spawn(process.execPath, ['bin/tocsin.mjs', 'serve'], {
    cwd: folder,
    // Not the compiled code that this run of the tests keeps.
    env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => server.kill('SIGKILL'));
  let said = '';
  server.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  await Promise.race([once(server.stdout, 'data'), once(server, 'close')]);
  assert.equal(server.exitCode, null, said);
  return { server, said };
}

const onLinux = { skip: process.platform !== 'linux' && 'looks into /proc' };

test('no compiler runs beside a server whose console and bundle were built at its start', onLinux, async (t) => {
  const folder = await tinyClone(t);
  const { server, said } = await start(t, folder);
  assert.match(said, /^Building the console.*\nBuilt in \d+ s\.\n$/);
  for (const built of ['.cache/console/index.html', 'node_modules/.cache/tocsin/main.js'])
    assert.ok(existsSync(join(folder, built)), `${built} was built`);
  assert.deepEqual(processesBelow(server.pid ?? 0), []);
});

test('a server whose console cannot be built starts without it and says why', async (t) => {
  const folder = await tinyClone(t);
  await writeFile(join(folder, 'web/src/main.ts'), "import './nowhere.ts';");
  const { said } = await start(t, folder);
  assert.match(said, /The console could not be built, the server starts without it: .*nowhere/s);
});
