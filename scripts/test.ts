// Runs the tests: all, the files named, `--quick` or `--soak`, which also takes files. Checks the code, bundles the tests and sees to the tools and
// the PostgreSQL they need.

import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { currentConsole } from '../bin/build-console.mjs';
import { makeTemplates } from '../test/harness/stores/make-templates.ts';
import { startPostgres } from '../test/harness/stores/postgres-server.ts';
import { missingOnPostgres, readUsedStatements } from '../test/harness/stores/statement-coverage.ts';
import { nameOfStatement } from '../test/harness/stores/statement-names.ts';
import { storesUnderTest } from '../test/harness/stores/stores.ts';
import { bundleTests } from './test/bundle-tests.ts';
import { runLanes, type TestFile } from './test/lanes.ts';
import { printSummary } from './test/print-summary.ts';
import { processorSeconds } from './test/processor-time.mjs';
import { endIfInterrupted, isInterrupted, root, runProgram } from './test/run-program.ts';
import { provideTools } from './test/tools.ts';

/** The files that `--quick` runs: some of each subject, and the suites that hold the documents and the rules. */
const smoke = [
  'test/{architecture,catalogue,docs,interface-doc}.test.ts',
  'test/acceptance/alarms/{alarm-from-raise-to-history,states-and-acknowledgement,mask}.test.ts',
  'test/acceptance/calls/answers/taken-by-{key,text}.test.ts',
  'test/acceptance/calls/escalation/{in-turn,unanswered-call-goes-to-relief}.test.ts',
  'test/acceptance/http/{request-parsing-and-refusals,openapi-and-reference}.test.ts',
  'test/acceptance/people/users-and-teams.test.ts',
];

type Plan = {
  readonly files: readonly string[];
  readonly checksCode: boolean;
  readonly mayInstall: boolean;
  /** Whether the files are all there are, so that every statement must have run on both databases. */
  readonly isWhole: boolean;
  readonly timeoutMs: number;
  readonly env?: NodeJS.ProcessEnv;
};

const minutes = 60_000;

/** Chooses the files from the arguments: some files, `--quick`, `--soak`, or everything. */
function planOf(words: readonly string[]): Plan {
  const all = filesOf('{src,packages,web,test}/**/*.test.ts');
  const whole = { files: all, checksCode: true, mayInstall: true, isWhole: true, timeoutMs: 10 * minutes };
  if (words[0] === '--quick') {
    process.env.STORES ??= 'sqlite';
    const files = [...filesOf('{src,packages/*/src,web/src}/**/*.test.ts'), ...filesOf(smoke)];
    return { ...whole, files, mayInstall: false, isWhole: false, env: { TOCSIN_TEST_QUICK: '1' } };
  }
  const isSoak = words[0] === '--soak';
  const soaked = isSoak ? { timeoutMs: 60 * minutes, env: { TOCSIN_TEST_SOAK: '1' } } : {};
  const named = isSoak ? words.slice(1) : words;
  const some = named.length === 0 ? {} : { files: filesOf(named), checksCode: false, isWhole: false };
  return { ...whole, ...soaked, ...some };
}

function filesOf(patterns: string | readonly string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] });
}

/** The environment of the tests, without the settings of a server that may be configured in this shell. */
function testEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('TOCSIN_') || name.startsWith('TOCSIN_TEST_'),
  );
  return Object.fromEntries(kept);
}

type Prepared = { readonly files: readonly TestFile[]; readonly env: NodeJS.ProcessEnv; remove(): Promise<void> };

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

/** Returns the types and style that are wrong; nothing when the check passes. */
async function checkCode(): Promise<string> {
  const { passed, output } = await runProgram(process.execPath, ['scripts/check.ts'], { isQuiet: true });
  return passed ? '' : `${output}\nThe check of types and style failed, see above.`;
}

/** Names the statements that ran on SQLite and never on PostgreSQL. */
async function uncoveredStatements(folder: string): Promise<readonly string[]> {
  return Promise.all(missingOnPostgres(readUsedStatements(folder)).map(nameOfStatement));
}

const startedAt = performance.now();
const plan = planOf(process.argv.slice(2));
await provideTools(runProgram, plan.mayInstall);
const checking = plan.checksCode ? checkCode() : Promise.resolve('');
const prepared = await prepare(plan);
const notes = mkdtempSync(join(tmpdir(), 'tocsin-test-notes-'));
const [times, statements] = [mkdtempSync(join(notes, 'times-')), mkdtempSync(join(notes, 'statements-'))];
const env = { ...prepared.env, TOCSIN_TEST_TIMES: times, TOCSIN_TEST_STATEMENTS: statements };
const lanes = await runLanes(prepared.files, plan.timeoutMs, env);
// After an interruption the tests on PostgreSQL may simply not have run.
const comparesDatabases = plan.isWhole && storesUnderTest().length > 1 && !isInterrupted();
const uncovered = comparesDatabases ? await uncoveredStatements(statements) : [];
const wrongCode = await checking;
await prepared.remove();
printSummary(lanes, times);
for (const name of uncovered) console.log(`✖ ran on SQLite and never on PostgreSQL: ${name}`);
if (wrongCode !== '') console.log(wrongCode);
const wall = ((performance.now() - startedAt) / 1000).toFixed(1);
console.log(`Total time ${wall} s, processor time ${processorSeconds().toFixed(0)} s`);
rmSync(notes, { recursive: true, force: true });
process.exitCode = lanes.every(({ hasPassed }) => hasPassed) && uncovered.length === 0 && wrongCode === '' ? 0 : 1;
endIfInterrupted();
