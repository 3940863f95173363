// A version number that increases with every change of people data, by which caches of the snapshot detect that they
// are stale.

import { randomInt } from 'node:crypto';
import { setMeta } from '../../store/meta.ts';
import { statement } from '../../store/statement.ts';
import type { Query, ReadTx, Tx } from '../../store/store.ts';

const key = 'directory_version';

const selectVersion = statement((db) => db.selectFrom('meta').select('value').where('key', '=', key));

/**
 * Range of the random lower part of a version. The upper part leaves room for nine million changes within the safe
 * integers.
 */
const randomRange = 1_000_000_000;

/** Returns 0 before the first change. */
async function readPeopleVersion(tx: ReadTx): Promise<number> {
  return Number((await tx.one(selectVersion, {}))?.value ?? 0);
}

/**
 * Must be called in the transaction of every change of a user, number, team, group, grouping, schedule or scenario. A
 * plain counter would repeat after a rollback, with another change under the same number, so part of the version is
 * random.
 */
export async function incrementPeopleVersion(tx: Tx): Promise<void> {
  const count = Math.floor((await readPeopleVersion(tx)) / randomRange) + 1;
  await setMeta(tx, key, String(count * randomRange + randomInt(randomRange)));
}

export const getPeopleVersion: Query<Record<string, never>, number> = {
  name: 'get-directory-version',
  isQuick: true,
  run: (tx) => readPeopleVersion(tx),
};
