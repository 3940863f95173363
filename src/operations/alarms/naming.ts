// Gives alarms their names, and new ones their ids: a name is the path when that is free, else the full path, else that with
// the id.

import { sql } from 'kysely';
import { TagMap } from '../../store/alarm-cache.ts';
import { type DatabaseKind, sqlStatement, statement, textRows } from '../../store/statement.ts';
import type { Instant, Tx } from '../../store/store.ts';
import { findRecordsByTag } from './queries.ts';
import type { Location } from './resolve-location.ts';
import { AlarmUnitOfWork } from './unit-of-work.ts';

export type NewTag = { readonly id: number; readonly path: string; readonly name: string };

/** Answers a tag for each wanted one, by the same key. */
export async function nameAlarms<K>(
  tx: Tx,
  wanted: ReadonlyMap<K, { readonly path: string | undefined; readonly place: Location }>,
): Promise<ReadonlyMap<K, NewTag>> {
  const ids = await tx.nextIds('alarms', wanted.size);
  const candidates = [...wanted].map(([key, { path, place }], index) => {
    const id = ids[index] ?? 0;
    return { key, id, isGiven: path !== undefined, path: path ?? `alarm/${id}`, place };
  });
  const taken = await takenNames(
    tx,
    candidates.flatMap(({ path, place, id }) => namesFor(path, place, id)),
  );
  const given = new TagMap<true>();
  for (const { isGiven, path, place } of candidates) if (isGiven) given.set(place.dataServerId, path, true);
  const named = new Map<K, NewTag>();
  for (const { key, id, isGiven, place, ...candidate } of candidates) {
    const path = isGiven ? candidate.path : await freePath(tx, place, id, given);
    const name = await freeName(tx, namesFor(path, place, id), taken);
    taken.add(name);
    named.set(key, { id, path, name });
  }
  return named;
}

function namesFor(path: string, { dataServerName }: Location, id: number): readonly string[] {
  return [path, ...fullNames(path, dataServerName, id)];
}

function fullNames(path: string, dataServerName: string, id: number): readonly string[] {
  return [`${dataServerName}\\${path}`, `${dataServerName}\\${path} #${id}`];
}

/** A data server has another name: so have those of its alarms that are named by their full path. What was keeps its name. */
export async function renameAlarms(tx: Tx, now: Instant, server: { id: number; name: string }): Promise<void> {
  const unit = new AlarmUnitOfWork(tx);
  await unit.load((await tx.all(selectNamedInFull, { dataServerId: server.id })).map(({ id }) => id));
  const candidates = unit.all().map((entry) => {
    return { entry, names: fullNames(entry.alarm.path, server.name, entry.alarm.id) };
  });
  const taken = await takenNames(
    tx,
    candidates.flatMap(({ names }) => names),
  );
  for (const { entry, names } of candidates) {
    const name = await freeName(tx, names, taken);
    taken.add(name);
    unit.history.endText(entry.alarm);
    const life = { ...entry.alarm.life, lastChange: Math.max(entry.alarm.life.lastChange, now) };
    entry.alarm = { ...entry.alarm, name, textId: undefined, life };
  }
  await unit.write();
}

const selectNamedInFull = statement((db, args: { dataServerId: number }) =>
  db
    .selectFrom('alarms')
    .select('id')
    .where('data_server_id', '=', args.dataServerId)
    .whereRef('name', '<>', 'path')
    .orderBy('id'),
);

/** Somebody may use what needs an id already, and the alarm still comes in. */
async function freePath(tx: Tx, { dataServerId }: Location, id: number, given: TagMap<true>): Promise<string> {
  const isTaken = async (path: string): Promise<boolean> =>
    given.get(dataServerId, path) === true || (await findRecordsByTag(tx, [[dataServerId, path]])).length > 0;
  let path = `alarm/${id}`;
  for (let n = 2; await isTaken(path); n++) path = `alarm/${id}-${n}`;
  return path;
}

async function freeName(tx: Tx, names: readonly string[], taken: ReadonlySet<string>): Promise<string> {
  const free = names.find((name) => !taken.has(name));
  if (free !== undefined) return free;
  const numbered = names.at(-1) ?? '';
  let name = `${numbered}-2`;
  for (let n = 3; (await takenNames(tx, [name])).size > 0; n++) name = `${numbered}-${n}`;
  return name;
}

async function takenNames(tx: Tx, names: readonly string[]): Promise<Set<string>> {
  return new Set((await tx.all(selectNames, { names: JSON.stringify(names) })).map(({ name }) => name));
}

const selectNames = sqlStatement<{ names: string }, { name: string }>(
  (args, kind) => sql`select alarms.name from ${textRows(args.names, kind)} join alarms on ${sameName(kind)}`,
);

/** PostgreSQL has an index on the md5 of a name alone. */
function sameName(kind: DatabaseKind) {
  return kind === 'sqlite'
    ? sql`alarms.name = list.value`
    : sql`md5(alarms.name) = md5(list.value) and alarms.name = list.value`;
}
