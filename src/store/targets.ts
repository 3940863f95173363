// Which of the things that actions of alarms name there are.

import type { NamedTargets } from '../domain/alarm-actions.ts';
import { mediaNamesAmong } from './media.ts';
import { idsIn, statement } from './statement.ts';
import type { ReadTx } from './store.ts';

const selectUsers = statement((db, args: { ids: string }, kind) =>
  db.selectFrom('users').select('id').where('id', 'in', idsIn(args.ids, kind)),
);

const selectCallGroups = statement((db, args: { ids: string }, kind) =>
  db.selectFrom('call_groups').select('id').where('id', 'in', idsIn(args.ids, kind)),
);

/** Of what is named, what exists. Nothing is asked of the database when nothing is named. */
export async function existingTargets(
  tx: ReadTx,
  { userIds, callGroupIds, mediaNames }: NamedTargets,
): Promise<NamedTargets> {
  const among = async (select: typeof selectUsers, ids: ReadonlySet<number>): Promise<ReadonlySet<number>> => {
    const rows = ids.size === 0 ? [] : await tx.all(select, { ids: JSON.stringify([...ids]) });
    return new Set(rows.map(({ id }) => id));
  };
  return {
    userIds: await among(selectUsers, userIds),
    callGroupIds: await among(selectCallGroups, callGroupIds),
    mediaNames: new Set(mediaNames.size === 0 ? [] : await mediaNamesAmong(tx, [...mediaNames])),
  };
}
