// Checks, at the end of a whole run of the tests, that every statement that ran on SQLite also ran on PostgreSQL.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A statement, by its text for SQLite, and the databases that a process of the tests executed it on. */
export type UsedStatement = { readonly text: string; readonly sqlite: boolean; readonly postgres: boolean };

/** Reads what record-statements.ts of every process left in the folder. */
export function readUsedStatements(folder: string): readonly UsedStatement[] {
  const files = globSync('*.json', { cwd: folder });
  return files.flatMap((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as UsedStatement[]);
}

/** The texts of the statements that some process executed on SQLite, and none on PostgreSQL. */
export function missingOnPostgres(used: readonly UsedStatement[]): readonly string[] {
  const covered = new Set(used.filter(({ postgres }) => postgres).map(({ text }) => text));
  const texts = used.filter(({ sqlite, text }) => sqlite && !covered.has(text)).map(({ text }) => text);
  return [...new Set(texts)].toSorted();
}
