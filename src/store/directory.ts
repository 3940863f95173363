// The directory in the store: the statements that stations, data servers and tag groups share, and the queries on them.

import { sql } from 'kysely';
import { type Caller, seesStation } from '../domain/access.ts';
import { type DirectoryEntry, type DirectoryKind, directoryKinds } from '../domain/directory.ts';
import { searchPatterns } from '../domain/search.ts';
import { type DatabaseKind, idsIn, sqlStatement, textRows } from './statement.ts';
import type { Query, ReadTx } from './store.ts';

type EntryRow = { id: number; name: string; station_id: number; built_in: number; last_change: number };
type Filter = { stationIds: string; stationId: number; patterns: string };
type Page = { limit: number; offset: number };

const tableOf = { station: 'stations', dataServer: 'data_servers', tagGroup: 'tag_groups' } as const;

function statementsOf(kind: DirectoryKind) {
  const { inStation } = directoryKinds[kind];
  const table = sql.table(tableOf[kind]);
  const station = sql.ref(inStation ? 'station_id' : 'id');
  const entry = sql`id, name, ${station} as station_id, ${kind === 'dataServer' ? sql.ref('built_in') : sql.lit(0)} as built_in, last_change`;
  // Directories are small, so one statement serves every filter: [] and 0 stand for "all".
  const matches = (args: Filter, database: DatabaseKind) => sql`
    (${args.stationIds} = '[]' or ${station} in ${idsIn(args.stationIds, database)})
    and cast(${args.stationId} as bigint) in (0, ${station})
    and not exists (select 1 from ${textRows(args.patterns, database)} where words not like list.value)`;
  const page = (order: 'asc' | 'desc') =>
    sqlStatement<Filter & Page, EntryRow>(
      (args, database) => sql`select ${entry} from ${table} where ${matches(args, database)}
        order by id ${sql.raw(order)} limit ${args.limit} offset ${args.offset}`,
    );
  return {
    page: { asc: page('asc'), desc: page('desc') },
    count: sqlStatement<Filter, { total: number }>(
      (args, database) => sql`select count(*) as total from ${table} where ${matches(args, database)}`,
    ),
    byId: sqlStatement<{ id: number }, EntryRow>((args) => sql`select ${entry} from ${table} where id = ${args.id}`),
    byName: sqlStatement<{ name: string; stationId: number }, { id: number }>((args) =>
      inStation
        ? sql`select id from ${table} where name = ${args.name} and station_id = ${args.stationId}`
        : sql`select id from ${table} where name = ${args.name}`,
    ),
    rename: sqlStatement<{ id: number; name: string; words: string; now: number }>(
      (args) =>
        sql`update ${table} set name = ${args.name}, words = ${args.words}, last_change = ${args.now} where id = ${args.id}`,
    ),
    remove: sqlStatement<{ id: number }>((args) => sql`delete from ${table} where id = ${args.id}`),
  };
}

export const directoryStatements = {
  station: statementsOf('station'),
  dataServer: statementsOf('dataServer'),
  tagGroup: statementsOf('tagGroup'),
};

function entryOf(row: EntryRow): DirectoryEntry {
  return {
    id: row.id,
    name: row.name,
    stationId: row.station_id,
    builtIn: row.built_in === 1,
    lastChange: row.last_change,
  };
}

/** The entry, or undefined when there is none or it belongs to a station the caller does not see. */
export async function findEntry(
  tx: ReadTx,
  kind: DirectoryKind,
  id: number,
  caller: Pick<Caller, 'stationIds'>,
): Promise<DirectoryEntry | undefined> {
  const row = await tx.one(directoryStatements[kind].byId, { id });
  return row !== undefined && seesStation(caller, row.station_id) ? entryOf(row) : undefined;
}

type ByStations = Pick<Caller, 'stationIds'>;

export const getDirectoryEntry: Query<
  { kind: DirectoryKind; id: number; caller: ByStations },
  DirectoryEntry | undefined
> = {
  name: 'get-directory-entry',
  run: (tx, { kind, id, caller }) => findEntry(tx, kind, id, caller),
};

export type DirectoryPage = { readonly items: readonly DirectoryEntry[]; readonly total: number };

export type DirectoryListing = {
  readonly kind: DirectoryKind;
  readonly caller: ByStations;
  readonly stationId: number | undefined;
  readonly search: string;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
};

export const listDirectoryEntries: Query<DirectoryListing, DirectoryPage> = {
  name: 'list-directory-entries',
  async run(tx, { kind, caller, stationId, search, order, limit, offset }) {
    const filter: Filter = {
      stationIds: JSON.stringify(caller.stationIds),
      stationId: stationId ?? 0,
      patterns: JSON.stringify(searchPatterns(search)),
    };
    const count = await tx.one(directoryStatements[kind].count, filter);
    const rows = limit === 0 ? [] : await tx.all(directoryStatements[kind].page[order], { ...filter, limit, offset });
    return { items: rows.map(entryOf), total: count?.total ?? 0 };
  },
};
