// Creates, renames and removes stations, data servers and tag groups.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import {
  builtInServerName,
  defaultStationId,
  defaultStationName,
  type PlantEntry,
  type PlantKind,
  plantKinds,
  systemServerName,
} from '../../domain/plant/entities.ts';
import { searchableText } from '../../domain/search.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { renameAlarms } from '../alarms/rename.ts';
import { appendAudit, changeOf } from '../audit/append.ts';
import { type IfMatch, refuseOtherVersion } from '../entity-tag.ts';
import { keyed } from '../keyed-operation.ts';
import { refuseFields, refuseReferredTo, unprocessable } from '../people/refusals.ts';
import { fieldReferences, missingAmong } from '../people/resource-hooks.ts';
import { attachScenarios, loadScenarios } from '../people/scenario-rows.ts';
import { forbiddenScenarios } from '../people/scenarios.ts';
import { incrementPeopleVersion } from '../people/version.ts';
import { addPendingMove } from './pending-move-rows.ts';
import { findEntry, plantStatements } from './queries.ts';

type NewEntry = {
  readonly kind: PlantKind;
  readonly caller: Caller;
  readonly name: string;
  /** Ignored for a station, which is its own station. */
  readonly stationId: number;
  /** Replaces the attached scenarios; undefined leaves them unchanged. A data server has none. */
  readonly scenarioIds?: readonly number[] | undefined;
};

export const createPlantEntry: Operation<NewEntry, number> = {
  name: 'create-plant-entry',
  async run(tx, now, { kind, caller, name, stationId, scenarioIds }) {
    if (plantKinds[kind].inStation) await refuseUnknownStation(tx, caller, stationId);
    else if (caller.stationIds.length > 0) {
      throw new AppError('unprocessable', 'A caller bound to stations cannot make another station.');
    }
    await refuseTakenName(tx, kind, name, stationId, caller);
    await refuseScenarios(tx, caller, kind === 'station' ? undefined : stationId, scenarioIds);
    const id =
      kind === 'station' ? await insertStation(tx, now, name) : await insertInto(tx, now, kind, name, stationId);
    await attach(tx, kind, id, scenarioIds);
    const ownStation = kind === 'station' ? id : stationId;
    const after = await findEntry(tx, kind, id, { stationIds: [] });
    await recordChange(tx, now, 'created', { kind, id, caller, stationId: ownStation, name, after });
    return id;
  },
};

export const createPlantEntryOnce = keyed(createPlantEntry);

type ReplacedEntry = NewEntry & { readonly id: number; readonly ifMatch?: IfMatch };

/** Returns the changed entry. */
export const replacePlantEntry: Operation<ReplacedEntry, PlantEntry> = {
  name: 'replace-plant-entry',
  async run(tx, now, { kind, caller, id, name, stationId, scenarioIds, ifMatch }) {
    const entry = await existing(tx, kind, id, caller);
    refuseOtherVersion(entry, ifMatch);
    if (plantKinds[kind].inStation && stationId !== entry.stationId) {
      throw unprocessable(
        'stationId',
        `cannot be changed: this ${plantKinds[kind].noun} belongs to station ${entry.stationId}`,
      );
    }
    if (entry.builtIn && name !== entry.name) {
      throw unprocessable(
        'name',
        `cannot be changed: this data server is built in and takes the alarms ${entry.isSystem ? 'of Tocsin itself' : 'that name none'}`,
      );
    }
    if (name !== entry.name) await refuseTakenName(tx, kind, name, entry.stationId, caller);
    await refuseScenarios(tx, caller, entry.stationId, scenarioIds, entry.scenarioIds);
    await attach(tx, kind, id, scenarioIds);
    await tx.run(plantStatements[kind].rename, { id, name, words: searchableText(name), now });
    if (kind === 'dataServer' && name !== entry.name) await renameTags(tx, now, { id, name }, caller);
    const after = (await findEntry(tx, kind, id, caller)) ?? entry;
    await recordChange(tx, now, 'changed', {
      kind,
      id,
      caller,
      stationId: entry.stationId,
      name,
      before: entry,
      after,
    });
    return after;
  },
};

type RemovedEntry = {
  readonly kind: PlantKind;
  readonly caller: Caller;
  readonly id: number;
  readonly ifMatch?: IfMatch;
};

export const removePlantEntry: Operation<RemovedEntry, void> = {
  name: 'remove-plant-entry',
  async run(tx, now, { kind, caller, id, ifMatch }) {
    const entry = await existing(tx, kind, id, caller);
    refuseOtherVersion(entry, ifMatch);
    await refuseWhileReferredTo(tx, kind, entry, caller);
    if (kind === 'station') await tx.run(removeBuiltInServers, { stationId: id });
    if (kind === 'dataServer') await tx.run(forgetMoves, { id });
    await tx.run(plantStatements[kind].remove, { id });
    const { stationId, name } = entry;
    await recordChange(tx, now, 'removed', { kind, id, caller, stationId, name, before: entry });
  },
};

type RecordedChange = {
  readonly kind: PlantKind;
  readonly id: number;
  readonly caller: Caller;
  readonly stationId: number;
  readonly name: string;
  readonly before?: PlantEntry | undefined;
  readonly after?: PlantEntry | undefined;
};

/** Appends an event and an audit entry. */
async function recordChange(
  tx: Tx,
  now: Instant,
  verb: 'created' | 'changed' | 'removed',
  { kind, id, caller, stationId, name, before, after }: RecordedChange,
): Promise<void> {
  const change = `${kind}.${verb}` as const;
  await appendEvent(tx, now, { kind: change, actor: caller.actor, stationId, subjectId: id, data: { name } });
  const values = before !== undefined && after !== undefined ? changeOf(before, after) : { before, after };
  await appendAudit(tx, now, { kind: change, origin: caller, stationId, subject: `${kind}:${id}`, ...values });
}

const insertStationRow = statement<{ name: string; words: string; now: number }, { id: number }>((db, args) =>
  db.insertInto('stations').values({ name: args.name, words: args.words, last_change: args.now }).returning('id'),
);

type InStation = { name: string; words: string; stationId: number; now: number };

const insertDataServer = statement<InStation & { builtIn: number; isSystem: number }, { id: number }>((db, args) =>
  db
    .insertInto('data_servers')
    .values({
      name: args.name,
      words: args.words,
      station_id: args.stationId,
      built_in: args.builtIn as 0 | 1,
      is_system: args.isSystem as 0 | 1,
      placeholder_actor: null,
      placeholder_number: null,
      moved_to: null,
      last_change: args.now,
    })
    .returning('id'),
);

const insertTagGroup = statement<InStation, { id: number }>((db, args) =>
  db
    .insertInto('tag_groups')
    .values({ name: args.name, words: args.words, station_id: args.stationId, last_change: args.now })
    .returning('id'),
);

/** The number of a placeholder means the placeholder again when the data server it was moved to is removed. */
const forgetMoves = statement<{ id: number }>((db, args) =>
  db.updateTable('data_servers').set({ moved_to: null }).where('moved_to', '=', args.id),
);

const removeBuiltInServers = statement<{ stationId: number }>((db, args) =>
  db.deleteFrom('data_servers').where('station_id', '=', args.stationId).where('built_in', '=', 1),
);

const renumberStation = statement<{ id: number; newId: number }>((db, args) =>
  db.updateTable('stations').set({ id: args.newId }).where('id', '=', args.id),
);

/** Inserts a station and its built-in data servers. */
async function insertStation(tx: Tx, now: Instant, name: string): Promise<number> {
  const id = await tx.insert(insertStationRow, { name, words: searchableText(name), now });
  await insertBuiltInServers(tx, now, id);
  return id;
}

/**
 * Inserts station 1 into an empty store. The database may assign a higher id first: a PostgreSQL sequence keeps the id
 * that a first start took before it was killed, and a restore raises the ids.
 */
export async function insertDefaultStation(tx: Tx, now: Instant): Promise<void> {
  const row = { name: defaultStationName, words: searchableText(defaultStationName), now };
  const id = await tx.insert(insertStationRow, row);
  if (id !== defaultStationId) await tx.run(renumberStation, { id, newId: defaultStationId });
  await insertBuiltInServers(tx, now, defaultStationId);
}

const selectBuiltIn = statement((db, args: { stationId: number }) =>
  db.selectFrom('data_servers').select('name').where('station_id', '=', args.stationId).where('built_in', '=', 1),
);

/** One for the alarms that name no data server, and one for those of Tocsin itself. */
export async function insertBuiltInServers(tx: Tx, now: Instant, stationId: number): Promise<void> {
  const present = await tx.all(selectBuiltIn, { stationId });
  for (const name of [builtInServerName, systemServerName]) {
    if (present.some((server) => server.name === name)) continue;
    const isSystem = name === systemServerName ? 1 : 0;
    await tx.insert(insertDataServer, { name, words: searchableText(name), stationId, builtIn: 1, isSystem, now });
  }
}

async function insertInto(
  tx: Tx,
  now: Instant,
  kind: 'dataServer' | 'tagGroup',
  name: string,
  stationId: number,
): Promise<number> {
  const row = { name, words: searchableText(name), stationId, now };
  return kind === 'dataServer'
    ? tx.insert(insertDataServer, { ...row, builtIn: 0, isSystem: 0 })
    : tx.insert(insertTagGroup, row);
}

async function refuseScenarios(
  tx: Tx,
  caller: Caller,
  stationId: number | undefined,
  scenarioIds: readonly number[] = [],
  before: readonly number[] = [],
): Promise<void> {
  const named = fieldReferences('scenarioIds', scenarioIds);
  refuseFields(await missingAmong(tx, caller, 'scenario', named, before));
  refuseFields(await forbiddenScenarios(tx, caller, named, before));
  const foreign = (await loadScenarios(tx, scenarioIds)).filter((one) => (one.stationId ?? stationId) !== stationId);
  const message = (id: number): string => `names scenario ${id}, which is for another station`;
  refuseFields(
    named
      .filter(({ id }) => foreign.some((scenario) => scenario.id === id))
      .map(({ field, id = 0 }) => ({ field, message: message(id) })),
  );
}

async function attach(tx: Tx, kind: PlantKind, id: number, scenarioIds?: readonly number[]): Promise<void> {
  if (kind === 'dataServer' || scenarioIds === undefined) return;
  await attachScenarios(tx, kind, id, scenarioIds);
  await incrementPeopleVersion(tx, 'scenario', 0);
}

async function existing(tx: Tx, kind: PlantKind, id: number, caller: Caller): Promise<PlantEntry> {
  const entry = await findEntry(tx, kind, id, caller);
  if (entry === undefined) throw new AppError('not-found', `There is no ${plantKinds[kind].noun} ${id}.`);
  return entry;
}

/** Gives the tags the new name of their data server: some at once, the others in pieces that follow. */
async function renameTags(
  tx: Tx,
  now: Instant,
  server: { id: number; name: string },
  { actor }: Caller,
): Promise<void> {
  const afterId = await renameAlarms(tx, now, server, { by: { actor }, afterId: 0 });
  if (afterId !== undefined) await addPendingMove(tx, { dataServerId: server.id, movedTo: undefined, afterId, actor });
}

async function refuseUnknownStation(tx: Tx, caller: Caller, stationId: number): Promise<void> {
  const isThere = seesStation(caller, stationId) && (await tx.one(plantStatements.station.byId, { id: stationId }));
  if (!isThere) throw unprocessable('stationId', `names station ${stationId}, which does not exist`);
}

async function refuseTakenName(
  tx: Tx,
  kind: PlantKind,
  name: string,
  stationId: number,
  caller: Caller,
): Promise<void> {
  const taken = await tx.one(plantStatements[kind].byName, { name, stationId });
  if (taken === undefined) return;
  const isSeen = kind !== 'station' || seesStation(caller, taken.id);
  const sentence = `There is a ${plantKinds[kind].noun} named "${name}" already`;
  throw new AppError('name-taken', isSeen ? `${sentence}; it has the id ${taken.id}.` : `${sentence}.`);
}

async function refuseWhileReferredTo(tx: Tx, kind: PlantKind, entry: PlantEntry, caller: Caller): Promise<void> {
  if (entry.builtIn) throw new AppError('still-referred-to', 'A built-in data server goes only with its station.');
  if (kind === 'station' && entry.id === defaultStationId) {
    throw new AppError('still-referred-to', 'Station 1 takes the alarms that name no station, and stays.');
  }
  await refuseReferredTo(tx, kind, entry.id, caller);
}
