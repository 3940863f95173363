// Runs the tests: all, the files named, `--quick` or `--soak`. Checks the code, bundles the tests and sees to the tools and
// the PostgreSQL they need.

import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { currentConsole } from '../bin/build-console.mjs';
import { makeTemplates } from '../test/harness/stores/make-templates.ts';
import { startPostgres } from '../test/harness/stores/postgres-server.ts';
import { storesUnderTest } from '../test/harness/stores/stores.ts';
import { bundleTests } from './bundle-tests.ts';

type Tool = {
  readonly name: string;
  readonly debianPackage: string;
  readonly neededFor: string;
  /** Of a library without a program: the file that it brings. */
  readonly file?: string;
};

const tools: readonly Tool[] = [
  { name: 'strace', debianPackage: 'strace', neededFor: 'the tests that watch what is synced to disk' },
  { name: 'sipp', debianPackage: 'sip-tester', neededFor: 'the tests with telephone calls' },
  { name: 'kamailio', debianPackage: 'kamailio-tls-modules', neededFor: 'the tests with a SIP registrar and proxy' },
  { name: 'baresip', debianPackage: 'baresip-core', neededFor: 'the test with a softphone' },
  { name: 'espeak-ng', debianPackage: 'espeak-ng', neededFor: 'the tests with spoken texts' },
  { name: 'ffmpeg', debianPackage: 'ffmpeg', neededFor: 'the tests with MP3 files' },
  { name: 'postfix', debianPackage: 'postfix', neededFor: 'the tests with a mail server' },
  { name: 'dovecot', debianPackage: 'dovecot-imapd', neededFor: 'the tests with a mailbox' },
  {
    name: 'Net::SIP',
    debianPackage: 'libnet-sip-perl',
    neededFor: 'the test that records a call on the side of the telephone',
    file: '/usr/share/perl5/Net/SIP.pm',
  },
  { name: 'chromium', debianPackage: 'chromium', neededFor: 'the tests with a real browser' },
];

/** The files that `--quick` runs: some stories of each subject, and the suites that hold the documents and the rules. */
const smoke = [
  'test/{architecture,catalogue,docs,interface-doc}.test.ts',
  'test/acceptance/alarms/{alarm-from-raise-to-history,states-and-acknowledgement,mask}.test.ts',
  'test/acceptance/calls/answers/taken-by-{key,text}.test.ts',
  'test/acceptance/calls/escalation/{in-turn,unanswered-call-goes-to-relief}.test.ts',
  'test/acceptance/http/{request-parsing-and-refusals,openapi-and-reference}.test.ts',
  'test/acceptance/people/users-and-teams.test.ts',
  'test/acceptance/store/backup/backup-restore.test.ts',
  'test/conformance/sqlite-store.test.ts',
];

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
  return tools.filter(({ name, file }) => (file === undefined ? !isOnPath(name) : !existsSync(file)));
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
  // The package lists are fetched only when the cached ones do not suffice: that takes longer than the installing.
  if ((await install()).passed) return;
  await aptGet('update', '-q');
  const { passed, output } = await install();
  if (!passed) console.log(output);
}

/** The environment of the tests, without the settings of a server that may be configured in this shell. */
function testEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('TOCSIN_') || name.startsWith('TOCSIN_TEST_'),
  );
  return Object.fromEntries(kept);
}

function nodeOptions(timeoutMs: number): string[] {
  return [
    '--test',
    '--enable-source-maps',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/slowest-files.ts',
    '--test-reporter-destination=stdout',
    `--test-concurrency=${availableParallelism()}`,
    `--test-timeout=${timeoutMs}`,
  ];
}

type Prepared = { readonly files: readonly string[]; readonly env: NodeJS.ProcessEnv; remove(): Promise<void> };

/** Everything the tests need: themselves as a bundle, a PostgreSQL, the console, and databases to copy. */
async function prepare({ files, env }: Plan): Promise<Prepared> {
  const needsServer = storesUnderTest().includes('postgres') && !process.env.TOCSIN_TEST_POSTGRES_URL;
  const [bundle, postgres] = await Promise.all([
    bundleTests(files),
    needsServer ? startPostgres() : undefined,
    currentConsole(),
  ]);
  const postgresUrl = postgres?.url ?? process.env.TOCSIN_TEST_POSTGRES_URL;
  const templates = await makeTemplates(postgresUrl);
  return {
    files: bundle.files,
    env: {
      ...testEnvironment(),
      ...bundle.environment,
      ...templates.environment,
      ...(postgresUrl && { TOCSIN_TEST_POSTGRES_URL: postgresUrl }),
      ...env,
    },
    async remove() {
      await templates.remove();
      await postgres?.stop();
      bundle.remove();
    },
  };
}

type Plan = {
  readonly files: readonly string[];
  readonly checksCode: boolean;
  readonly timeoutMs: number;
  readonly env?: NodeJS.ProcessEnv;
};

const minutes = 60_000;

/** Chooses the files from the arguments: some files, `--quick`, `--soak`, or everything. */
function planOf(words: readonly string[]): Plan {
  const plan = { checksCode: true, timeoutMs: 10 * minutes };
  const all = filesOf('{src,packages,web,test}/**/*.test.ts');
  if (words[0] === '--quick') {
    process.env.STORES ??= 'sqlite';
    return { ...plan, files: [...filesOf('{src,packages/*/src,web/src}/**/*.test.ts'), ...filesOf(smoke)] };
  }
  if (words[0] === '--soak') {
    const files = all.filter((file) => readFileSync(join(root, file), 'utf8').includes('/harness/soak.ts'));
    return { files, checksCode: false, timeoutMs: 60 * minutes, env: { TOCSIN_TEST_SOAK: '1' } };
  }
  return words.length === 0 ? { ...plan, files: all } : { ...plan, files: filesOf(words), checksCode: false };
}

function filesOf(patterns: string | readonly string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] });
}

const startedAt = performance.now();
const plan = planOf(process.argv.slice(2));
await provideTools();
const check = async (): Promise<boolean> =>
  !plan.checksCode || (await run(process.execPath, ['scripts/check.ts'])).passed;
const [prepared, checked] = await Promise.all([prepare(plan), check()]);
const { passed } = await run(process.execPath, [...nodeOptions(plan.timeoutMs), ...prepared.files], prepared.env);
await prepared.remove();
if (!checked) console.log('The check of types and style failed, see the top.');
console.log(`Total time ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
process.exitCode = checked && passed ? 0 : 1;
if (interruptedBy !== undefined) {
  process.removeAllListeners(interruptedBy);
  process.kill(process.pid, interruptedBy);
}
