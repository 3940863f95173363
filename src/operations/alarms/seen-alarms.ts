// Which of some alarms belong to the stations that a caller is bound to. Alarms that were removed are not seen.

import { sql } from 'kysely';
import type { Caller } from '../../domain/access/access.ts';
import { isOneOfIds, sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { ReadTx } from '../../store/store.ts';

export async function seenAlarms(
  tx: ReadTx,
  ids: Iterable<number>,
  { stationIds }: Pick<Caller, 'stationIds'>,
): Promise<ReadonlySet<number>> {
  const asked = [...new Set(ids)];
  if (asked.length === 0) return new Set();
  const args = { ids: JSON.stringify(asked), stationIds: JSON.stringify(stationIds) };
  return new Set((await tx.all(selectSeen, args)).map(({ id }) => id));
}

const selectSeen = sqlStatement<{ ids: string; stationIds: string }, { id: number }>(
  (args, kind) => sql`select id from ${table('alarms')}
    where ${isOneOfIds('id', args.ids, kind)} and ${isOneOfIds('station_id', args.stationIds, kind)}`,
);
