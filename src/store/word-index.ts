// SQL conditions that search a table of words, the same on both databases.

import { type RawBuilder, sql } from 'kysely';
import { type DatabaseKind, textRows } from './statement.ts';
import type { TableName } from './tables.ts';

/** The words of a search: whole ones, and the beginning of one; without a beginning there are none. */
type SearchWords = { readonly whole: readonly string[]; readonly beginning: string | undefined };

/** The kinds of words a search has; a statement is built for each case. */
export type SearchShape = 'none' | 'beginning' | 'words-and-beginning';

export type SearchArgs = { words: string; wordCount: number; beginning: string; beginningEnd: string };

export function searchShape({ whole, beginning }: SearchWords): SearchShape {
  if (beginning === undefined) return 'none';
  return whole.length === 0 ? 'beginning' : 'words-and-beginning';
}

/** Sorts after every word with the prefix: no letter or digit has a higher code point. */
const last = '\u{10ffff}';

export function searchArgs({ whole, beginning = '' }: SearchWords): SearchArgs {
  return {
    words: JSON.stringify(whole),
    wordCount: whole.length,
    beginning,
    beginningEnd: `${beginning}${last}`,
  };
}

/** A table with a column `word`. */
type WordTable = TableName & `${string}_words`;

/** Returns subqueries of the ids that have the words; a row matches when its id is in all of them. */
export function foundBy(
  table: WordTable,
  id: string,
  shape: SearchShape,
  args: SearchArgs,
  kind: DatabaseKind,
): readonly RawBuilder<unknown>[] {
  if (shape === 'none') return [];
  const [from, column] = [sql.table(table), sql.ref(id)];
  const beginning = sql`(select ${column} from ${from} where ${beginsSo(args)})`;
  if (shape === 'beginning') return [beginning];
  const whole = sql`(select ${column} from ${from} where ${isOneOf(args, kind)}
    group by ${column} having count(*) = ${args.wordCount})`;
  return [whole, beginning];
}

/** Returns conditions for one row, given how its words are found; it matches when all hold. */
export function hasWords(
  table: WordTable,
  isItsWord: RawBuilder<unknown>,
  shape: SearchShape,
  args: SearchArgs,
  kind: DatabaseKind,
): readonly RawBuilder<unknown>[] {
  if (shape === 'none') return [];
  const itsWords = sql`from ${sql.table(table)} where ${isItsWord}`;
  const beginning = sql`exists (select 1 ${itsWords} and ${beginsSo(args)})`;
  if (shape === 'beginning') return [beginning];
  return [sql`(select count(*) ${itsWords} and ${isOneOf(args, kind)}) = ${args.wordCount}`, beginning];
}

function beginsSo(args: SearchArgs): RawBuilder<unknown> {
  return sql`word >= ${args.beginning} and word < ${args.beginningEnd}`;
}

function isOneOf(args: SearchArgs, kind: DatabaseKind): RawBuilder<unknown> {
  return sql`word in (select value from ${textRows(args.words, kind)})`;
}
