// The benches name what they need before they start anything, and leave nothing behind that they have started.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isRunning, processesBelow } from './harness/server/child-processes.ts';
import { until } from './harness/until.ts';

const folderOfBenches = fileURLToPath(new URL('../bench', import.meta.url));
const onLinux = { skip: process.platform !== 'linux' && 'looks into /proc' };

type Bench = { readonly process: ChildProcess; readonly temporary: string; said(): string };

/** Starts a bench whose temporary files are in a folder of their own. */
async function startBench(t: TestContext, file: string, env: NodeJS.ProcessEnv = {}): Promise<Bench> {
  const temporary = await mkdtemp(join(tmpdir(), 'tocsin-test-'));
  t.after(() => rm(temporary, { recursive: true, force: true }));
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, TMPDIR: temporary, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text));
  return { process: child, temporary, said: () => said };
}

/** A bench that starts a PostgreSQL, a server and a shell with a program, and then does `last`. */
async function smallBench(t: TestContext, last: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-test-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const address = (path: string): string => JSON.stringify(pathToFileURL(join(folderOfBenches, path)).href);
  const program = `
    import { spawn } from 'node:child_process';
    import { once } from 'node:events';
    import { writeFile } from 'node:fs/promises';
    import { join } from 'node:path';
    import { runBench } from ${address('run-bench.ts')};
    import { start } from ${address('server.ts')};
    import { startPostgres } from ${address('../test/harness/stores/postgres-server.ts')};
    await runBench({
      needs: ['PostgreSQL'],
      async measure(folder: string) {
        await startPostgres();
        await start('bare HTTP', [${JSON.stringify(join(folderOfBenches, 'echo-server.ts'))}]);
        await writeFile(join(folder, 'data'), '');
        spawn('sh', ['-c', 'sleep 600; true'], { detached: true });
        console.log('midway');
        ${last}
      },
    });`;
  const file = join(folder, 'small-bench.ts');
  await writeFile(file, program);
  return file;
}

async function untilMidway(bench: Bench): Promise<readonly number[]> {
  await until(bench.said, (said) => /midway/.test(said) || bench.process.exitCode !== null, 120_000);
  const started = processesBelow(bench.process.pid ?? 0);
  const commands = started.map(({ command }) => command).join('\n');
  for (const part of [/postgres/, /echo-server\.ts/, /sleep 600/]) assert.match(commands, part);
  return started.map(({ pid }) => pid);
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`a bench that is ended midway by ${signal} leaves no process and no file`, onLinux, async (t) => {
    const bench = await startBench(t, await smallBench(t, 'await new Promise(() => {});'));
    const pids = await untilMidway(bench);
    bench.process.kill(signal);
    assert.deepEqual(await once(bench.process, 'close'), [code, null], bench.said());
    assert.deepEqual(pids.filter(isRunning), []);
    assert.deepEqual(await readdir(bench.temporary), []);
  });
}

test('a bench that fails midway says why, and leaves no process and no file', onLinux, async (t) => {
  const bench = await startBench(t, await smallBench(t, "await once(process, 'SIGUSR2'); throw new Error('no rate');"));
  const pids = await untilMidway(bench);
  bench.process.kill('SIGUSR2');
  assert.deepEqual(await once(bench.process, 'close'), [1, null], bench.said());
  assert.match(bench.said(), /no rate/);
  assert.deepEqual(pids.filter(isRunning), []);
  assert.deepEqual(await readdir(bench.temporary), []);
});

test('a bench without its programs names them with the way to get them, and starts nothing', async (t) => {
  const programs = await mkdtemp(join(tmpdir(), 'tocsin-test-'));
  t.after(() => rm(programs, { recursive: true, force: true }));
  for (const [file, missing] of [
    ['raise.ts', 'wrk'],
    ['console.ts', 'chromium'],
    ['first-ring.ts', 'git chromium'],
  ] as const) {
    const bench = await startBench(t, join(folderOfBenches, file), { PATH: programs });
    const [code] = await once(bench.process, 'close');
    assert.notEqual(code, 0);
    assert.match(bench.said(), new RegExp(`nothing was started. Get it with: apt-get install ${missing}$`, 'm'));
    assert.deepEqual(await readdir(bench.temporary), []);
  }
});

test('every bench that starts servers runs in a way that ends them', async () => {
  const files = (await readdir(folderOfBenches)).filter((name) => name.endsWith('.ts'));
  const starting: string[] = [];
  for (const name of files) {
    const text = await readFile(join(folderOfBenches, name), 'utf8');
    if (/startTocsin|startPostgres|startClone|killDuringCalls|new Stage/.test(text) && !/export /.test(text))
      starting.push(name);
    else continue;
    assert.match(text, /^await runBench\(/m, name);
  }
  assert.ok(starting.length >= 8, starting.join());
});
