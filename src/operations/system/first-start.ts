// Creates what an empty store needs, in one transaction: an epoch for the event log, station 1 and an administrator.

import { systemCaller } from '../../domain/access/access.ts';
import { defaultStationName } from '../../domain/plant/entities.ts';
import { appendEvent } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import type { Operation } from '../../store/store.ts';
import { isStoreEmpty } from '../access/queries.ts';
import { appendAudit } from '../audit/append.ts';
import { insertUser } from '../people/users.ts';
import { insertDefaultStation } from '../plant/change-resource.ts';

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

export const adminName = 'admin';

/** Fills an empty store. Returns whether this call created the administrator; of several nodes only one does. */
export const firstStart: Operation<FirstStart, boolean> = {
  name: 'first-start',
  async run(tx, now, { epoch, adminPasswordHash, timeZone = 'UTC', hasSimulator = true }) {
    if (!(await isStoreEmpty.run(tx, {}))) return false;
    await tx.run(insertEpoch, { epoch });
    await insertDefaultStation(tx, now);
    const passwordHash = adminPasswordHash;
    const administrator = { name: adminName, role: 'administrator', passwordHash, stationIds: [], timeZone } as const;
    await insertUser(tx, now, administrator, hasSimulator);
    await appendEvent(tx, now, { kind: 'store.created', actor: systemCaller.actor });
    const after = { administrator: adminName, station: defaultStationName };
    await appendAudit(tx, now, { kind: 'store.created', origin: systemCaller, after });
    return true;
  },
};
