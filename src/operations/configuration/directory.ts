// The directory as of a transaction: people, scenarios and providers, cached in memory by version; of a newer version only
// what changed is read, because a write waits for it and alarms wait for the write.

import type { ScenarioIndex } from '../../domain/alarms/scenario-actions.ts';
import type { Provider } from '../../domain/channels/provider.ts';
import type { PeopleSnapshot } from '../../domain/people/call-group.ts';
import type { ReadTx } from '../../store/store.ts';
import { loadScenarioIndex } from '../people/scenario-rows.ts';
import { loadPeopleSnapshot, type PeoplePart, reloadPeople } from '../people/snapshot.ts';
import { type DirectoryChange, readDirectoryChanges } from '../people/version.ts';
import { loadProviders } from '../providers/provider-rows.ts';

export type Directory = {
  readonly snapshot: PeopleSnapshot;
  readonly scenarios: ScenarioIndex;
  readonly providers: readonly Provider[];
};

/** The directories read last, by epoch and version. Several: a read beside a write, and a write that is undone, see the older. */
const cached = new Map<string, Directory>();
const mostCached = 4;

/** `epoch` and `version` are those of the transaction. Versions are never reused, not even after a rollback. */
export async function readDirectory(tx: ReadTx, epoch: string, version: number): Promise<Directory> {
  const key = keyOf(epoch, version);
  const directory = cached.get(key) ?? (await newer(tx, epoch, version)) ?? (await wholeDirectory(tx));
  cached.delete(key);
  cached.set(key, directory);
  for (const [oldest] of cached) if (cached.size > mostCached) cached.delete(oldest);
  return directory;
}

function keyOf(epoch: string, version: number): string {
  return `${epoch} ${version}`;
}

async function wholeDirectory(tx: ReadTx): Promise<Directory> {
  return {
    snapshot: await loadPeopleSnapshot(tx),
    scenarios: await loadScenarioIndex(tx),
    providers: await loadProviders(tx),
  };
}

/** Returns the directory made from a cached one; undefined if not all changes since one of those are known. */
async function newer(tx: ReadTx, epoch: string, version: number): Promise<Directory | undefined> {
  if (cached.size === 0) return undefined;
  const changes = await readDirectoryChanges(tx);
  const since: DirectoryChange[] = [];
  let at = version;
  for (const change of changes.toReversed()) {
    if (change.version !== at || change.part === 'all') return undefined;
    since.push(change);
    at = change.before;
    const base = cached.get(keyOf(epoch, at));
    if (base !== undefined) return changed(tx, base, since);
  }
  return undefined;
}

async function changed(tx: ReadTx, base: Directory, changes: readonly DirectoryChange[]): Promise<Directory> {
  const idsOf = (part: PeoplePart): readonly number[] => [
    ...new Set(changes.filter((one) => one.part === part).map(({ id }) => id)),
  ];
  const has = (part: DirectoryChange['part']): boolean => changes.some((one) => one.part === part);
  return {
    snapshot: await reloadPeople(tx, base.snapshot, idsOf),
    scenarios: has('scenario') ? await loadScenarioIndex(tx) : base.scenarios,
    providers: has('provider') ? await loadProviders(tx) : base.providers,
  };
}
