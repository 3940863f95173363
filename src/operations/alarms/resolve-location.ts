// Where alarms belong: what is given must exist and be the caller's; what is not given has a default.

import { sql } from 'kysely';
import { type Caller, seesStation } from '../../domain/access/access.ts';
import { defaultStationId } from '../../domain/plant/entities.ts';
import { AppError } from '../../errors.ts';
import { idsIn, sqlStatement } from '../../store/statement.ts';
import type { ReadTx } from '../../store/store.ts';

export type RequestedLocation = {
  readonly caller: Caller;
  readonly stationId: number | undefined;
  readonly dataServerId: number | undefined;
  readonly tagGroupId: number | undefined;
};

export type Location = { readonly stationId: number; readonly dataServerId: number; readonly dataServerName: string };

type ServerRow = { id: number; name: string; station_id: number; built_in: number };

/** As they were read last, in whichever transaction: good for a guess that is looked into. */
let newest: Locations | undefined;

/** The data servers and tag groups that some reports name, read at once. */
export class Locations {
  readonly #servers: ReadonlyMap<number, Location>;
  /** By station. */
  readonly #builtIn: ReadonlyMap<number, Location>;
  readonly #stationOfGroup: ReadonlyMap<number, number>;

  private constructor(servers: readonly ServerRow[], groups: readonly { id: number; station_id: number }[]) {
    const places = servers.map(
      (row) => [row, { stationId: row.station_id, dataServerId: row.id, dataServerName: row.name }] as const,
    );
    this.#servers = new Map(places.map(([{ id }, place]) => [id, place]));
    this.#builtIn = new Map(places.flatMap(([row, place]) => (row.built_in === 1 ? [[row.station_id, place]] : [])));
    this.#stationOfGroup = new Map(groups.map(({ id, station_id }) => [id, station_id]));
  }

  static async load(tx: ReadTx, asked: readonly RequestedLocation[]): Promise<Locations> {
    const servers = new Set(asked.flatMap(({ dataServerId }) => dataServerId ?? []));
    const stations = new Set(asked.filter(({ dataServerId }) => dataServerId === undefined).map(stationOf));
    const groups = new Set(asked.flatMap(({ tagGroupId }) => tagGroupId ?? []));
    const [found, foundGroups] = await Promise.all([
      tx.all(selectServers, { ids: JSON.stringify([...servers]), stationIds: JSON.stringify([...stations]) }),
      groups.size === 0 ? [] : tx.all(selectGroups, { ids: JSON.stringify([...groups]) }),
    ]);
    newest = new Locations(found, foundGroups);
    return newest;
  }

  /** The data server a report is most likely for, before its place is read. */
  static guess({ stationId, dataServerId, caller }: RequestedLocation): number | undefined {
    return dataServerId ?? newest?.builtInOf(stationOf({ caller, stationId }))?.dataServerId;
  }

  builtInOf(stationId: number): Location | undefined {
    return this.#builtIn.get(stationId);
  }

  of(asked: RequestedLocation): Location {
    const { caller, tagGroupId, dataServerId } = asked;
    const place = dataServerId === undefined ? this.#builtInPlace(asked) : this.#serverPlace(asked, dataServerId);
    const stationOfGroup = tagGroupId === undefined ? undefined : this.#stationOfGroup.get(tagGroupId);
    if (tagGroupId !== undefined && (stationOfGroup === undefined || !seesStation(caller, stationOfGroup)))
      throw unknown('tagGroupId', `tag group ${tagGroupId}`);
    return place;
  }

  #builtInPlace(asked: RequestedLocation): Location {
    const stationId = stationOf(asked);
    const place = seesStation(asked.caller, stationId) ? this.#builtIn.get(stationId) : undefined;
    if (place === undefined) throw unknown('stationId', `station ${stationId}`);
    return place;
  }

  #serverPlace({ caller, stationId }: RequestedLocation, id: number): Location {
    const place = this.#servers.get(id);
    if (place === undefined || !seesStation(caller, place.stationId))
      throw unknown('dataServerId', `data server ${id}`);
    if (stationId !== undefined && stationId !== place.stationId) {
      const message = `names a data server of station ${place.stationId}, not of station ${stationId}`;
      throw new AppError('unprocessable', `dataServerId ${message}.`, { errors: [{ field: 'dataServerId', message }] });
    }
    return place;
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
  (args, kind) => sql`select id, name, station_id, built_in from data_servers
    where id in ${idsIn(args.ids, kind)} or (built_in = 1 and station_id in ${idsIn(args.stationIds, kind)})`,
);

const selectGroups = sqlStatement<{ ids: string }, { id: number; station_id: number }>(
  (args, kind) => sql`select id, station_id from tag_groups where id in ${idsIn(args.ids, kind)}`,
);
