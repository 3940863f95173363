// Searches the full paths of alarms: a word may also be one of the name of the data server, which is stored once and
// not with each of its alarms.

import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SearchWords } from '../../../domain/search.ts';
import { type DatabaseKind, idsIn, sqlStatement, textRows } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { ReadTx } from '../../../store/store.ts';
import type { SearchArgs } from '../../../store/word-index.ts';

/** The data servers whose names have words of a search. */
export type ServerSearch = {
  /** JSON list of `<data server id> <word>` for whole words. */
  serverWords: string;
  /** JSON list of the data servers that have a word with the beginning. */
  beginningServers: string;
};

/** Returns undefined if no data server has a word of the search, as for most searches. */
export async function searchServers(tx: ReadTx, { whole, beginning }: SearchWords): Promise<ServerSearch | undefined> {
  if (beginning === undefined) return undefined;
  const patterns = [...whole.map((word) => `% ${word} %`), `% ${beginning}%`];
  const servers = await tx.all(selectServers, { patterns: JSON.stringify(patterns) });
  if (servers.length === 0) return undefined;
  const pairs = servers.flatMap(({ id, words }) =>
    whole.filter((word) => words.includes(` ${word} `)).map((word) => `${id} ${word}`),
  );
  const begun = servers.filter(({ words }) => words.includes(` ${beginning}`)).map(({ id }) => id);
  return { serverWords: JSON.stringify(pairs), beginningServers: JSON.stringify(begun) };
}

/** Returns the conditions under which each word is one of the alarm or of its data server. */
export function foundWithServer(args: SearchArgs & ServerSearch, kind: DatabaseKind): readonly RawBuilder<SqlBool>[] {
  const ofAlarm = sql`select 1 from ${table('alarm_words')} where word = list.value and alarm_id = alarms.id`;
  const ofServer = sql`alarms.data_server_id || ' ' || list.value in (
    select listed.value from ${listedPairs(args.serverWords, kind)})`;
  return [
    sql`not exists (select 1 from ${textRows(args.words, kind)} where not exists (${ofAlarm}) and not (${ofServer}))`,
    sql`(alarms.data_server_id in ${idsIn(args.beginningServers, kind)} or alarms.id in (
      select alarm_id from ${table('alarm_words')} where word >= ${args.beginning} and word < ${args.beginningEnd}))`,
  ];
}

function listedPairs(json: string, kind: DatabaseKind) {
  return kind === 'sqlite'
    ? sql`json_each(${json}) as listed`
    : sql`jsonb_array_elements_text(${json}::jsonb) as listed(value)`;
}

const selectServers = sqlStatement<{ patterns: string }, { id: number; words: string }>(
  (args, kind) => sql`select id, words from ${table('data_servers')}
    where exists (select 1 from ${textRows(args.patterns, kind)} where words like list.value)`,
);
