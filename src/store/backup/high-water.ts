// The high-water mark: per table an upper bound of the ids ever given out, in a file outside the database, so that no
// id returns after the database was lost, restored or set back.

import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseKind } from '../statement.ts';
import { replaceFile } from './durable-file.ts';

/** Table → the highest id it gave out. */
export type Ids = Readonly<Record<string, number>>;

type Mark = {
  /** Known to have been given out: a database that stands below was set back. */
  readonly issued: number;
  /** No id above this was ever given out. */
  readonly bound: number;
};

export type HighWater = { readonly database: DatabaseKind; readonly tables: Readonly<Record<string, Mark>> };

export function highWaterFile(folder: string): string {
  return join(folder, 'high-water.json');
}

/** The mark in `folder`; undefined when there is none, or somebody has spoilt it: a sound database then begins a new one. */
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

/** The tables whose ids stand below what the mark knows to have been given out. */
export function tablesSetBack(ids: Ids, mark: HighWater | undefined): readonly string[] {
  return Object.entries(mark?.tables ?? {})
    .filter(([table, { issued }]) => (ids[table] ?? 0) < issued)
    .map(([table]) => table);
}

/** Raises the mark in `folder`, never lowers it. Two processes must not do so at once: one would undo the other. */
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

/** Puts the mark of another database out of the way, under a name that says when; answers that name. */
export async function setHighWaterAside(folder: string, now: number): Promise<string> {
  const aside = `${highWaterFile(folder)}.before-${new Date(now).toISOString().replace(/[-:.]/g, '')}`;
  await rename(highWaterFile(folder), aside);
  return aside;
}

export function ahead(ids: Ids, by: number): Ids {
  return Object.fromEntries(Object.entries(ids).map(([table, id]) => [table, id + by]));
}

/** Per table the highest of several. */
export function highest(...all: readonly Ids[]): Ids {
  const result: Record<string, number> = {};
  for (const ids of all) {
    for (const [table, id] of Object.entries(ids)) result[table] = Math.max(result[table] ?? 0, id);
  }
  return result;
}

/** Whether any table's ids have passed their bound. */
export function hasPassed(ids: Ids, bounds: Ids): boolean {
  return Object.entries(ids).some(([table, id]) => id > (bounds[table] ?? 0));
}

/** What to tell whoever started Tocsin on a database that was set back. */
export function setBackNotice(tables: readonly string[]): string {
  return `The database is older than the ids Tocsin has given out (${tables.join(', ')}): it was restored or copied back by other means than "tocsin restore". Numbering goes on above all of them; what the database lost stays lost.`;
}
