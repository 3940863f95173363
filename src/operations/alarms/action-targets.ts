// Which of the things that actions of alarms name there are.

import type { NamedTargets } from '../../domain/alarms/actions.ts';
import { idsIn, statement } from '../../store/statement.ts';
import type { ReadTx } from '../../store/store.ts';
import { mediaNamesAmong } from '../media/queries.ts';

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
  const [users, callGroups, media] = await Promise.all([
    among(selectUsers, userIds),
    among(selectCallGroups, callGroupIds),
    mediaNames.size === 0 ? [] : mediaNamesAmong(tx, [...mediaNames]),
  ]);
  return { userIds: users, callGroupIds: callGroups, mediaNames: new Set(media) };
}

/** The same, piece by piece in one transaction: what was looked up once is not asked for again. */
export class KnownTargets {
  readonly #tx: ReadTx;
  readonly #asked = noTargets();
  readonly found = noTargets();

  constructor(tx: ReadTx) {
    this.#tx = tx;
  }

  async lookUp(named: NamedTargets): Promise<void> {
    const existing = await existingTargets(this.#tx, {
      userIds: addNew(named.userIds, this.#asked.userIds),
      callGroupIds: addNew(named.callGroupIds, this.#asked.callGroupIds),
      mediaNames: addNew(named.mediaNames, this.#asked.mediaNames),
    });
    addNew(existing.userIds, this.found.userIds);
    addNew(existing.callGroupIds, this.found.callGroupIds);
    addNew(existing.mediaNames, this.found.mediaNames);
  }
}

function noTargets() {
  return { userIds: new Set<number>(), callGroupIds: new Set<number>(), mediaNames: new Set<string>() };
}

/** Answers those that `known` did not have. */
function addNew<T>(items: ReadonlySet<T>, known: Set<T>): ReadonlySet<T> {
  const fresh = new Set<T>();
  for (const item of items) if (!known.has(item)) fresh.add(item);
  for (const item of fresh) known.add(item);
  return fresh;
}
