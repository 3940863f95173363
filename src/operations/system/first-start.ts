// Creates what an empty store needs, in one transaction: an epoch for the event log, station 1 and an administrator.

import { systemCaller } from '../../domain/access/access.ts';
import { defaultStationName } from '../../domain/plant/entities.ts';
import { appendEvent } from '../../store/event-log.ts';
import { getMeta } from '../../store/meta.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { isStoreEmpty } from '../access/queries.ts';
import { appendAudit } from '../audit/append.ts';
import { insertUser } from '../people/users.ts';
import { insertBuiltInServers, insertDefaultStation } from '../plant/change-resource.ts';

type FirstStart = {
  readonly epoch: string;
  readonly adminPasswordHash: string;
  /** The administrator's time zone; UTC by default. */
  readonly timeZone?: string;
  /** Whether the administrator gets a simulated phone; so by default. */
  readonly hasSimulator?: boolean;
};

const insertEpoch = statement<{ epoch: string }>((db, args) =>
  db.insertInto('meta').values({ key: 'epoch', value: args.epoch }),
);

const selectAnyStation = statement((db) => db.selectFrom('stations').select('id').limit(1));

/** Stations that lack a data server which every station has, as after a rescue of a damaged file. */
const selectIncomplete = statement((db) =>
  db
    .selectFrom('stations')
    .select('id')
    .where((eb) =>
      eb(
        eb
          .selectFrom('data_servers')
          .select((count) => count.fn.countAll<number>().as('servers'))
          .whereRef('data_servers.station_id', '=', 'stations.id')
          .where('built_in', '=', 1),
        '<',
        2,
      ),
    ),
);

/** Adds the data servers that every station has where they are missing. */
export async function completeStations(tx: Tx, now: Instant): Promise<void> {
  for (const { id } of await tx.all(selectIncomplete, {})) await insertBuiltInServers(tx, now, id);
}

export const adminName = 'admin';

/** Fills an empty store. Returns whether this call created the administrator; of several nodes only one does. */
export const firstStart: Operation<FirstStart, boolean> = {
  name: 'first-start',
  async run(tx, now, { epoch, adminPasswordHash, timeZone = 'UTC', hasSimulator = true }) {
    if (!(await isStoreEmpty.run(tx, {}))) return false;
    // A file that was rescued may have lost its users alone.
    if ((await getMeta(tx, 'epoch')) === undefined) await tx.run(insertEpoch, { epoch });
    if ((await tx.one(selectAnyStation, {})) === undefined) await insertDefaultStation(tx, now);
    const passwordHash = adminPasswordHash;
    const administrator = { name: adminName, role: 'administrator', passwordHash, stationIds: [], timeZone } as const;
    await insertUser(tx, now, administrator, hasSimulator);
    await appendEvent(tx, now, { kind: 'store.created', actor: systemCaller.actor });
    const after = { administrator: adminName, station: defaultStationName };
    await appendAudit(tx, now, { kind: 'store.created', origin: systemCaller, after });
    return true;
  },
};
