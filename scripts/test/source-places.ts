// The places of the sources in the stacks of failed tests, which run from a bundle. Node can do the same in the processes of the tests,
// but reads the maps of every file then: 8 % of the processor time of all tests, of which hardly any fails.

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, resolve } from 'node:path';
import { root } from './run-program.ts';

const bundled = /(?:file:\/\/)?((?:\/[^\s():]+\/)?\.cache\/tests-[^\s():]+\.js):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

/** Returns undefined for a file without a map. */
function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    return undefined;
  }
}

/** The text with each place in a bundled file replaced by that in its source. */
export function withSourcePlaces(text: string): string {
  return text.replace(bundled, (place, path: string, line: string, column: string) => {
    const file = resolve(root, path);
    const found = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (found === undefined || !('originalSource' in found)) return place;
    return `${resolve(dirname(file), found.originalSource)}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });
}
