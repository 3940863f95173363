// The high-water mark: an upper bound of the ids ever assigned per table, in a file outside the database, so that no id
// is assigned twice after the database was lost, restored or set back.

import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseKind } from '../statement.ts';
import { replaceFile } from './durable-file.ts';

/** The highest assigned id by table. */
export type Ids = Readonly<Record<string, number>>;

type Mark = {
  /** Known to have been assigned: a database below it was set back. */
  readonly issued: number;
  /** No id above this was ever assigned. */
  readonly bound: number;
};

type HighWater = { readonly database: DatabaseKind; readonly tables: Readonly<Record<string, Mark>> };

export function highWaterFile(folder: string): string {
  return join(folder, 'high-water.json');
}

/**
 * Reads the mark in `folder`. Returns undefined when there is none or it is unreadable; an intact database then starts
 * a new one.
 */
export function readHighWater(folder: string): HighWater | undefined {
  try {
    const { database, tables } = JSON.parse(readFileSync(highWaterFile(folder), 'utf8'));
    const marks = Object.entries(tables as Record<string, Mark>);
    const isSound = marks.every(([, { issued, bound }]) => Number.isSafeInteger(issued) && Number.isSafeInteger(bound));
    return isSound ? { database, tables } : undefined;
  } catch {
    return undefined;
  }
}

export function boundsOf(mark: HighWater | undefined): Ids {
  return Object.fromEntries(Object.entries(mark?.tables ?? {}).map(([table, { bound }]) => [table, bound]));
}

/** Tables that migrations removed. */
const removedTables: ReadonlySet<string> = new Set(['calls', 'call_cycles']);

/** Returns the tables whose ids are below those known to have been assigned. */
export function tablesSetBack(ids: Ids, mark: HighWater | undefined): readonly string[] {
  return Object.entries(mark?.tables ?? {})
    .filter(([table, { issued }]) => !removedTables.has(table) && (ids[table] ?? 0) < issued)
    .map(([table]) => table);
}

/**
 * Raises the mark in `folder`, never lowers it. Two processes must not do so at once: one would overwrite the other.
 */
export async function raiseHighWater(
  folder: string,
  database: DatabaseKind,
  issued: Ids,
  bounds: Ids,
): Promise<HighWater> {
  const old = readHighWater(folder)?.tables ?? {};
  const tables: Record<string, Mark> = { ...old };
  for (const table of Object.keys({ ...issued, ...bounds })) {
    const { issued: oldIssued = 0, bound: oldBound = 0 } = old[table] ?? {};
    const newIssued = Math.max(oldIssued, issued[table] ?? 0);
    tables[table] = { issued: newIssued, bound: Math.max(oldBound, bounds[table] ?? 0, newIssued) };
  }
  const about = 'Ids that Tocsin gave out, kept so that none is given out twice. Keep this file with the data folder.';
  await replaceFile(highWaterFile(folder), `${JSON.stringify({ about, database, tables }, null, 2)}\n`);
  return { database, tables };
}

/** Renames the mark of another database, with the time in the name, and returns the new name. */
export async function setHighWaterAside(folder: string, now: number): Promise<string> {
  const aside = `${highWaterFile(folder)}.before-${new Date(now).toISOString().replace(/[-:.]/g, '')}`;
  await rename(highWaterFile(folder), aside);
  return aside;
}

export function ahead(ids: Ids, by: number): Ids {
  return Object.fromEntries(Object.entries(ids).map(([table, id]) => [table, id + by]));
}

/** Returns the highest id of each table. */
export function highest(...all: readonly Ids[]): Ids {
  const result: Record<string, number> = {};
  for (const ids of all) {
    for (const [table, id] of Object.entries(ids)) result[table] = Math.max(result[table] ?? 0, id);
  }
  return result;
}

/** Whether any table's ids exceed their bound. */
export function hasPassed(ids: Ids, bounds: Ids): boolean {
  return Object.entries(ids).some(([table, id]) => id > (bounds[table] ?? 0));
}

/** The notice for an administrator who started Tocsin on a database that was set back. */
export function setBackNotice(tables: readonly string[]): string {
  return `The database is older than the ids Tocsin has given out (${tables.join(', ')}): it was restored or copied back by other means than "tocsin restore". Numbering goes on above all of them; what the database lost stays lost.`;
}
