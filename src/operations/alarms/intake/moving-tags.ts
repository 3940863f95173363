// Gives alarms the place of another data server: those of a move that is done in pieces, and those that are reported meanwhile.

import { sql } from 'kysely';
import { type DatabaseKind, sqlStatement, statement, textRows } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import type { ChangedBy, TrackedAlarm } from '../reaction.ts';
import type { AlarmUnitOfWork, Tag } from '../unit-of-work.ts';
import { freeName, fullNames, takenNames } from './naming.ts';

type Place = { readonly stationId: number; readonly dataServerId: number; readonly dataServerName: string };

/** Moves alarms of a unit of work; those that are named by their full path get another name. */
export async function moveTo(
  tx: Tx,
  unit: AlarmUnitOfWork,
  moved: readonly TrackedAlarm[],
  { place, now, by }: { readonly place: Place; readonly now: Instant; readonly by: ChangedBy },
): Promise<void> {
  const candidates = moved.map(({ alarm }) => fullNames(alarm.path, place.dataServerName, alarm.id));
  const taken = await takenNames(tx, candidates.flat());
  for (const [index, entry] of moved.entries()) {
    const { alarm } = entry;
    const names = candidates[index] ?? [];
    const keepsName = alarm.name === alarm.path || names.includes(alarm.name);
    const name = keepsName ? alarm.name : await freeName(tx, names, taken);
    taken.add(name);
    // A tag group belongs to one station.
    const tagGroupId = alarm.stationId === place.stationId ? alarm.tagGroupId : undefined;
    unit.move(entry, { ...place, tagGroupId, name }, now, by);
  }
}

/**
 * Moves the reported tags that a move under way has not reached yet: there is one alarm of each, wherever it is found. One whose
 * path the data server has already stays where it is, which the end of the move tells.
 */
export async function moveReported(tx: Tx, unit: AlarmUnitOfWork, tags: readonly Tag[], now: Instant): Promise<void> {
  for (const [dataServerId, ofServer] of Map.groupBy(tags, ([id]) => id)) {
    const paths = JSON.stringify([...new Set(ofServer.map(([, path]) => path))]);
    const unmoved = await tx.all(selectUnmoved, { dataServerId, paths });
    const server = unmoved.length === 0 ? undefined : await tx.one(selectServer, { dataServerId });
    if (server === undefined) continue;
    const found = firstOfEachPath(unmoved);
    await unit.load(found.map(({ id }) => id));
    const place = { stationId: server.station_id, dataServerId, dataServerName: server.name };
    const actors = Map.groupBy(found, ({ actor }) => actor);
    for (const [actor, alarms] of actors)
      await moveTo(
        tx,
        unit,
        alarms.flatMap(({ id }) => unit.get(id) ?? []),
        { place, now, by: { actor } },
      );
  }
}

type Unmoved = { readonly id: number; readonly path: string; readonly actor: string };

function firstOfEachPath(unmoved: readonly Unmoved[]): readonly Unmoved[] {
  const seen = new Set<string>();
  return unmoved.filter(({ path }) => !seen.has(path) && seen.add(path));
}

/** PostgreSQL only has an index on the md5 of the path. */
function samePath(kind: DatabaseKind, one: string, other: string) {
  const [left, right] = [sql.ref(one), sql.ref(other)];
  return kind === 'sqlite' ? sql`${left} = ${right}` : sql`md5(${left}) = md5(${right}) and ${left} = ${right}`;
}

/** Whether a data server has a tag of the path that the row of `alarms` has; a value of its own, so that it is found by the whole index. */
export function hasPath(dataServerId: number, kind: DatabaseKind) {
  return sql`(select other.id from ${table('alarms')} as other
    where other.data_server_id = ${dataServerId} and ${samePath(kind, 'other.path', 'alarms.path')}) is not null`;
}

const selectUnmoved = sqlStatement<{ dataServerId: number; paths: string }, Unmoved>(
  (args, kind) => sql`select alarms.id, alarms.path, pending_moves.actor from ${textRows(args.paths, kind)}
    cross join ${table('pending_moves')} join ${table('alarms')} on alarms.data_server_id = pending_moves.data_server_id
      and ${samePath(kind, 'alarms.path', 'list.value')}
    where pending_moves.moved_to = ${args.dataServerId} and not ${hasPath(args.dataServerId, kind)}
    order by pending_moves.id, alarms.id`,
);

const selectServer = statement((db, args: { dataServerId: number }) =>
  db.selectFrom('data_servers').select(['name', 'station_id']).where('id', '=', args.dataServerId),
);
