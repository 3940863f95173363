// A reporter for node:test that leaves the results of one lane as JSON: its counts, the failed tests, and the time each
// process took.

import type { TestEvent } from 'node:test/reporters';
import { inspect } from 'node:util';
import { withSourcePlaces } from './source-places.ts';

export type FailedTest = { readonly name: string; readonly reason: string };

export type LaneReport = {
  readonly passed: number;
  readonly skipped: number;
  readonly failed: readonly FailedTest[];
  /** The duration of each process by its file or folder of tests (scripts/test/bundle-tests.ts). */
  readonly files: Readonly<Record<string, number>>;
};

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter from the default export.
export default async function* laneReport(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const counts = { passed: 0, skipped: 0 };
  const failed: FailedTest[] = [];
  const files: Record<string, number> = {};
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file !== undefined) files[sourceOf(data.file)] = data.duration_ms;
    if (type === 'test:pass' && data.details.type !== 'suite')
      counts[data.skip === undefined || data.skip === false ? 'passed' : 'skipped']++;
    // A suite fails with its tests, which are listed themselves.
    if (type === 'test:fail' && data.details.type !== 'suite')
      failed.push({ name: data.name, reason: reasonOf(data.details.error) });
  }
  yield JSON.stringify({ ...counts, failed, files } satisfies LaneReport);
}

const longestReason = 1500;

/** The error of the test itself, which node:test wraps, as it is printed with its stack. */
function reasonOf({ cause, message }: Error): string {
  const text = cause instanceof Error ? inspect(cause) : `${cause ?? message}`;
  return withSourcePlaces(text).slice(0, longestReason);
}

/** The file or folder of tests from which scripts/test/bundle-tests.ts made this one. */
export function sourceOf(file: string): string {
  return file.replace(/^.*\.cache\/tests-[^/]+\//, '').replace(/\.js$/, '.ts');
}
