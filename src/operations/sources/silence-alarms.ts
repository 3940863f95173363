// The system alarms about sources that have fallen silent: raised on the station of the source, over when it is heard again.

import { sql } from 'kysely';
import { sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, ReadTx, Tx } from '../../store/store.ts';
import { endSystemAlarm, raiseSystemAlarm } from '../alarms/intake/report.ts';

const pathPrefix = 'source-silent/';

type SilentSource = {
  readonly source: string;
  /** Its kind and name, as a person knows it. */
  readonly label: string;
  readonly stationId: number;
  readonly lastAt: Instant;
  readonly usualMs: number;
};

export async function raiseSilenceAlarm(tx: Tx, now: Instant, silent: SilentSource): Promise<void> {
  const { source, label, stationId, lastAt, usualMs } = silent;
  await raiseSystemAlarm(tx, now, {
    path: `${pathPrefix}${source}`,
    stationId,
    priority: 2,
    message: `Nothing has come from ${label} for ${inWords(now - lastAt)}; usually something comes every ${inWords(usualMs)}. Its alarms may not arrive: look at the source and at the way from there.`,
    isLasting: true,
  });
}

/** Ends the alarm about a source, wherever it stands: the source may be of another station by now. */
export async function endSilenceAlarm(tx: Tx, now: Instant, source: string): Promise<void> {
  for (const stationId of await stationsOf(tx, source))
    await endSystemAlarm(tx, now, `${pathPrefix}${source}`, stationId, 'as-policy-says');
}

async function stationsOf(tx: ReadTx, source: string): Promise<readonly number[]> {
  const rows = await tx.all(selectOpen, { path: `system/${pathPrefix}${source}` });
  return rows.map(({ station_id }) => station_id);
}

const selectOpen = sqlStatement<{ path: string }, { station_id: number }>(
  (args) => sql`select alarms.station_id from ${table('data_servers')}
    join ${table('alarms')} on alarms.data_server_id = data_servers.id
    where data_servers.is_system = 1 and alarms.path = ${args.path} and alarms.state in (1, 3)`,
);

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** Rounded to one unit: `17 min`. */
function inWords(ms: number): string {
  const [unit, length] = units.find(([, unitMs]) => ms >= 2 * unitMs) ?? ['s', 1_000];
  return `${Math.max(1, Math.round(ms / length))} ${unit}`;
}
