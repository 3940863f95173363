// Removes the history of the stations of the demo plant, a few entries at a time, with everything derived from them.

import { sql } from 'kysely';
import { idsIn, type Statement, sqlStatement } from '../../../store/statement.ts';
import { table, target } from '../../../store/statement-tables.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import { commentWordRows, historyRows } from '../../history/rows.ts';
import { DemoEntries } from '../plant-rows.ts';

const entriesAStep = 1_000;

type OfStations = { stationIds: string };

export async function removeHistories(tx: Tx, _now: Instant): Promise<'more' | 'done'> {
  const stationIds = JSON.stringify((await DemoEntries.load(tx)).ids('station'));
  const found = await tx.all(selectEntries, { stationIds, limit: entriesAStep });
  await tx.each(
    commentWordRows.removeAll,
    found.map(({ id }) => ({ history_id: id })),
  );
  await tx.each(
    historyRows.remove,
    found.map(({ id }) => ({ id })),
  );
  if (found.length === entriesAStep) return 'more';
  for (const removal of derived) await tx.run(removal, { stationIds });
  return 'done';
}

const selectEntries = sqlStatement<OfStations & { limit: number }, { id: number }>(
  (args, kind) => sql`select id from ${table('alarm_histories')} where station_id in ${idsIn(args.stationIds, kind)}
    order by id limit ${args.limit}`,
);

/** The alarms that have a history at these stations; their texts have no station of their own. */
function alarmIds(args: OfStations, kind: 'sqlite' | 'postgres') {
  return sql`(select alarm_id from ${table('history_series')} where station_id in ${idsIn(args.stationIds, kind)})`;
}

const derived: readonly Statement<OfStations, unknown>[] = [
  sqlStatement(
    (args, kind) => sql`delete from ${target('history_text_words')} where text_id in
      (select id from ${table('history_texts')} where alarm_id in ${alarmIds(args, kind)})`,
  ),
  sqlStatement((args, kind) => sql`delete from ${target('history_texts')} where alarm_id in ${alarmIds(args, kind)}`),
  ...(['history_series', 'history_counts', 'intervention_counts'] as const).map((about) =>
    sqlStatement<OfStations>(
      (args, kind) => sql`delete from ${target(about)} where station_id in ${idsIn(args.stationIds, kind)}`,
    ),
  ),
];
