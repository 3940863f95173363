// The directory in the store: the statements that stations, data servers and tag groups share, and the queries on them.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import type { DirectoryEntry, DirectoryKind } from '../../domain/plant/entities.ts';
import { type EntryRow, entryFilter, entryStatements } from '../../store/named-rows.ts';
import type { Query, ReadTx } from '../../store/store.ts';
import { attachedScenarios } from '../people/scenario-rows.ts';

export const directoryStatements = {
  station: entryStatements({ table: 'stations', belongs: 'itself' }),
  dataServer: entryStatements({ table: 'data_servers', belongs: 'one', hasBuiltIn: true }),
  tagGroup: entryStatements({ table: 'tag_groups', belongs: 'one' }),
};

type Attached = ReadonlyMap<number, readonly number[]>;

function entryOf(row: EntryRow, attached: Attached): DirectoryEntry {
  return {
    id: row.id,
    name: row.name,
    stationId: row.station_id ?? 0,
    builtIn: row.built_in === 1,
    scenarioIds: attached.get(row.id) ?? [],
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
  if (row === undefined || !seesStation(caller, row.station_id ?? 0)) return undefined;
  return entryOf(row, await attachedTo(tx, kind, [row]));
}

async function attachedTo(tx: ReadTx, kind: DirectoryKind, rows: readonly EntryRow[]): Promise<Attached> {
  if (kind === 'dataServer') return new Map();
  return attachedScenarios(
    tx,
    kind,
    rows.map(({ id }) => id),
  );
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
    const filter = entryFilter(caller, stationId, search);
    const count = await tx.one(directoryStatements[kind].count, filter);
    const rows = limit === 0 ? [] : await tx.all(directoryStatements[kind].page[order], { ...filter, limit, offset });
    const attached = await attachedTo(tx, kind, rows);
    return { items: rows.map((row) => entryOf(row, attached)), total: count?.total ?? 0 };
  },
};
