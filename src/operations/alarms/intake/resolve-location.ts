// Resolves the location of alarms. A report is never refused over it: what does not exist or is not the caller's is left
// out with a warning, and an unknown data server becomes a placeholder of its caller.

import { sql } from 'kysely';
import { type Caller, seesStation, systemCaller } from '../../../domain/access/access.ts';
import {
  defaultStationId,
  mostPlaceholders,
  placeholderName,
  sharedPlaceholder,
} from '../../../domain/plant/entities.ts';
import { idsIn, sqlStatement, textRows } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Instant, ReadTx, Tx } from '../../../store/store.ts';
import { countPlaceholders, insertPlaceholder } from './placeholder-servers.ts';

export type RequestedLocation = {
  readonly caller: Caller;
  readonly stationId: number | undefined;
  readonly dataServerId: number | undefined;
  readonly tagGroupId: number | undefined;
};

export type Location = {
  readonly stationId: number;
  /** 0 for a placeholder that has not been made. */
  readonly dataServerId: number;
  readonly dataServerName: string;
  readonly isSystem: boolean;
};

/** A field of a report that could not be used as it was sent. */
export type LeftOut = {
  readonly field: string;
  readonly sentence: string;
  /** Whether other people may be called than the sender meant. */
  readonly changesCalls: boolean;
};

export type Located = {
  readonly location: Location;
  readonly tagGroupId: number | undefined;
  /** Precedes the path on the placeholder that several data servers share. */
  readonly pathPrefix: string;
  readonly leftOut: readonly LeftOut[];
};

type ServerRow = {
  id: number;
  name: string;
  station_id: number;
  built_in: number;
  is_system: number;
  placeholder_actor: string | null;
  placeholder_number: number | null;
  moved_to: number | null;
  is_receiving: number;
};

type Server = {
  readonly location: Location;
  /** The caller of a placeholder. */
  readonly owner: string | undefined;
  readonly movedTo: number | undefined;
};

type TagPlace = Pick<Located, 'location' | 'pathPrefix'>;

const nothingLeftOut: readonly LeftOut[] = [];

/** The locations read last, by any transaction; only used for guesses that are verified later. */
let lastLoaded: Locations | undefined;

/** The data servers and tag groups that a set of reports refers to, loaded at once. */
export class Locations {
  readonly #servers = new Map<number, Server>();
  /** The built-in data servers by station: for alarms that name none, and for Tocsin's own. */
  readonly #builtIn = new Map<number, Location>();
  readonly #system = new Map<number, Location>();
  /** Placeholders by caller and number. */
  readonly #placeholders = new Map<string, Server>();
  /** The placeholders made by this set. */
  readonly #made = new Set<Location>();
  readonly #stationOfGroup: ReadonlyMap<number, number>;
  /** The data servers to which tags are being moved. */
  readonly receiving = new Set<number>();

  private constructor(servers: readonly ServerRow[], groups: readonly { id: number; station_id: number }[]) {
    for (const row of servers) this.#add(row);
    this.#stationOfGroup = new Map(groups.map(({ id, station_id }) => [id, station_id]));
  }

  static async load(tx: ReadTx, requested: readonly RequestedLocation[]): Promise<Locations> {
    const servers = new Set(requested.flatMap(({ dataServerId }) => dataServerId ?? []));
    const stations = new Set(requested.flatMap(({ caller, stationId }) => [stationId ?? 0, defaultStationOf(caller)]));
    const groups = new Set(requested.flatMap(({ tagGroupId }) => tagGroupId ?? []));
    const [found, foundGroups] = await Promise.all([
      tx.all(selectServers, {
        ids: JSON.stringify([...servers]),
        numbers: JSON.stringify([...servers, sharedPlaceholder]),
        stationIds: JSON.stringify([...stations]),
        actors: JSON.stringify(servers.size === 0 ? [] : [...new Set(requested.map(({ caller }) => caller.actor))]),
      }),
      groups.size === 0 ? [] : tx.all(selectGroups, { ids: JSON.stringify([...groups]) }),
    ]);
    lastLoaded = new Locations(found, foundGroups);
    return lastLoaded;
  }

  /** Returns the data server a report is most likely for, before its location is loaded. */
  static guess(requested: RequestedLocation): number | undefined {
    const { dataServerId, stationId, caller } = requested;
    if (dataServerId !== undefined || lastLoaded === undefined) return dataServerId;
    return lastLoaded.#builtInOf(caller).get(stationId ?? defaultStationOf(caller))?.dataServerId;
  }

  /** Makes the placeholders that these reports need and that do not exist yet. */
  async makePlaceholders(tx: Tx, now: Instant, requested: readonly RequestedLocation[]): Promise<void> {
    for (const one of requested) {
      const { location } = this.of(one);
      if (location.dataServerId !== 0 || one.dataServerId === undefined) continue;
      const { stationId } = location;
      const { actor } = one.caller;
      const isBeyond = (await countPlaceholders(tx, actor)) >= mostPlaceholders;
      const number = isBeyond ? sharedPlaceholder : one.dataServerId;
      const row = await insertPlaceholder(tx, now, { caller: one.caller, number, stationId });
      const owned = { placeholder_actor: actor, placeholder_number: number, moved_to: null };
      const other = { built_in: 0, is_system: 0, is_receiving: 0 };
      this.#made.add(this.#add({ ...row, station_id: stationId, ...other, ...owned }).location);
    }
  }

  of(requested: RequestedLocation): Located {
    const { dataServerId, tagGroupId } = requested;
    if (dataServerId === undefined && tagGroupId === undefined) {
      // The case of most reports.
      const location = this.#builtInOf(requested.caller).get(requested.stationId ?? defaultStationOf(requested.caller));
      if (location !== undefined && seesStation(requested.caller, location.stationId))
        return { location, tagGroupId, pathPrefix: '', leftOut: nothingLeftOut };
    }
    const leftOut: LeftOut[] = [];
    const { location, pathPrefix } =
      dataServerId === undefined
        ? { location: this.#defaultServer(requested, leftOut), pathPrefix: '' }
        : this.#server(requested, dataServerId, leftOut);
    return { location, tagGroupId: this.#tagGroup(requested, location, leftOut), pathPrefix, leftOut };
  }

  #add(row: ServerRow): Server {
    const { id, name, station_id: stationId, placeholder_actor: owner, placeholder_number: number } = row;
    const isSystem = row.is_system === 1;
    const location = { stationId, dataServerId: id, dataServerName: name, isSystem };
    const server = { location, owner: owner ?? undefined, movedTo: row.moved_to ?? undefined };
    this.#servers.set(id, server);
    if (row.is_receiving === 1) this.receiving.add(id);
    if (row.built_in === 1) (isSystem ? this.#system : this.#builtIn).set(stationId, location);
    if (owner !== null) this.#placeholders.set(`${owner} ${number}`, server);
    return server;
  }

  /** Tocsin's own alarms have data servers of their own. */
  #builtInOf({ actor }: Caller): ReadonlyMap<number, Location> {
    return actor === systemCaller.actor ? this.#system : this.#builtIn;
  }

  #defaultServer(requested: RequestedLocation, leftOut: LeftOut[]): Location {
    const location = this.#builtInOf(requested.caller).get(this.#station(requested, leftOut));
    if (location === undefined) throw new Error('A station has no built-in data server');
    return location;
  }

  /** Returns the requested station, or the default if there is no such station or the caller does not see it. */
  #station({ caller, stationId }: RequestedLocation, leftOut: LeftOut[]): number {
    const isUsable = stationId !== undefined && this.#builtIn.has(stationId) && seesStation(caller, stationId);
    if (isUsable || stationId === undefined) return stationId ?? defaultStationOf(caller);
    leftOut.push({ field: 'stationId', sentence: `station ${stationId} does not exist`, changesCalls: true });
    return defaultStationOf(caller);
  }

  #server(requested: RequestedLocation, number: number, leftOut: LeftOut[]): TagPlace {
    const { caller, stationId } = requested;
    const placeholder = this.#placeholders.get(`${caller.actor} ${number}`);
    const meant = this.#servers.get(placeholder === undefined ? number : (placeholder.movedTo ?? 0));
    if (meant === undefined || !isUsableBy(caller, meant))
      return this.#placeholder(requested, number, leftOut, placeholder);
    const { location } = meant;
    if (stationId !== undefined && stationId !== location.stationId) {
      const sentence = `data server ${number} is not of station ${stationId}: the data server counts`;
      leftOut.push({ field: 'stationId', sentence, changesCalls: false });
    }
    return { location, pathPrefix: '' };
  }

  #placeholder(requested: RequestedLocation, number: number, leftOut: LeftOut[], known: Server | undefined): TagPlace {
    const { actor } = requested.caller;
    const shared = known === undefined ? this.#sharedOf(requested.caller) : undefined;
    const location = known?.location ??
      shared ?? {
        stationId: this.#station(requested, leftOut),
        dataServerId: 0,
        dataServerName: placeholderName({ actor, number }),
        isSystem: false,
      };
    const as = shared === undefined ? '' : ` as "${number}/..."`;
    const sentence = `data server ${number} does not exist: the tag is kept${as} on the placeholder "${location.dataServerName}"`;
    leftOut.push({
      field: 'dataServerId',
      sentence,
      changesCalls: location.dataServerId === 0 || this.#made.has(location),
    });
    return { location, pathPrefix: shared === undefined ? '' : `${number}/` };
  }

  /** Where the tags of the data servers are kept that have no placeholder each; undefined until the caller needs it. */
  #sharedOf(caller: Caller): Location | undefined {
    const placeholder = this.#placeholders.get(`${caller.actor} ${sharedPlaceholder}`);
    const moved = placeholder?.movedTo === undefined ? undefined : this.#servers.get(placeholder.movedTo);
    return moved !== undefined && isUsableBy(caller, moved) ? moved.location : placeholder?.location;
  }

  #tagGroup({ caller, tagGroupId }: RequestedLocation, location: Location, leftOut: LeftOut[]): number | undefined {
    if (tagGroupId === undefined) return undefined;
    const stationId = this.#stationOfGroup.get(tagGroupId);
    if (stationId === undefined || !seesStation(caller, stationId)) {
      leftOut.push({ field: 'tagGroupId', sentence: `tag group ${tagGroupId} does not exist`, changesCalls: true });
      return undefined;
    }
    if (stationId !== location.stationId) {
      const sentence = `tag group ${tagGroupId} is of station ${stationId}, and the tag of station ${location.stationId}: both count`;
      leftOut.push({ field: 'tagGroupId', sentence, changesCalls: false });
    }
    return tagGroupId;
  }
}

/** Whether the caller's alarms may live there: not on the data server of Tocsin itself, nor on another's placeholder. */
function isUsableBy(caller: Caller, { location, owner }: Server): boolean {
  const isOwn = owner === undefined || owner === caller.actor;
  return isOwn && !location.isSystem && seesStation(caller, location.stationId);
}

function defaultStationOf({ stationIds }: Caller): number {
  return stationIds[0] ?? defaultStationId;
}

type ServerArgs = { ids: string; numbers: string; stationIds: string; actors: string };

const selectServers = sqlStatement<ServerArgs, ServerRow>((args, kind) => {
  const placeholder = sql`placeholder_number in ${idsIn(args.numbers, kind)}
    and placeholder_actor in (select value from ${textRows(args.actors, kind)})`;
  return sql`select id, name, station_id, built_in, is_system, placeholder_actor, placeholder_number, moved_to,
      case when id in (select moved_to from ${table('pending_moves')}) then 1 else 0 end as is_receiving
    from ${table('data_servers')}
    where id in ${idsIn(args.ids, kind)} or (built_in = 1 and station_id in ${idsIn(args.stationIds, kind)})
      or (${placeholder}) or id in (select moved_to from ${table('data_servers')} where ${placeholder})`;
});

const selectGroups = sqlStatement<{ ids: string }, { id: number; station_id: number }>(
  (args, kind) => sql`select id, station_id from ${table('tag_groups')} where id in ${idsIn(args.ids, kind)}`,
);
