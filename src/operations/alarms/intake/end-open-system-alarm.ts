// Returns a lasting alarm of Tocsin's own to normal if it is active, on whatever station it stands.

import { sql } from 'kysely';
import { sqlStatement } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import { endSystemAlarm } from './report.ts';
import type { OwnCalls } from './system-alarms.ts';

export async function endOpenSystemAlarm(tx: Tx, now: Instant, path: string, calls: OwnCalls): Promise<void> {
  for (const { station_id } of await tx.all(selectOpen, { path: `system/${path}` }))
    await endSystemAlarm(tx, now, path, station_id, calls);
}

const selectOpen = sqlStatement<{ path: string }, { station_id: number }>(
  (args) => sql`select alarms.station_id from ${table('data_servers')}
    join ${table('alarms')} on alarms.data_server_id = data_servers.id
    where data_servers.is_system = 1 and alarms.path = ${args.path} and alarms.state in (1, 3)`,
);
