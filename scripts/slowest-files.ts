// A reporter for node:test that prints, at the end, the twenty processes that took longest: most run one test file, some a
// folder of stories (scripts/bundle-tests.ts).

import type { TestEvent } from 'node:test/reporters';

const howMany = 20;

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter from the default export.
export default async function* slowestFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const durations = new Map<string, number>();
  for await (const { type, data } of events) {
    if (type === 'test:summary' && data.file !== undefined) durations.set(sourceOf(data.file), data.duration_ms);
  }
  if (durations.size < 2) return;
  yield '\nThe slowest test processes:\n';
  for (const [file, ms] of [...durations].toSorted(([, a], [, b]) => b - a).slice(0, howMany)) {
    yield `${(ms / 1000).toFixed(1).padStart(7)} s  ${file}\n`;
  }
}

/** The file or folder of tests from which scripts/bundle-tests.ts made this one. */
function sourceOf(file: string): string {
  return file.replace(/^.*\.cache\/tests-[^/]+\//, '').replace(/\.js$/, '.ts');
}
