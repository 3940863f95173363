// Resolves the location of alarms: given ids must exist and be visible to the caller; missing ones have defaults.

import { sql } from 'kysely';
import { type Caller, seesStation } from '../../../domain/access/access.ts';
import { defaultStationId } from '../../../domain/plant/entities.ts';
import { AppError } from '../../../errors.ts';
import { idsIn, sqlStatement } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { ReadTx } from '../../../store/store.ts';

type RequestedLocation = {
  readonly caller: Caller;
  readonly stationId: number | undefined;
  readonly dataServerId: number | undefined;
  readonly tagGroupId: number | undefined;
};

export type Location = { readonly stationId: number; readonly dataServerId: number; readonly dataServerName: string };

type ServerRow = { id: number; name: string; station_id: number; built_in: number };

/** The locations read last, by any transaction; only used for guesses that are verified later. */
let lastLoaded: Locations | undefined;

/** The data servers and tag groups that a set of reports refers to, loaded at once. */
export class Locations {
  readonly #servers: ReadonlyMap<number, Location>;
  /** Built-in data servers by station. */
  readonly #builtIn: ReadonlyMap<number, Location>;
  readonly #stationOfGroup: ReadonlyMap<number, number>;

  private constructor(servers: readonly ServerRow[], groups: readonly { id: number; station_id: number }[]) {
    const locations = servers.map(
      (row) => [row, { stationId: row.station_id, dataServerId: row.id, dataServerName: row.name }] as const,
    );
    this.#servers = new Map(locations.map(([{ id }, location]) => [id, location]));
    this.#builtIn = new Map(
      locations.flatMap(([row, location]) => (row.built_in === 1 ? [[row.station_id, location]] : [])),
    );
    this.#stationOfGroup = new Map(groups.map(({ id, station_id }) => [id, station_id]));
  }

  static async load(tx: ReadTx, requested: readonly RequestedLocation[]): Promise<Locations> {
    const servers = new Set(requested.flatMap(({ dataServerId }) => dataServerId ?? []));
    const stations = new Set(requested.filter(({ dataServerId }) => dataServerId === undefined).map(stationOf));
    const groups = new Set(requested.flatMap(({ tagGroupId }) => tagGroupId ?? []));
    const [found, foundGroups] = await Promise.all([
      tx.all(selectServers, { ids: JSON.stringify([...servers]), stationIds: JSON.stringify([...stations]) }),
      groups.size === 0 ? [] : tx.all(selectGroups, { ids: JSON.stringify([...groups]) }),
    ]);
    lastLoaded = new Locations(found, foundGroups);
    return lastLoaded;
  }

  /** Returns the data server a report is most likely for, before its location is loaded. */
  static guess({ stationId, dataServerId, caller }: RequestedLocation): number | undefined {
    return dataServerId ?? lastLoaded?.builtInOf(stationOf({ caller, stationId }))?.dataServerId;
  }

  builtInOf(stationId: number): Location | undefined {
    return this.#builtIn.get(stationId);
  }

  of(requested: RequestedLocation): Location {
    const { caller, tagGroupId, dataServerId } = requested;
    const location =
      dataServerId === undefined ? this.#builtInLocation(requested) : this.#serverLocation(requested, dataServerId);
    const stationOfGroup = tagGroupId === undefined ? undefined : this.#stationOfGroup.get(tagGroupId);
    if (tagGroupId !== undefined && (stationOfGroup === undefined || !seesStation(caller, stationOfGroup)))
      throw unknown('tagGroupId', `tag group ${tagGroupId}`);
    return location;
  }

  #builtInLocation(requested: RequestedLocation): Location {
    const stationId = stationOf(requested);
    const location = seesStation(requested.caller, stationId) ? this.#builtIn.get(stationId) : undefined;
    if (location === undefined) throw unknown('stationId', `station ${stationId}`);
    return location;
  }

  #serverLocation({ caller, stationId }: RequestedLocation, id: number): Location {
    const location = this.#servers.get(id);
    if (location === undefined || !seesStation(caller, location.stationId))
      throw unknown('dataServerId', `data server ${id}`);
    if (stationId !== undefined && stationId !== location.stationId) {
      const message = `names a data server of station ${location.stationId}, not of station ${stationId}`;
      throw new AppError('unprocessable', `dataServerId ${message}.`, { errors: [{ field: 'dataServerId', message }] });
    }
    return location;
  }
}

function stationOf({ caller, stationId }: Pick<RequestedLocation, 'caller' | 'stationId'>): number {
  return stationId ?? caller.stationIds[0] ?? defaultStationId;
}

function unknown(field: string, what: string): AppError {
  const message = `names ${what}, which does not exist`;
  return new AppError('unprocessable', `${field} ${message}.`, { errors: [{ field, message }] });
}

const selectServers = sqlStatement<{ ids: string; stationIds: string }, ServerRow>(
  (args, kind) => sql`select id, name, station_id, built_in from ${table('data_servers')}
    where id in ${idsIn(args.ids, kind)} or (built_in = 1 and station_id in ${idsIn(args.stationIds, kind)})`,
);

const selectGroups = sqlStatement<{ ids: string }, { id: number; station_id: number }>(
  (args, kind) => sql`select id, station_id from ${table('tag_groups')} where id in ${idsIn(args.ids, kind)}`,
);
