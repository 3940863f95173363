// Assigns names to alarms, and ids to new ones. A name is the path if that is free, else the full path, else the full
// path with the id.

import { sql } from 'kysely';
import { type DatabaseKind, sqlStatement, textRows } from '../../../store/statement.ts';
import { table } from '../../../store/statement-tables.ts';
import type { Tx } from '../../../store/store.ts';
import { TagMap } from '../cache.ts';
import { findRecordsByTag } from '../queries.ts';
import type { Location } from './resolve-location.ts';

export type NewTag = { readonly id: number; readonly path: string; readonly name: string };

/** Returns a tag for each wanted one, by the same key. */
export async function nameAlarms<K>(
  tx: Tx,
  wanted: ReadonlyMap<K, { readonly path: string | undefined; readonly location: Location }>,
): Promise<ReadonlyMap<K, NewTag>> {
  const ids = await tx.nextIds('alarms', wanted.size);
  const given = new TagMap<true>();
  for (const { path, location } of wanted.values())
    if (path !== undefined) given.set(location.dataServerId, path, true);
  const candidates: (NamedPlace & { readonly key: K })[] = [];
  for (const [index, [key, { path, location }]] of [...wanted].entries()) {
    const id = ids[index] ?? 0;
    candidates.push({ key, id, path: path ?? (await freePath(tx, location, id, given)), location });
  }
  // Looked up by the path that each has in the end: the name of a made-up path may be taken on another data server.
  const taken = await takenNames(tx, candidates.flatMap(namesFor));
  const named = new Map<K, NewTag>();
  for (const candidate of candidates) {
    const { key, id, path } = candidate;
    const name = await freeName(tx, namesFor(candidate), taken);
    taken.add(name);
    named.set(key, { id, path, name });
  }
  return named;
}

type NamedPlace = { readonly id: number; readonly path: string; readonly location: Location };

function namesFor({ path, location, id }: NamedPlace): readonly string[] {
  return [path, ...fullNames(path, location.dataServerName, id)];
}

export function fullNames(path: string, dataServerName: string, id: number): readonly string[] {
  return [`${dataServerName}\\${path}`, `${dataServerName}\\${path} #${id}`];
}

/** Returns `alarm/<id>`, or a numbered variant if that path is in use, so that the alarm is accepted in any case. */
async function freePath(tx: Tx, { dataServerId }: Location, id: number, given: TagMap<true>): Promise<string> {
  const isTaken = async (path: string): Promise<boolean> =>
    given.get(dataServerId, path) === true || (await findRecordsByTag(tx, [[dataServerId, path]])).length > 0;
  let path = `alarm/${id}`;
  for (let n = 2; await isTaken(path); n++) path = `alarm/${id}-${n}`;
  return path;
}

export async function freeName(tx: Tx, names: readonly string[], taken: ReadonlySet<string>): Promise<string> {
  const free = names.find((name) => !taken.has(name));
  if (free !== undefined) return free;
  const numbered = names.at(-1) ?? '';
  let name = `${numbered}-2`;
  for (let n = 3; taken.has(name) || (await takenNames(tx, [name])).size > 0; n++) name = `${numbered}-${n}`;
  return name;
}

export async function takenNames(tx: Tx, names: readonly string[]): Promise<Set<string>> {
  return new Set((await tx.all(selectNames, { names: JSON.stringify(names) })).map(({ name }) => name));
}

const selectNames = sqlStatement<{ names: string }, { name: string }>(
  (args, kind) =>
    sql`select alarms.name from ${textRows(args.names, kind)} join ${table('alarms')} on ${sameName(kind)}`,
);

/** PostgreSQL only has an index on the md5 of the name. */
function sameName(kind: DatabaseKind) {
  return kind === 'sqlite'
    ? sql`alarms.name = list.value`
    : sql`md5(alarms.name) = md5(list.value) and alarms.name = list.value`;
}
