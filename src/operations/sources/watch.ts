// Finds sources whose silence has become unusual, raises alarms about them, and forgets sources that no longer exist.

import { sql } from 'kysely';
import { defaultStationId } from '../../domain/plant/entities.ts';
import { sqlStatement, statement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Operation, Query, Tx } from '../../store/store.ts';
import { findHolders, type Holder } from './holders.ts';
import { findReports, watchFedAgain } from './note-reports.ts';
import { endSilenceAlarm, raiseSilenceAlarm } from './silence-alarms.ts';

type Watching = {
  /** When the node began to listen: it cannot tell what came before. */
  readonly upSince: Instant;
};

export const hasSilentSources: Query<Watching & { readonly now: Instant }, boolean> = {
  name: 'has-silent-sources',
  isQuick: true,
  run: async (tx, { now, upSince }) => (await tx.one(selectDue, { now, upMs: now - upSince, limit: 1 })) !== undefined,
};

/** So many at once; the caller repeats the operation until none is left. */
const batchSize = 100;

export const noteSilence: Operation<Watching, void> = {
  name: 'note-silence',
  async run(tx, now, { upSince }) {
    const due = await tx.all(selectDue, { now, upMs: now - upSince, limit: batchSize });
    const fedBy = await findReports(
      tx,
      due.flatMap(({ fed_by }) => fed_by ?? []),
    );
    // When a key falls silent, so do the data servers that it feeds: one alarm says it.
    const silentKeys = new Set(
      [...fedBy.filter(({ is_silent }) => is_silent === 1), ...due].map(({ source }) => source),
    );
    const holders = await findHolders(
      tx,
      due.map(({ source }) => source),
      now,
    );
    for (const row of due) {
      const holder = holders.get(row.source);
      if (holder === undefined) {
        await forget(tx, now, row.source);
        continue;
      }
      const isTold = row.fed_by === null || !silentKeys.has(row.fed_by);
      if (isTold) await raise(tx, now, row, holder);
      await tx.run(markSilent, { source: row.source, hasAlarm: isTold ? 1 : 0 });
    }
  },
};

async function forget(tx: Tx, now: Instant, source: string): Promise<void> {
  await tx.run(removeReports, { source });
  await watchFedAgain(tx, now, source);
}

async function raise(tx: Tx, now: Instant, row: DueRow, holder: Holder): Promise<void> {
  await raiseSilenceAlarm(tx, now, {
    source: row.source,
    holder,
    stationId: holder.stationIds[0] ?? defaultStationId,
    lastAt: row.last_at,
    usualMs: row.usual_ms ?? 0,
  });
}

/** Ends the alarms about silent sources whose key has ended or whose data server was removed, and forgets these sources. */
export const forgetGoneSources: Operation<Record<string, never>, void> = {
  name: 'forget-gone-sources',
  async run(tx, now) {
    const silent = await tx.all(selectSilent, {});
    const holders = await findHolders(
      tx,
      silent.map(({ source }) => source),
      now,
    );
    for (const { source, has_alarm } of silent) {
      if (holders.has(source)) continue;
      if (has_alarm === 1) await endSilenceAlarm(tx, now, source);
      await forget(tx, now, source);
    }
  },
};

type DueRow = {
  readonly source: string;
  readonly fed_by: string | null;
  readonly last_at: Instant;
  readonly usual_ms: number | null;
};

/** The node must have listened for as long as the silence that is unusual. */
const selectDue = sqlStatement<{ now: Instant; upMs: number; limit: number }, DueRow>(
  (args) => sql`select source, fed_by, last_at, usual_ms from ${table('source_reports')}
    where is_silent = 0 and silent_at is not null and silent_at <= ${args.now} and silent_at - last_at <= ${args.upMs}
    order by silent_at limit ${args.limit}`,
);

const selectSilent = statement((db) =>
  db.selectFrom('source_reports').select(['source', 'has_alarm']).where('is_silent', '=', 1).orderBy('source'),
);

const markSilent = statement<{ source: string; hasAlarm: number }>((db, args) =>
  db
    .updateTable('source_reports')
    .set({ is_silent: 1, has_alarm: args.hasAlarm as 0 | 1 })
    .where('source', '=', args.source),
);

const removeReports = statement<{ source: string }>((db, args) =>
  db.deleteFrom('source_reports').where('source', '=', args.source),
);
