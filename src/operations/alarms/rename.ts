// Renames the alarms of a renamed data server that are named by their full path; history entries keep the old name.

import { statement } from '../../store/statement.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { beginUnitOfWork } from '../unit-of-work.ts';
import { freeName, fullNames, takenNames } from './intake/naming.ts';
import { writeUnitOfWork } from './intake/report.ts';
import type { ChangedBy } from './reaction.ts';

type RenamedServer = { readonly id: number; readonly name: string };

export async function renameAlarms(tx: Tx, now: Instant, server: RenamedServer, by: ChangedBy): Promise<void> {
  const unit = beginUnitOfWork(tx, now);
  await unit.alarms.load((await tx.all(selectNamedInFull, { dataServerId: server.id })).map(({ id }) => id));
  const candidates = unit.alarms.all().map((entry) => {
    return { entry, names: fullNames(entry.alarm.path, server.name, entry.alarm.id) };
  });
  const taken = await takenNames(
    tx,
    candidates.flatMap(({ names }) => names),
  );
  for (const { entry, names } of candidates) {
    const name = await freeName(tx, names, taken);
    taken.add(name);
    unit.alarms.redefine(entry, { name }, now, by);
  }
  await writeUnitOfWork(tx, now, unit);
}

const selectNamedInFull = statement((db, args: { dataServerId: number }) =>
  db
    .selectFrom('alarms')
    .select('id')
    .where('data_server_id', '=', args.dataServerId)
    .whereRef('name', '<>', 'path')
    .orderBy('id'),
);
