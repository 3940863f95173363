// A version number that increases with every change of people data, by which caches of the snapshot detect that they
// are stale, and the last changes, by which they read only what is new.

import { randomInt } from 'node:crypto';
import { getMeta, setMeta } from '../../store/meta.ts';
import { statement } from '../../store/statement.ts';
import type { Query, ReadTx, Tx } from '../../store/store.ts';

export const directoryVersionKey = 'directory_version';
/** JSON of the last changes, oldest first, each `[version, before, part, id]`. */
const changesKey = 'directory_changes';
/** A cache that is further behind reads everything. */
const mostChanges = 32;

const selectVersion = statement((db) => db.selectFrom('meta').select('value').where('key', '=', directoryVersionKey));

/**
 * Range of the random lower part of a version. The upper part leaves room for nine million changes within the safe
 * integers.
 */
const randomRange = 1_000_000_000;

/** What a change was about: one entry, all scenarios, all providers, or everything; groupings are in no cache. */
type Part = 'user' | 'team' | 'callGroup' | 'schedule' | 'scenario' | 'grouping' | 'provider' | 'all';
export type DirectoryChange = {
  readonly version: number;
  /** The version that it changed. */
  readonly before: number;
  readonly part: Part;
  readonly id: number;
};

/** Returns 0 before the first change. */
async function readPeopleVersion(tx: ReadTx): Promise<number> {
  return Number((await tx.one(selectVersion, {}))?.value ?? 0);
}

/**
 * Must be called in the transaction of every change of a user, number, team, group, grouping, schedule, scenario or provider,
 * once its rows are written: what is read under a version is cached. A plain counter would repeat after a rollback, with
 * another change under the same number, so part of the version is random.
 */
export async function incrementPeopleVersion(tx: Tx, part: Part, id: number): Promise<void> {
  const before = await readPeopleVersion(tx);
  const version = (Math.floor(before / randomRange) + 1) * randomRange + randomInt(randomRange);
  await setMeta(tx, directoryVersionKey, String(version));
  const changes = [...(await readDirectoryChanges(tx)), { version, before, part, id }].slice(-mostChanges);
  await setMeta(tx, changesKey, JSON.stringify(changes.map((one) => [one.version, one.before, one.part, one.id])));
}

/** Returns the last changes, oldest first. One that a node of an earlier version made is missing. */
export async function readDirectoryChanges(tx: ReadTx): Promise<readonly DirectoryChange[]> {
  const stored = JSON.parse((await getMeta(tx, changesKey)) ?? '[]') as readonly [number, number, Part, number][];
  return stored.map(([version, before, part, id]) => ({ version, before, part, id }));
}

export const getPeopleVersion: Query<Record<string, never>, number> = {
  name: 'get-directory-version',
  isQuick: true,
  run: (tx) => readPeopleVersion(tx),
};
