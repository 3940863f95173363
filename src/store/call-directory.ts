// Everything that decides who is called, read as one picture: whole tables, a statement each.

import type { CallDirectory } from '../domain/call-group.ts';
import { loadCallGroups } from './call-groups.ts';
import { readDirectoryVersion } from './directory-version.ts';
import { loadSchedules } from './schedules.ts';
import type { Query, ReadTx } from './store.ts';
import { loadTeams } from './teams.ts';
import { loadUsers } from './users.ts';

export async function loadCallDirectory(tx: ReadTx): Promise<CallDirectory> {
  return {
    people: byId(await loadUsers(tx, 'all')),
    teams: byId(await loadTeams(tx, 'all')),
    groups: byId(await loadCallGroups(tx, 'all')),
    schedules: byId(await loadSchedules(tx, 'all')),
  };
}

function byId<T extends { readonly id: number }>(entries: readonly T[]): ReadonlyMap<number, T> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}

export type VersionedDirectory = { readonly version: number; readonly directory: CallDirectory };

/** The newest picture this thread has seen; its version is that of no other, nor of any other database. */
let kept: VersionedDirectory | undefined;

/** The picture as of this transaction: one small read when nothing has changed, and what was worked out by it holds. */
export async function readCallDirectory(tx: ReadTx): Promise<VersionedDirectory> {
  const version = await readDirectoryVersion(tx);
  if (kept?.version === version && version !== 0) return kept;
  kept = { version, directory: await loadCallDirectory(tx) };
  return kept;
}

export const getCallDirectory: Query<Record<string, never>, VersionedDirectory> = {
  name: 'get-call-directory',
  run: (tx) => readCallDirectory(tx),
};
