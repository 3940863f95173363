// Prints the end of a run: the slowest processes with their processor time, the counts, and the failed tests of all lanes with the
// beginning of their errors. All times are left in `.cache/test-times.json`.

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceOf } from './lane-report.ts';
import type { LaneOutcome } from './lanes.ts';
import { root } from './run-program.ts';

const slowestShown = 20;

/** `timesFolder` has the times that processor-time.mjs left. */
export function printSummary(lanes: readonly LaneOutcome[], timesFolder: string): void {
  const processor = readProcessorTimes(timesFolder);
  const files = lanes
    .flatMap(({ lane, files }) =>
      Object.entries(files).map(([file, ms]) => ({
        lane,
        file,
        seconds: ms / 1000,
        processor: processor.get(file) ?? 0,
      })),
    )
    .toSorted((one, other) => other.seconds - one.seconds);
  writeFileSync(join(root, '.cache/test-times.json'), JSON.stringify(files, undefined, 1));
  if (files.length > 1) console.log('\nThe slowest test processes (time, processor time, lane):');
  for (const { lane, file, ...times } of files.slice(0, slowestShown))
    console.log(`${printed(times.seconds)} s ${printed(times.processor)} s  ${lane.padEnd(7)}  ${file}`);
  const sum = (count: (lane: LaneOutcome) => number): number => lanes.reduce((total, lane) => total + count(lane), 0);
  const failed = lanes.flatMap((lane) => lane.failed);
  console.log(
    `\n${sum((lane) => lane.passed)} tests passed, ${sum((lane) => lane.skipped)} skipped, ${failed.length} failed`,
  );
  for (const { name, reason } of failed) console.log(`✖ ${name}\n${reason.replace(/^/gm, '    ')}`);
}

function printed(value: number): string {
  return value.toFixed(1).padStart(7);
}

function readProcessorTimes(folder: string): ReadonlyMap<string, number> {
  const entries = globSync('*.json', { cwd: folder }).map((name) => {
    const { file, seconds } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return [sourceOf(file), seconds] as const;
  });
  return new Map(entries);
}
