// Statements shared by all tables of named entries: list a page, find by id or name, rename, remove.

import { type Generated, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Caller } from '../domain/access/access.ts';
import { searchPatterns } from '../domain/search.ts';
import { type DatabaseKind, idsIn, sqlStatement, textRows } from '../store/statement.ts';
import { table, target } from '../store/statement-tables.ts';
import type { Instant } from '../store/store.ts';
import type { TableName } from '../store/tables.ts';

/** The columns that all tables of named entries have. */
export type NamedRow = {
  id: Generated<number>;
  name: string;
  /** The words of the name as domain/search.ts splits them, each between spaces. */
  words: string;
  last_change: Instant;
};

export type EntryRow = {
  id: number;
  name: string;
  station_id: number | null;
  last_change: number;
} & ServerColumns;

/** The columns that only data servers have. */
type ServerColumns = {
  built_in: number;
  is_system: number;
  placeholder_actor: string | null;
  placeholder_number: number | null;
  moved_to: number | null;
};

/**
 * The stations of a caller, and the ids of what it sees of a table whose rows belong to all stations. No stations means
 * everything.
 */
export type SeenArgs = { stationIds: string; sharedIds: string };
type EntryFilter = SeenArgs & { stationId: number; patterns: string };
type LimitOffset = { limit: number; offset: number };

export function seenArgs({ stationIds }: Pick<Caller, 'stationIds'>, sharedIds: readonly number[] = []): SeenArgs {
  return { stationIds: JSON.stringify(stationIds), sharedIds: JSON.stringify(sharedIds) };
}

export function entryFilter(seen: SeenArgs, stationId: number | undefined, search: string): EntryFilter {
  return {
    ...seen,
    stationId: stationId ?? 0,
    patterns: JSON.stringify(searchPatterns(search)),
  };
}

/** How a row relates to stations: it is a station, names one, may name one, belongs to all, or is a user. */
type Belonging = 'itself' | 'one' | 'one-or-all' | 'all' | 'person';

type EntryTable = {
  readonly table: TableName;
  readonly belongs: Belonging;
  readonly isDataServers?: true;
  /** The column that holds the name as it must be unique. */
  readonly uniqueBy?: 'folded_name';
};

const stationOf: Record<Belonging, RawBuilder<number | null>> = {
  itself: sql.ref('id'),
  one: sql.ref('station_id'),
  'one-or-all': sql.ref('station_id'),
  all: sql`cast(null as bigint)`,
  person: sql`cast(null as bigint)`,
};

/** Whether a caller bound to these stations sees the row. Users bound to no station are seen by every caller. */
export function isVisible(
  belongs: Belonging,
  { stationIds, sharedIds }: SeenArgs,
  kind: DatabaseKind,
): RawBuilder<SqlBool> {
  const ids = idsIn(stationIds, kind);
  switch (belongs) {
    case 'itself':
    case 'one':
      return sql`${stationOf[belongs]} in ${ids}`;
    case 'one-or-all':
      return sql`station_id in ${ids} or (station_id is null and id in ${idsIn(sharedIds, kind)})`;
    case 'all':
      return sql`id in ${idsIn(sharedIds, kind)}`;
    case 'person':
      return sql`not exists (select 1 from ${table('user_stations')} where user_id = users.id)
        or exists (select 1 from ${table('user_stations')} where user_id = users.id and station_id in ${ids})`;
  }
}

const serverColumns = {
  own: sql`built_in, is_system, placeholder_actor, placeholder_number, moved_to`,
  absent: sql`0 as built_in, 0 as is_system, cast(null as text) as placeholder_actor,
    cast(null as bigint) as placeholder_number, cast(null as bigint) as moved_to`,
};

export function entryStatements({ table: name, belongs, isDataServers, uniqueBy }: EntryTable) {
  const [from, written] = [table(name), target(name)];
  const station = stationOf[belongs];
  const ofServers = isDataServers ? serverColumns.own : serverColumns.absent;
  const entry = sql`id, name, ${station} as station_id, last_change, ${ofServers}`;
  const visible = (seen: SeenArgs, kind: DatabaseKind) =>
    sql`(${seen.stationIds} = '[]' or ${isVisible(belongs, seen, kind)})`;
  // These tables are small, so one statement serves every filter: [] and 0 mean "all".
  const matches = (args: EntryFilter, kind: DatabaseKind) => sql`
    ${visible(args, kind)}
    and cast(${args.stationId} as bigint) in (0, ${station})
    and not exists (select 1 from ${textRows(args.patterns, kind)} where words not like list.value)`;
  const page = (order: 'asc' | 'desc') =>
    sqlStatement<EntryFilter & LimitOffset, EntryRow>(
      (args, kind) => sql`select ${entry} from ${from} where ${matches(args, kind)}
        order by id ${sql.raw(order)} limit ${args.limit} offset ${args.offset}`,
    );
  return {
    page: { asc: page('asc'), desc: page('desc') },
    count: sqlStatement<EntryFilter, { total: number }>(
      (args, kind) => sql`select count(*) as total from ${from} where ${matches(args, kind)}`,
    ),
    byId: sqlStatement<{ id: number }, EntryRow>((args) => sql`select ${entry} from ${from} where id = ${args.id}`),
    /** Returns which of the given ids exist and are visible to the caller. */
    visibleAmong: sqlStatement<SeenArgs & { ids: string }, { id: number }>(
      (args, kind) => sql`select id from ${from} where id in ${idsIn(args.ids, kind)} and ${visible(args, kind)}`,
    ),
    byName: sqlStatement<{ name: string; stationId: number }, { id: number }>((args) =>
      belongs === 'one'
        ? sql`select id from ${from} where name = ${args.name} and station_id = ${args.stationId}`
        : sql`select id from ${from} where ${sql.ref(uniqueBy ?? 'name')} = ${args.name}`,
    ),
    rename: sqlStatement<{ id: number; name: string; words: string; now: number }>(
      (args) =>
        sql`update ${written} set name = ${args.name}, words = ${args.words}, last_change = ${args.now} where id = ${args.id}`,
    ),
    remove: sqlStatement<{ id: number }>((args) => sql`delete from ${written} where id = ${args.id}`),
  };
}

/** The rows to read with their details: some ids, or all. */
export type Ids = readonly number[] | 'all';

/** The argument for `isAmong`; undefined when there is nothing to read. */
export function idsArgument(ids: Ids): { ids: string } | undefined {
  if (ids === 'all') return { ids: '[]' };
  return ids.length === 0 ? undefined : { ids: JSON.stringify(ids) };
}

/** Whether the row is one of the given ids; [] means all. */
export function isAmong(column: string, ids: string, kind: DatabaseKind): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${ids} = '[]' or ${sql.ref(column)} in ${idsIn(ids, kind)})`;
}
