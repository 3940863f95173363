// Queries that find alarms; lists/ has those that list and count them.

import { sql } from 'kysely';
import { type Caller, seesStation } from '../../domain/access/access.ts';
import { foreignName } from '../../domain/people/visibility.ts';
import { type DatabaseKind, isOneOfIds, statement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';
import type { Tables } from '../../store/tables.ts';
import { visibilityIn } from '../people/visible-entries.ts';
import { type AlarmRecord, alarmColumns, recordOf, type StoredAlarm, shownColumns, storedAlarmOf } from './record.ts';

export const shown = selectable(shownColumns);
const whole = selectable(alarmColumns);

/** Returns the columns of alarms with these names, the name of the data server and whether it is Tocsin's own. */
function selectable<C extends object>(columns: C) {
  const names = Object.keys(columns) as (keyof C & string)[];
  return [...names.map(ofAlarms), 'data_servers.name as data_server_name', 'data_servers.is_system'] as const;
}

function ofAlarms<N extends string>(name: N): `alarms.${N}` {
  return `alarms.${name}`;
}

const selectById = statement((db, args: { id: number }) =>
  db
    .selectFrom('alarms')
    .innerJoin('data_servers', 'data_servers.id', 'data_server_id')
    .select(shown)
    .where('alarms.id', '=', args.id),
);

const selectRecords = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('alarms')
    .innerJoin('data_servers', 'data_servers.id', 'data_server_id')
    .select(whole)
    .where(isOneOfIds('alarms.id', args.ids, kind)),
);

const selectRecordsByTag = statement((db, args: { tags: string }, kind) =>
  db
    .selectFrom(alarmsOf(args.tags, kind))
    .innerJoin('data_servers', 'data_servers.id', 'alarms.data_server_id')
    .select(whole),
);

/** The statements that read alarm records. */
export const recordStatements = [selectRecords, selectRecordsByTag] as const;

/**
 * Selects alarms by a JSON list of pairs of data server and path. The lateral join makes PostgreSQL look them up one by
 * one: without statistics it scanned all alarms of the data server for each pair.
 */
function alarmsOf(tags: string, kind: DatabaseKind) {
  const rows =
    kind === 'sqlite'
      ? sql<Tables['alarms']>`(select alarms.* from json_each(${tags}) as tag
          join ${table('alarms')} on alarms.data_server_id = tag.value ->> 0 and alarms.path = tag.value ->> 1)`
      : sql<Tables['alarms']>`(select found.* from json_array_elements(${tags}::json) as tag (value)
          cross join lateral (select * from ${table('alarms')} where alarms.data_server_id = (tag.value ->> 0)::bigint
            and md5(alarms.path) = md5(tag.value ->> 1) and alarms.path = tag.value ->> 1 limit 1) as found)`;
  return rows.as<'alarms'>('alarms');
}

type ByStations = Pick<Caller, 'stationIds'>;

/** Returns the alarm, or undefined if there is none or the caller does not see its station. */
async function findAlarm(tx: ReadTx, id: number, caller: ByStations): Promise<StoredAlarm | undefined> {
  const row = await tx.one(selectById, { id });
  if (row === undefined || !seesStation(caller, row.station_id)) return undefined;
  const [alarm] = await shownTo(tx, [storedAlarmOf(row)], caller);
  return alarm;
}

/** Returns the alarms without the names of people whom the caller does not see. */
export async function shownTo(
  tx: ReadTx,
  alarms: readonly StoredAlarm[],
  caller: ByStations,
): Promise<readonly StoredAlarm[]> {
  if (caller.stationIds.length === 0 || alarms.every(({ ackUserId }) => ackUserId === undefined)) return alarms;
  const visibility = await visibilityIn(tx, caller);
  return alarms.map((alarm) =>
    alarm.ackUserId === undefined || visibility.seesPerson(alarm.ackUserId)
      ? alarm
      : { ...alarm, ackUser: foreignName, ackUserId: undefined },
  );
}

export async function findAlarmRecords(tx: ReadTx, ids: readonly number[]): Promise<readonly AlarmRecord[]> {
  return (await tx.all(selectRecords, { ids: JSON.stringify(ids) })).map(recordOf);
}

/** Returns the existing alarms of these tags. */
export async function findRecordsByTag(
  tx: ReadTx,
  tags: readonly (readonly [dataServerId: number, path: string])[],
): Promise<readonly AlarmRecord[]> {
  if (tags.length === 0) return [];
  return (await tx.all(selectRecordsByTag, { tags: JSON.stringify(tags) })).map(recordOf);
}

export const getAlarm: Query<{ id: number; caller: ByStations }, StoredAlarm | undefined> = {
  name: 'get-alarm',
  isQuick: true,
  run: (tx, { id, caller }) => findAlarm(tx, id, caller),
};

const selectAnyDue = statement((db, args: { now: number }) =>
  db.selectFrom('alarms').select('id').where('next_due', '<=', args.now).limit(1),
);

/** Whether a delay or mask has ended and its transition is not applied yet. */
export const hasDueAlarms: Query<{ now: Instant }, boolean> = {
  name: 'has-due-alarms',
  isQuick: true,
  run: async (tx, args) => (await tx.one(selectAnyDue, args)) !== undefined,
};
