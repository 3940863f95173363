// Runs the test files in lanes: busy and waiting ones side by side, so that no core is idle while tests wait for telephones,
// leases and retries, and then, alone on the machine, those that measure.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LaneReport } from './lane-report.ts';
import { runProgram } from './run-program.ts';

const laneNames = ['busy', 'waiting', 'quiet'] as const;
type LaneName = (typeof laneNames)[number];

const any = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join('|'));

/** Tests that compare times, count what the process does, or talk to a telephone, which speaks and presses keys in real time. */
const quiet = any(
  'store/(group-commit|heavy-lists-delay-no-alarm|long-transaction-delays-no-event|queries-off-the-event-loop)\\.',
  'stop-under-load\\.',
  'path-of-an-alarm',
  '^test/interop/(baresip|call-recorded|ring-in|speech|voice)',
);
/** Tests that mostly wait for other programs: telephones, mail servers, killed servers, installs. */
const waiting = any(
  '^test/(interop|conformance)/',
  '^(test/acceptance/|a-)(hub|system)[/.]',
  '^(packages/|a-)signalr',
  '^a-store-backup',
  '^test/acceptance/calls/faults/',
  '^test/acceptance/store/(backup|high-water|kill|postgres|private|upgrade)',
  '^test/(bench|failpoints|launcher|pack)',
);

function laneOf(source: string): LaneName {
  if (quiet.test(source)) return 'quiet';
  return waiting.test(source) ? 'waiting' : 'busy';
}

const processes: Readonly<Record<LaneName, number>> = { busy: availableParallelism(), waiting: 3, quiet: 1 };

/** How long a lane may take, in times of the limit of one test: a process that never ends would otherwise end nothing. */
const longestLane = 6;

/** A bundled test file, and the test file or folder that it was made from. */
export type TestFile = { readonly file: string; readonly source: string };

export type LaneOutcome = LaneReport & { readonly lane: LaneName; readonly hasPassed: boolean };

/** Runs all files; `timeoutMs` limits each test. The first lane shows its output as it comes, the others at their end. */
export async function runLanes(
  files: readonly TestFile[],
  timeoutMs: number,
  env: NodeJS.ProcessEnv,
): Promise<readonly LaneOutcome[]> {
  const lanes = Map.groupBy(files, ({ source }) => laneOf(source));
  const [shown] = laneNames.filter((lane) => lanes.has(lane));
  const run = (lane: LaneName) => runLane(lane, lanes.get(lane) ?? [], { timeoutMs, env, isShown: lane === shown });
  const beside = await Promise.all([run('busy'), run('waiting')]);
  return [...beside, await run('quiet')].filter((outcome) => outcome !== undefined);
}

type LaneOptions = { readonly timeoutMs: number; readonly env: NodeJS.ProcessEnv; readonly isShown: boolean };

async function runLane(
  lane: LaneName,
  files: readonly TestFile[],
  { timeoutMs, env, isShown }: LaneOptions,
): Promise<LaneOutcome | undefined> {
  if (files.length === 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-lane-'));
  const report = join(folder, 'report.json');
  const options = [
    '--test',
    '--import=./scripts/test/no-async-hooks.mjs',
    '--import=./scripts/test/processor-time.mjs',
    '--import=./scripts/test/end-watch.mjs',
    '--test-reporter=./scripts/test/spec-report.ts',
    '--test-reporter-destination=stdout',
    '--test-reporter=./scripts/test/lane-report.ts',
    `--test-reporter-destination=${report}`,
    `--test-concurrency=${processes[lane]}`,
    `--test-timeout=${timeoutMs}`,
  ];
  const paths = files.map(({ file }) => file);
  const { passed, output } = await runProgram(process.execPath, [...options, ...paths], {
    env,
    isQuiet: !isShown,
    limitMs: longestLane * timeoutMs,
  });
  if (!isShown) console.log(output);
  try {
    return { lane, hasPassed: passed, ...(JSON.parse(readFileSync(report, 'utf8')) as LaneReport) };
  } catch {
    return {
      lane,
      hasPassed: false,
      passed: 0,
      skipped: 0,
      failed: [{ name: `the lane "${lane}"`, reason: 'It left no report.' }],
      files: {},
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
