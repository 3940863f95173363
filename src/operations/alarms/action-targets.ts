// Finds out which of the users, call groups and media files that alarm actions refer to exist.

import type { NamedTargets } from '../../domain/alarms/actions.ts';
import { isOneOfIds, statement } from '../../store/statement.ts';
import type { ReadTx } from '../../store/store.ts';
import { mediaNamesAmong } from '../media/queries.ts';

const selectUsers = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('users')
    .select('id')
    .where(isOneOfIds('id', args.ids, kind)),
);

const selectCallGroups = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_groups')
    .select('id')
    .where(isOneOfIds('id', args.ids, kind)),
);

/** Returns the existing ones of the named targets. Sends no query if nothing is named. */
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

/** Looks up targets incrementally within one transaction and never queries the same target twice. */
export class TargetLookup {
  readonly #tx: ReadTx;
  readonly #requested = noTargets();
  readonly found = noTargets();

  constructor(tx: ReadTx) {
    this.#tx = tx;
  }

  async lookUp(named: NamedTargets): Promise<void> {
    const existing = await existingTargets(this.#tx, {
      userIds: addNew(named.userIds, this.#requested.userIds),
      callGroupIds: addNew(named.callGroupIds, this.#requested.callGroupIds),
      mediaNames: addNew(named.mediaNames, this.#requested.mediaNames),
    });
    addNew(existing.userIds, this.found.userIds);
    addNew(existing.callGroupIds, this.found.callGroupIds);
    addNew(existing.mediaNames, this.found.mediaNames);
  }
}

function noTargets() {
  return { userIds: new Set<number>(), callGroupIds: new Set<number>(), mediaNames: new Set<string>() };
}

/** Adds the items to `known` and returns those that were new. */
function addNew<T>(items: ReadonlySet<T>, known: Set<T>): ReadonlySet<T> {
  const fresh = new Set<T>();
  for (const item of items) if (!known.has(item)) fresh.add(item);
  for (const item of fresh) known.add(item);
  return fresh;
}
