// Runs the tests, all or the files named: checks the code first and sees to the tools and the PostgreSQL they need.

import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeTemplates } from '../test/harness/make-templates.ts';
import { startPostgres } from '../test/harness/postgres-server.ts';
import { storesUnderTest } from '../test/harness/stores.ts';
import { bundleTests } from './bundle-tests.ts';

type Tool = { readonly name: string; readonly debianPackage: string; readonly neededFor: string };

const tools: readonly Tool[] = [
  { name: 'strace', debianPackage: 'strace', neededFor: 'the tests that watch what is synced to disk' },
  { name: 'chromium', debianPackage: 'chromium', neededFor: 'the tests with a real browser' },
];

const testTimeoutMs = 300_000;
const root = fileURLToPath(new URL('..', import.meta.url));

let interruptedBy: NodeJS.Signals | undefined;
let passSignalOn: (signal: NodeJS.Signals) => void = () => {};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interruptedBy = signal;
    passSignalOn(signal);
  });
}

type Outcome = { readonly passed: boolean; readonly output: string };

/** Runs a program to its end; `quiet` keeps its output instead of showing it. */
async function run(program: string, args: readonly string[], env = process.env, quiet = false): Promise<Outcome> {
  if (interruptedBy !== undefined) return { passed: false, output: '' };
  const child = spawn(program, args, { cwd: root, env, stdio: quiet ? 'pipe' : 'inherit' });
  passSignalOn = (signal) => child.kill(signal);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr?.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise((done) => {
    child.on('error', (error) => done({ passed: false, output: error.message }));
    child.on('close', (code) => done({ passed: code === 0, output }));
  });
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

function missingTools(): readonly Tool[] {
  return tools.filter((tool) => !isOnPath(tool.name));
}

async function provideTools(): Promise<void> {
  if (missingTools().length === 0) return;
  if (process.getuid?.() === 0 && isOnPath('apt-get')) await installTools(missingTools());
  for (const { name, debianPackage, neededFor } of missingTools()) {
    console.log(`${name} is missing: ${neededFor} will be skipped. Get it with: apt-get install ${debianPackage}`);
  }
}

async function installTools(missing: readonly Tool[]): Promise<void> {
  const packages = missing.map((tool) => tool.debianPackage);
  console.log(`Installing ${packages.join(', ')} with apt-get, which tests need…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptGet = (...args: string[]) => run('apt-get', args, env, true);
  const install = () => aptGet('install', '-y', '-q', '--no-install-recommends', ...packages);
  // The package lists are fetched only when those at hand do not do: that takes longer than the installing.
  if ((await install()).passed) return;
  await aptGet('update', '-q');
  const { passed, output } = await install();
  if (!passed) console.log(output);
}

/** What the tests see: none of the settings of a server that happens to be configured in this shell. */
function testEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('TOCSIN_') || name.startsWith('TOCSIN_TEST_'),
  );
  return Object.fromEntries(kept);
}

const nodeOptions = [
  '--test',
  '--enable-source-maps',
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=./scripts/slowest-files.ts',
  '--test-reporter-destination=stdout',
  `--test-concurrency=${availableParallelism()}`,
  `--test-timeout=${testTimeoutMs}`,
];

async function runTests(patterns: readonly string[]): Promise<boolean> {
  const files = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] });
  const needsServer = storesUnderTest().includes('postgres') && !process.env.TOCSIN_TEST_POSTGRES_URL;
  const [bundle, postgres] = await Promise.all([bundleTests(files), needsServer ? startPostgres() : undefined]);
  const postgresUrl = postgres?.url ?? process.env.TOCSIN_TEST_POSTGRES_URL;
  const templates = await makeTemplates(postgresUrl);
  try {
    const env = {
      ...testEnvironment(),
      ...bundle.environment,
      ...templates.environment,
      ...(postgresUrl && { TOCSIN_TEST_POSTGRES_URL: postgresUrl }),
    };
    return (await run(process.execPath, [...nodeOptions, ...bundle.files], env)).passed;
  } finally {
    await templates.remove();
    await postgres?.stop();
    bundle.remove();
  }
}

const startedAt = performance.now();
const named = process.argv.slice(2);
const checked = named.length > 0 || (await run(process.execPath, ['scripts/check.ts'])).passed;
await provideTools();
const tested = await runTests(named.length > 0 ? named : ['{src,packages,test}/**/*.test.ts']);
if (!checked) console.log('The check of types and style failed, see the top.');
console.log(`Total time ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
process.exitCode = checked && tested ? 0 : 1;
if (interruptedBy !== undefined) {
  process.removeAllListeners(interruptedBy);
  process.kill(process.pid, interruptedBy);
}
