// The number that rises with every change of who is called: whoever keeps a picture of the directory sees by it whether
// the picture still holds.

import { randomInt } from 'node:crypto';
import { setMeta } from '../../store/meta.ts';
import { statement } from '../../store/statement.ts';
import type { Query, ReadTx, Tx } from '../../store/store.ts';

const key = 'directory_version';

const selectVersion = statement((db) => db.selectFrom('meta').select('value').where('key', '=', key));

/** The lower part of a version. Above it is room for nine million changes within what a number holds exactly. */
const chance = 1_000_000_000;

/** 0 as long as nobody was ever made. */
async function readPeopleVersion(tx: ReadTx): Promise<number> {
  return Number((await tx.one(selectVersion, {}))?.value ?? 0);
}

/**
 * To be called in the transaction of every change of a user, number, team, group, grouping, schedule or scenario. A count
 * alone would come again when the transaction is undone, with another change under the same number; so part of it is chance.
 */
export async function incrementPeopleVersion(tx: Tx): Promise<void> {
  const count = Math.floor((await readPeopleVersion(tx)) / chance) + 1;
  await setMeta(tx, key, String(count * chance + randomInt(chance)));
}

export const getPeopleVersion: Query<Record<string, never>, number> = {
  name: 'get-directory-version',
  isQuick: true,
  run: (tx) => readPeopleVersion(tx),
};
