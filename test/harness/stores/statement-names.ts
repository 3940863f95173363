// Finds where a statement is declared: the name of its constant and its file.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Compilable, declaredStatements } from '../../../src/store/statement.ts';

const source = fileURLToPath(new URL('../../../', import.meta.url));
let places: Promise<ReadonlyMap<string, string>> | undefined;

/** The name and file of the statement with this text for SQLite; for one that a list builds by its filters, the text alone. */
export async function nameOfStatement(text: string): Promise<string> {
  places ??= findPlaces();
  const place = (await places).get(text);
  return place === undefined ? text : `${place}: ${text}`;
}

/** Loads all operations and queries, and notes the line of the source that declares each statement. */
async function findPlaces(): Promise<ReadonlyMap<string, string>> {
  const found: [Compilable, string][] = [];
  const push = declaredStatements.push.bind(declaredStatements);
  declaredStatements.push = (...added) => {
    const place = placeOf(new Error().stack ?? '');
    for (const entry of added) found.push([entry, place]);
    return push(...added);
  };
  await import('../../../src/store-worker.ts');
  return new Map(found.map(([entry, place]) => [entry.compiledFor('sqlite').text, place]));
}

/** The first line of the stack outside of the store, as `selectCalls in src/operations/calls/queries.ts:16`. */
function placeOf(stack: string): string {
  for (const [, path = '', line = ''] of stack.matchAll(/file:\/\/(\/[^\s)]+?):(\d+):\d+/g)) {
    if (/\/src\/store\/(statement|.*-statements?)\.ts$/.test(path) || path.endsWith('statement-names.ts')) continue;
    const text = readFileSync(path, 'utf8').split('\n')[Number(line) - 1] ?? '';
    const name = /const (\w+)/.exec(text)?.[1] ?? 'a statement';
    return `${name} in ${path.slice(source.length)}:${line}`;
  }
  return 'a statement';
}
