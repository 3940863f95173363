// Queries on stations, data servers and tag groups, and the statements they share.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import type { PlantEntry, PlantKind } from '../../domain/plant/entities.ts';
import { statement } from '../../store/statement.ts';
import type { Query, ReadTx } from '../../store/store.ts';
import { type EntryRow, entryFilter, entryStatements, seenArgs } from '../named-rows.ts';
import { attachedScenarios } from '../people/scenario-rows.ts';

export const plantStatements = {
  station: entryStatements({ table: 'stations', belongs: 'itself' }),
  dataServer: entryStatements({ table: 'data_servers', belongs: 'one', isDataServers: true }),
  tagGroup: entryStatements({ table: 'tag_groups', belongs: 'one' }),
};

type Attached = ReadonlyMap<number, readonly number[]>;

function entryOf(row: EntryRow, attached: Attached): PlantEntry {
  return {
    id: row.id,
    name: row.name,
    stationId: row.station_id ?? 0,
    builtIn: row.built_in === 1,
    isSystem: row.is_system === 1,
    placeholder: placeholderOf(row),
    scenarioIds: attached.get(row.id) ?? [],
    lastChange: row.last_change,
  };
}

function placeholderOf({
  placeholder_actor: actor,
  placeholder_number,
  moved_to,
}: EntryRow): PlantEntry['placeholder'] {
  if (actor === null) return undefined;
  return { actor, number: placeholder_number ?? 0, movedTo: moved_to ?? undefined };
}

/** Returns undefined when there is no such entry or it belongs to a station the caller does not see. */
export async function findEntry(
  tx: ReadTx,
  kind: PlantKind,
  id: number,
  caller: Pick<Caller, 'stationIds'>,
): Promise<PlantEntry | undefined> {
  const row = await tx.one(plantStatements[kind].byId, { id });
  if (row === undefined || !seesStation(caller, row.station_id ?? 0)) return undefined;
  return entryOf(row, await attachedTo(tx, kind, [row]));
}

async function attachedTo(tx: ReadTx, kind: PlantKind, rows: readonly EntryRow[]): Promise<Attached> {
  if (kind === 'dataServer') return new Map();
  return attachedScenarios(
    tx,
    kind,
    rows.map(({ id }) => id),
  );
}

type ByStations = Pick<Caller, 'stationIds'>;

export const getPlantEntry: Query<{ kind: PlantKind; id: number; caller: ByStations }, PlantEntry | undefined> = {
  name: 'get-plant-entry',
  run: (tx, { kind, id, caller }) => findEntry(tx, kind, id, caller),
};

type SystemServer = { readonly stationId: number; readonly dataServerId: number };

/** Lists the data servers of Tocsin's own alarms, one for each station that the caller sees. */
export const listSystemServers: Query<{ caller: ByStations }, readonly SystemServer[]> = {
  name: 'list-system-servers',
  isQuick: true,
  async run(tx, { caller }) {
    const rows = await tx.all(selectSystemServers, {});
    return rows.filter(({ stationId }) => seesStation(caller, stationId));
  },
};

const selectSystemServers = statement((db) =>
  db
    .selectFrom('data_servers')
    .select(['station_id as stationId', 'id as dataServerId'])
    .where('is_system', '=', 1)
    .orderBy('station_id'),
);

type PlantPage = { readonly items: readonly PlantEntry[]; readonly total: number };

type PlantListing = {
  readonly kind: PlantKind;
  readonly caller: ByStations;
  readonly stationId: number | undefined;
  readonly search: string;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
};

export const listPlantEntries: Query<PlantListing, PlantPage> = {
  name: 'list-plant-entries',
  async run(tx, { kind, caller, stationId, search, order, limit, offset }) {
    const filter = entryFilter(seenArgs(caller), stationId, search);
    const count = await tx.one(plantStatements[kind].count, filter);
    const rows = limit === 0 ? [] : await tx.all(plantStatements[kind].page[order], { ...filter, limit, offset });
    const attached = await attachedTo(tx, kind, rows);
    return { items: rows.map((row) => entryOf(row, attached)), total: count?.total ?? 0 };
  },
};
