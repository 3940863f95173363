// Writes down what came from sources, and ends the alarms of those that were silent.

import { sql } from 'kysely';
import { type HeardReports, heard, rhythmOf } from '../../domain/sources/rhythm.ts';
import { insertRows, updateRows } from '../../store/row-batch.ts';
import { sqlStatement, textRows } from '../../store/statement.ts';
import { table, target } from '../../store/statement-tables.ts';
import type { Instant, Operation, ReadTx, Tx } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { endSilenceAlarm } from './silence-alarms.ts';

export type NotedReports = HeardReports & { readonly source: string; readonly fedBy: string | undefined };

type ReportsRow = Tables['source_reports'];

/** `upSince`: when the node that noted the reports began to listen. */
export const noteHeardReports: Operation<
  { readonly upSince: Instant; readonly reports: readonly NotedReports[] },
  void
> = {
  name: 'note-heard-reports',
  async run(tx, now, { upSince, reports }) {
    const rows = await findReports(
      tx,
      reports.map(({ source }) => source),
    );
    const known = new Map(rows.map((row) => [row.source, row]));
    const changed = reports.map((one) => newRow(known.get(one.source), one, upSince));
    await tx.each(
      insertReports,
      changed.filter(({ source }) => !known.has(source)),
    );
    await tx.each(
      updateReports,
      changed.filter(({ source }) => known.has(source)),
    );
    for (const row of rows) if (row.has_alarm === 1) await endSilenceAlarm(tx, now, row.source);
    for (const row of rows) if (row.is_silent === 1) await watchFedAgain(tx, now, row.source);
  },
};

/**
 * What a silent key feeds was silent with it, and is told by itself once the key is heard again or gone: each has as long to
 * send something as it usually has.
 */
export async function watchFedAgain(tx: Tx, now: Instant, source: string): Promise<void> {
  await tx.run(watchAgain, { source, now });
}

const watchAgain = sqlStatement<{ source: string; now: Instant }>(
  (args) => sql`update ${target('source_reports')} set is_silent = 0, silent_at = ${args.now} + silent_at - last_at
    where fed_by = ${args.source} and is_silent = 1 and has_alarm = 0`,
);

function newRow(row: ReportsRow | undefined, reports: NotedReports, upSince: Instant): ReportsRow {
  const known = row && { lastAt: row.last_at, gaps: JSON.parse(row.gaps) };
  const { lastAt, gaps } = heard(known, reports, upSince);
  const { usualMs, silentAfterMs } = rhythmOf(gaps);
  return {
    source: reports.source,
    fed_by: reports.fedBy ?? null,
    last_at: lastAt,
    gaps: JSON.stringify(gaps),
    usual_ms: usualMs ?? null,
    silent_at: silentAfterMs === undefined ? null : lastAt + silentAfterMs,
    is_silent: 0,
    has_alarm: 0,
  };
}

export function findReports(tx: ReadTx, sources: readonly string[]): Promise<readonly ReportsRow[]> {
  return tx.all(selectReports, { sources: JSON.stringify(sources) });
}

const selectReports = sqlStatement<{ sources: string }, ReportsRow>(
  (args, kind) => sql`select source, fed_by, last_at, gaps, usual_ms, silent_at, is_silent, has_alarm
    from ${table('source_reports')} where source in (select list.value from ${textRows(args.sources, kind)})`,
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

const insertReports = insertRows('source_reports', { source: 'text', ...columns });
const updateReports = updateRows('source_reports', { source: 'text' }, columns);
