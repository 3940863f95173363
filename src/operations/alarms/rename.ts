// Renames the alarms of a renamed data server that are named by their full path, in pieces; history entries keep the old name.

import { sql } from 'kysely';
import { sqlStatement } from '../../store/statement.ts';
import { table } from '../../store/statement-tables.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { beginUnitOfWork } from '../unit-of-work.ts';
import { freeName, fullNames, takenNames } from './intake/naming.ts';
import { writeUnitOfWork } from './intake/report.ts';
import type { ChangedBy } from './reaction.ts';

type RenamedServer = { readonly id: number; readonly name: string };

/** A piece looks through so many alarms, and renames so many at most, in less than 25 ms. */
const mostRead = 2_000;
const mostRenamed = 75;

/** Renames a piece of the alarms that follow the one with the id `afterId`. Returns the last that it has looked at; undefined after the last piece. */
export async function renameAlarms(
  tx: Tx,
  now: Instant,
  server: RenamedServer,
  { by, afterId }: { readonly by: ChangedBy; readonly afterId: number },
): Promise<number | undefined> {
  const read = await tx.all(selectPiece, { dataServerId: server.id, afterId });
  const named = read.filter(({ is_named_in_full }) => is_named_in_full === 1);
  const piece = named.slice(0, mostRenamed);
  const unit = beginUnitOfWork(tx, now);
  await unit.alarms.load(piece.map(({ id }) => id));
  const candidates = unit.alarms.all().map((entry) => {
    return { entry, names: fullNames(entry.alarm.path, server.name, entry.alarm.id) };
  });
  const taken = await takenNames(
    tx,
    candidates.flatMap(({ names }) => names),
  );
  for (const { entry, names } of candidates) {
    if (names.includes(entry.alarm.name)) continue;
    const name = await freeName(tx, names, taken);
    taken.add(name);
    unit.alarms.redefine(entry, { name }, now, by);
  }
  await writeUnitOfWork(tx, now, unit);
  if (named.length > piece.length) return piece.at(-1)?.id;
  return read.length < mostRead ? undefined : read.at(-1)?.id;
}

/**
 * In the order of the index of paths, after that of the last alarm that was looked at. If that one is gone, from the beginning:
 * those that have their new name keep it.
 */
export const selectPiece = sqlStatement<
  { dataServerId: number; afterId: number },
  { id: number; is_named_in_full: number }
>((args, kind) => {
  const key = kind === 'sqlite' ? sql`path` : sql`md5(path)`;
  return sql`select id, case when name <> path then 1 else 0 end as is_named_in_full from ${table('alarms')}
      where data_server_id = ${args.dataServerId} and ${key} > coalesce(
        (select ${key} from ${table('alarms')} where id = ${args.afterId} and data_server_id = ${args.dataServerId}), '')
      order by ${key} limit ${sql.lit(mostRead)}`;
});
