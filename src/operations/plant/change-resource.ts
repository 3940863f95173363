// Creates, renames and removes stations, data servers and tag groups.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import {
  builtInServerName,
  defaultStationId,
  type PlantEntry,
  type PlantKind,
  plantKinds,
} from '../../domain/plant/entities.ts';
import { searchableText } from '../../domain/search.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, Tx } from '../../store/store.ts';
import { renameAlarms } from '../alarms/naming.ts';
import { refuseFields, refuseReferredTo, unprocessable } from '../people/refusals.ts';
import { fieldReferences, missingAmong } from '../people/resource-hooks.ts';
import { attachScenarios, loadScenarios } from '../people/scenario-rows.ts';
import { incrementPeopleVersion } from '../people/version.ts';
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
    await refuseMissingScenarios(tx, caller, kind === 'station' ? undefined : stationId, scenarioIds);
    const id =
      kind === 'station' ? await insertStation(tx, now, name) : await insertInto(tx, now, kind, name, stationId);
    await attach(tx, kind, id, scenarioIds);
    const ownStation = kind === 'station' ? id : stationId;
    await appendEvent(tx, now, {
      kind: `${kind}.created`,
      actor: caller.actor,
      stationId: ownStation,
      subjectId: id,
      data: { name },
    });
    return id;
  },
};

type ReplacedEntry = NewEntry & { readonly id: number };

/** Returns the changed entry. */
export const replacePlantEntry: Operation<ReplacedEntry, PlantEntry> = {
  name: 'replace-plant-entry',
  async run(tx, now, { kind, caller, id, name, stationId, scenarioIds }) {
    const entry = await existing(tx, kind, id, caller);
    if (plantKinds[kind].inStation && stationId !== entry.stationId) {
      throw unprocessable(
        'stationId',
        `cannot be changed: this ${plantKinds[kind].noun} belongs to station ${entry.stationId}`,
      );
    }
    if (entry.builtIn && name !== entry.name) {
      throw unprocessable(
        'name',
        'cannot be changed: this data server is built in and takes the alarms that name none',
      );
    }
    if (name !== entry.name) await refuseTakenName(tx, kind, name, entry.stationId, caller);
    await refuseMissingScenarios(tx, caller, entry.stationId, scenarioIds, entry.scenarioIds);
    await attach(tx, kind, id, scenarioIds);
    await tx.run(plantStatements[kind].rename, { id, name, words: searchableText(name), now });
    if (kind === 'dataServer' && name !== entry.name) await renameAlarms(tx, now, { id, name });
    await appendEvent(tx, now, {
      kind: `${kind}.changed`,
      actor: caller.actor,
      stationId: entry.stationId,
      subjectId: id,
      data: { name },
    });
    return (await findEntry(tx, kind, id, caller)) ?? entry;
  },
};

export const removePlantEntry: Operation<{ kind: PlantKind; caller: Caller; id: number }, void> = {
  name: 'remove-plant-entry',
  async run(tx, now, { kind, caller, id }) {
    const entry = await existing(tx, kind, id, caller);
    await refuseWhileReferredTo(tx, kind, entry, caller);
    if (kind === 'station') await tx.run(removeBuiltInServer, { stationId: id });
    await tx.run(plantStatements[kind].remove, { id });
    await appendEvent(tx, now, {
      kind: `${kind}.removed`,
      actor: caller.actor,
      stationId: entry.stationId,
      subjectId: id,
      data: { name: entry.name },
    });
  },
};

const insertStationRow = statement<{ name: string; words: string; now: number }, { id: number }>((db, args) =>
  db.insertInto('stations').values({ name: args.name, words: args.words, last_change: args.now }).returning('id'),
);

type InStation = { name: string; words: string; stationId: number; now: number };

const insertDataServer = statement<InStation & { builtIn: number }, { id: number }>((db, args) =>
  db
    .insertInto('data_servers')
    .values({
      name: args.name,
      words: args.words,
      station_id: args.stationId,
      built_in: args.builtIn as 0 | 1,
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

const removeBuiltInServer = statement<{ stationId: number }>((db, args) =>
  db.deleteFrom('data_servers').where('station_id', '=', args.stationId).where('built_in', '=', 1),
);

/** Inserts a station and its built-in data server for alarms that name none. */
export async function insertStation(tx: Tx, now: Instant, name: string): Promise<number> {
  const id = await tx.insert(insertStationRow, { name, words: searchableText(name), now });
  await tx.insert(insertDataServer, {
    name: builtInServerName,
    words: searchableText(builtInServerName),
    stationId: id,
    builtIn: 1,
    now,
  });
  return id;
}

async function insertInto(
  tx: Tx,
  now: Instant,
  kind: 'dataServer' | 'tagGroup',
  name: string,
  stationId: number,
): Promise<number> {
  const row = { name, words: searchableText(name), stationId, now };
  return kind === 'dataServer' ? tx.insert(insertDataServer, { ...row, builtIn: 0 }) : tx.insert(insertTagGroup, row);
}

async function refuseMissingScenarios(
  tx: Tx,
  caller: Caller,
  stationId: number | undefined,
  scenarioIds: readonly number[] = [],
  before: readonly number[] = [],
): Promise<void> {
  const named = fieldReferences('scenarioIds', scenarioIds);
  refuseFields(await missingAmong(tx, caller, 'scenario', named, before));
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
  await incrementPeopleVersion(tx);
}

async function existing(tx: Tx, kind: PlantKind, id: number, caller: Caller): Promise<PlantEntry> {
  const entry = await findEntry(tx, kind, id, caller);
  if (entry === undefined) throw new AppError('not-found', `There is no ${plantKinds[kind].noun} ${id}.`);
  return entry;
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
