// Which of the things that actions of alarms name there are.

import type { Targets } from '../domain/alarm-actions.ts';
import { mediaNamesAmong } from './media.ts';
import { idsIn, statement } from './statement.ts';
import type { ReadTx } from './store.ts';

const selectUsers = statement((db, args: { ids: string }, kind) =>
  db.selectFrom('users').select('id').where('id', 'in', idsIn(args.ids, kind)),
);

/** Of what is named, what exists. Nothing is asked of the database when nothing is named. */
export async function existingTargets(tx: ReadTx, { userIds, mediaNames }: Targets): Promise<Targets> {
  const users = userIds.size === 0 ? [] : await tx.all(selectUsers, { ids: JSON.stringify([...userIds]) });
  return {
    userIds: new Set(users.map(({ id }) => id)),
    // There are no call groups yet.
    callGroupIds: new Set(),
    mediaNames: new Set(mediaNames.size === 0 ? [] : await mediaNamesAmong(tx, [...mediaNames])),
  };
}
