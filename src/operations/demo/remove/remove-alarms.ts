// Removes the alarms of the demo plant, a few at a time; the calls for them end with them.

import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { Instant, Tx } from '../../../store/store.ts';
import { writeUnitOfWork } from '../../alarms/intake/report.ts';
import { beginUnitOfWork } from '../../unit-of-work.ts';
import { callerNamed, DemoEntries, type DemoRow } from '../plant-rows.ts';

const alarmsAStep = 50;

/** All alarms of its stations: those of Tocsin itself about them too, and what is sent there during the removal. */
export async function removeAlarms(tx: Tx, now: Instant, { removedBy, madeBy }: DemoRow): Promise<'more' | 'done'> {
  const stationIds = JSON.stringify((await DemoEntries.load(tx)).ids('station'));
  const found = await tx.all(selectAlarms, { stationIds, limit: alarmsAStep });
  if (found.length === 0) return 'done';
  const origin = callerNamed(removedBy ?? madeBy);
  const unit = beginUnitOfWork(tx, now);
  await unit.alarms.load(found.map(({ id }) => id));
  await unit.alarms.gather();
  for (const entry of unit.alarms.all()) unit.alarms.remove(entry, now, { actor: origin.actor, origin });
  await writeUnitOfWork(tx, now, unit);
  return 'more';
}

const selectAlarms = statement((db, args: { stationIds: string; limit: number }, kind) =>
  db
    .selectFrom('alarms')
    .select('id')
    .where(isOneOfIds('station_id', args.stationIds, kind))
    .orderBy('id')
    .limit(args.limit),
);
