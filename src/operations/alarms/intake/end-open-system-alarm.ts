// Returns lasting alarms of Tocsin's own to normal if they are active, on whatever station they stand.

import { sql } from 'kysely';
import { sqlStatement, textRows } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import { endSystemAlarms } from './report.ts';
import type { OwnCalls } from './system-alarms.ts';

export function endOpenSystemAlarm(tx: Tx, now: Instant, path: string, calls: OwnCalls): Promise<void> {
  return endOpenSystemAlarms(tx, now, [path], calls);
}

export async function endOpenSystemAlarms(
  tx: Tx,
  now: Instant,
  paths: readonly string[],
  calls: OwnCalls,
): Promise<void> {
  if (paths.length === 0) return;
  const open = await tx.all(selectOpen, { paths: JSON.stringify(paths.map((path) => `${root}${path}`)) });
  await endSystemAlarms(
    tx,
    now,
    open.map(({ path, station_id }) => ({ path: path.slice(root.length), stationId: station_id })),
    calls,
  );
}

const root = 'system/';

const selectOpen = sqlStatement<{ paths: string }, { path: string; station_id: number }>(
  (args, kind) => sql`select alarms.path, alarms.station_id from ${table('data_servers')}
    join ${table('alarms')} on alarms.data_server_id = data_servers.id
    where data_servers.is_system = 1 and alarms.path in (select value from ${textRows(args.paths, kind)}) and alarms.state in (1, 3)`,
);
