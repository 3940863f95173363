// The API keys and data servers that sources are: those that exist, with their names and stations.

import { statement } from '../../store/statement.ts';
import type { Instant, ReadTx } from '../../store/store.ts';

export type Holder = {
  readonly kind: 'key' | 'dataServer';
  readonly id: number;
  readonly name: string;
  readonly stationIds: readonly number[];
};

export function sourceOf({ kind, id }: Pick<Holder, 'kind' | 'id'>): string {
  return kind === 'key' ? `key:${id}` : `server:${id}`;
}

/** Returns the holders of the sources that still exist: keys that are valid, data servers that were not removed. */
export async function findHolders(
  tx: ReadTx,
  sources: readonly string[],
  now: Instant,
): Promise<ReadonlyMap<string, Holder>> {
  const found = new Map<string, Holder>();
  for (const source of sources) {
    const [kind, id] = source.split(':');
    const holder = kind === 'key' ? await findKey(tx, Number(id), now) : await findServer(tx, Number(id));
    if (holder !== undefined) found.set(source, holder);
  }
  return found;
}

async function findKey(tx: ReadTx, id: number, now: Instant): Promise<Holder | undefined> {
  const key = await tx.one(selectKey, { id, now });
  if (key === undefined) return undefined;
  const stations = await tx.all(selectKeyStations, { id });
  return { kind: 'key', id, name: key.name, stationIds: stations.map(({ station_id }) => station_id) };
}

async function findServer(tx: ReadTx, id: number): Promise<Holder | undefined> {
  const server = await tx.one(selectServer, { id });
  return server && { kind: 'dataServer', id, name: server.name, stationIds: [server.station_id] };
}

/** Returns the keys that may send alarms and the data servers of sources, in the order of their ids. */
export async function listHolders(tx: ReadTx, now: Instant): Promise<readonly Holder[]> {
  const stations = Map.groupBy(await tx.all(selectAllKeyStations, {}), ({ api_key_id }) => api_key_id);
  const keys = (await tx.all(selectKeys, { now }))
    .filter(({ scopes }) => (JSON.parse(scopes) as string[]).includes('alarms:write'))
    .map(({ id, name }): Holder => {
      const stationIds = (stations.get(id) ?? []).map(({ station_id }) => station_id);
      return { kind: 'key', id, name, stationIds };
    });
  const servers = (await tx.all(selectServers, {})).map(
    ({ id, name, station_id }): Holder => ({ kind: 'dataServer', id, name, stationIds: [station_id] }),
  );
  return [...keys, ...servers];
}

const selectKey = statement((db, args: { id: number; now: Instant }) =>
  db.selectFrom('api_keys').select('name').where('id', '=', args.id).where('expires_at', '>', args.now),
);

const selectKeyStations = statement((db, args: { id: number }) =>
  db.selectFrom('api_key_stations').select('station_id').where('api_key_id', '=', args.id).orderBy('station_id'),
);

const selectServer = statement((db, args: { id: number }) =>
  db.selectFrom('data_servers').select(['name', 'station_id']).where('id', '=', args.id),
);

const selectKeys = statement((db, args: { now: Instant }) =>
  db.selectFrom('api_keys').select(['id', 'name', 'scopes']).where('expires_at', '>', args.now).orderBy('id'),
);

const selectAllKeyStations = statement((db) =>
  db.selectFrom('api_key_stations').select(['api_key_id', 'station_id']).orderBy('station_id'),
);

const selectServers = statement((db) =>
  db.selectFrom('data_servers').select(['id', 'name', 'station_id']).where('is_system', '=', 0).orderBy('id'),
);
