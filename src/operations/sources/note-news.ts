// Writes down what came from sources, and ends the alarms of those that were silent.

import { sql } from 'kysely';
import { heard, rhythmOf, type SourceNews } from '../../domain/sources/rhythm.ts';
import { insertRows, updateRows } from '../../store/row-batch.ts';
import { sqlStatement, textRows } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Operation, ReadTx } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { endSilenceAlarm } from './silence-alarms.ts';

export type NotedNews = SourceNews & { readonly source: string; readonly fedBy: string | undefined };

type NewsRow = Tables['source_news'];

/** `upSince`: when the node that noted the news began to listen. */
export const noteSourceNews: Operation<{ readonly upSince: Instant; readonly news: readonly NotedNews[] }, void> = {
  name: 'note-source-news',
  async run(tx, now, { upSince, news }) {
    const rows = await findNews(
      tx,
      news.map(({ source }) => source),
    );
    const known = new Map(rows.map((row) => [row.source, row]));
    const changed = news.map((one) => newRow(known.get(one.source), one, upSince));
    await tx.each(
      insertNews,
      changed.filter(({ source }) => !known.has(source)),
    );
    await tx.each(
      updateNews,
      changed.filter(({ source }) => known.has(source)),
    );
    for (const row of rows) if (row.has_alarm === 1) await endSilenceAlarm(tx, now, row.source);
  },
};

function newRow(row: NewsRow | undefined, news: NotedNews, upSince: Instant): NewsRow {
  const known = row && { lastAt: row.last_at, gaps: JSON.parse(row.gaps) };
  const { lastAt, gaps } = heard(known, news, upSince);
  const { usualMs, silentAfterMs } = rhythmOf(gaps);
  return {
    source: news.source,
    fed_by: news.fedBy ?? null,
    last_at: lastAt,
    gaps: JSON.stringify(gaps),
    usual_ms: usualMs ?? null,
    silent_at: silentAfterMs === undefined ? null : lastAt + silentAfterMs,
    is_silent: 0,
    has_alarm: 0,
  };
}

export function findNews(tx: ReadTx, sources: readonly string[]): Promise<readonly NewsRow[]> {
  return tx.all(selectNews, { sources: JSON.stringify(sources) });
}

const selectNews = sqlStatement<{ sources: string }, NewsRow>(
  (args, kind) => sql`select source, fed_by, last_at, gaps, usual_ms, silent_at, is_silent, has_alarm
    from ${table('source_news')} where source in (select list.value from ${textRows(args.sources, kind)})`,
);

const columns = {
  fed_by: 'text',
  last_at: 'int',
  gaps: 'text',
  usual_ms: 'int',
  silent_at: 'int',
  is_silent: 'int',
  has_alarm: 'int',
} as const;

const insertNews = insertRows('source_news', { source: 'text', ...columns });
const updateNews = updateRows('source_news', { source: 'text' }, columns);
