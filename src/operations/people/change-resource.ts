// Creates, replaces and removes the resources that decide who is called: users, teams, call groups, groupings,
// schedules, scenarios.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import {
  type PeopleEntries,
  type PeopleFields,
  type PeopleKind,
  peopleKinds,
  type Stored,
} from '../../domain/people/entities.ts';
import { defaultStationId } from '../../domain/plant/entities.ts';
import { fold, searchableText } from '../../domain/search.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import type { Instant, Operation, ReadTx, Tx } from '../../store/store.ts';
import { appendAudit, changeOf } from '../audit/append.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { isLastResortStaffed, refuseEmptyLastResort } from '../configuration/last-resort-guard.ts';
import { type IfMatch, refuseOtherVersion } from '../entity-tag.ts';
import { keyed } from '../keyed-operation.ts';
import { plantStatements } from '../plant/queries.ts';
import { callGroupHooks, groupingHooks } from './call-groups.ts';
import { findPeopleEntry, loadPeopleEntry, peopleStatements } from './queries.ts';
import { refuseReferredTo, unprocessable } from './refusals.ts';
import type { Change, ResourceHooks } from './resource-hooks.ts';
import { scenarioHooks } from './scenarios.ts';
import { scheduleHooks } from './schedules.ts';
import { teamHooks } from './teams.ts';
import { userHooks } from './users.ts';
import { incrementPeopleVersion } from './version.ts';

const hooks: { readonly [K in PeopleKind]: ResourceHooks<K> } = {
  user: userHooks,
  team: teamHooks,
  callGroup: callGroupHooks,
  grouping: groupingHooks,
  schedule: scheduleHooks,
  scenario: scenarioHooks,
};

export type NewPeopleEntry<K extends PeopleKind = PeopleKind> = {
  [P in K]: { readonly kind: P; readonly caller: Caller; readonly fields: PeopleFields[P] };
}[K];

export const createPeopleEntry: Operation<NewPeopleEntry, number> = {
  name: 'create-calling',
  run: (tx, now, input) => create(tx, now, input),
};

export const createPeopleEntryOnce = keyed(createPeopleEntry);

async function create<K extends PeopleKind>(
  tx: Tx,
  now: Instant,
  { kind, caller, fields }: NewPeopleEntry<K>,
): Promise<number> {
  const stationId = await stationIdFor(tx, kind, caller, fields);
  const change: Change<K> = { caller, fields, stationId, before: undefined };
  await refuseTakenName(tx, kind, change);
  await hooks[kind].check(tx, change);
  const id = await hooks[kind].insert(tx, now, searchableText(...hooks[kind].searchedBy(fields)), change);
  const after = await loadPeopleEntry(tx, kind, id);
  await recordChange(tx, now, 'created', { kind, id, caller, stationId, name: fields.name, after, fields });
  return id;
}

type ReplacedPeopleEntry<K extends PeopleKind = PeopleKind> = {
  [P in K]: NewPeopleEntry<P> & { readonly id: number; readonly ifMatch?: IfMatch };
}[K];

/** Returns the resource as stored. */
export const replacePeopleEntry: Operation<ReplacedPeopleEntry, Stored<PeopleEntries[PeopleKind]>> = {
  name: 'replace-calling',
  run: (tx, now, input) => replace(tx, now, input),
};

async function replace<K extends PeopleKind>(
  tx: Tx,
  now: Instant,
  { kind, caller, id, fields, ifMatch }: ReplacedPeopleEntry<K>,
): Promise<Stored<PeopleEntries[K]>> {
  const before = await existing(tx, kind, id, caller);
  refuseOtherVersion(before, ifMatch);
  const wasStaffed = await isLastResortStaffed(tx);
  const stationId = await stationIdFor(tx, kind, caller, fields, before);
  const change: Change<K> = { caller, fields, stationId, before };
  await refuseTakenName(tx, kind, change);
  await hooks[kind].check(tx, change);
  await rewriteEntry(tx, now, kind, id, change);
  await refuseEmptyLastResort(tx, wasStaffed);
  return existing(tx, kind, id, caller);
}

/** Writes a change that was checked, and records it. */
export async function rewriteEntry<K extends PeopleKind>(
  tx: Tx,
  now: Instant,
  kind: K,
  id: number,
  change: Change<K>,
): Promise<void> {
  // Cached as it is before the change: read between the write and its version, it would be cached under the old version.
  await readCallConfiguration(tx);
  const { caller, fields, stationId, before } = change;
  const words = searchableText(...hooks[kind].searchedBy(fields));
  await tx.run(peopleStatements[kind].rename, { id, name: fields.name, words, now });
  await hooks[kind].update(tx, now, id, change);
  const after = await loadPeopleEntry(tx, kind, id);
  await recordChange(tx, now, 'changed', { kind, id, caller, stationId, name: fields.name, before, after, fields });
}

type RemovedPeopleEntry<K extends PeopleKind = PeopleKind> = {
  readonly kind: K;
  readonly caller: Caller;
  readonly id: number;
  readonly ifMatch?: IfMatch;
};

export const removePeopleEntry: Operation<RemovedPeopleEntry, void> = {
  name: 'remove-calling',
  run: (tx, now, input) => remove(tx, now, input),
};

async function remove<K extends PeopleKind>(
  tx: Tx,
  now: Instant,
  { kind, caller, id, ifMatch }: RemovedPeopleEntry<K>,
): Promise<void> {
  const before = await existing(tx, kind, id, caller);
  refuseOtherVersion(before, ifMatch);
  refuseShared(kind, caller, before);
  const wasStaffed = await isLastResortStaffed(tx);
  await hooks[kind].checkRemoval?.(tx, before, now);
  await refuseReferredTo(tx, kind, id, caller);
  await tx.run(peopleStatements[kind].remove, { id });
  await recordChange(tx, now, 'removed', { kind, id, caller, stationId: stationOf(before), name: before.name, before });
  await refuseEmptyLastResort(tx, wasStaffed);
}

type RecordedChange = {
  readonly kind: PeopleKind;
  readonly id: number;
  readonly caller: Caller;
  readonly stationId: number | undefined;
  readonly name: string;
  readonly before?: PeopleEntries[PeopleKind] | undefined;
  readonly after?: PeopleEntries[PeopleKind] | undefined;
  /** The fields as sent, which show whether secrets were set. */
  readonly fields?: PeopleFields[PeopleKind];
};

/** Records a change: increments the version that caches check, and appends an event and an audit entry. */
async function recordChange(
  tx: Tx,
  now: Instant,
  verb: 'created' | 'changed' | 'removed',
  { kind, id, caller, stationId, name, before, after, fields }: RecordedChange,
): Promise<void> {
  await incrementPeopleVersion(tx, kind, id);
  const event = { kind: `${kind}.${verb}`, actor: caller.actor, subjectId: id, data: { name } };
  await appendEvent(tx, now, stationId === undefined ? event : { ...event, stationId });
  const values = before !== undefined && after !== undefined ? changeOf(before, after) : { before, after };
  await appendAudit(tx, now, {
    kind: `${kind}.${verb}`,
    origin: caller,
    stationId,
    subject: `${kind}:${id}`,
    before: values.before,
    after: values.after && { ...values.after, ...secretsSet(fields) },
  });
}

/** Says which secrets of a user were set, without their values. */
function secretsSet(fields: PeopleFields[PeopleKind] | undefined): { passwordSet?: true; pinSet?: boolean } {
  if (fields === undefined || !('pinHash' in fields)) return {};
  const { passwordHash, pinHash } = fields;
  return {
    ...(passwordHash === undefined ? {} : { passwordSet: true }),
    ...(pinHash === undefined ? {} : { pinSet: pinHash !== null }),
  };
}

async function existing<K extends PeopleKind>(
  tx: ReadTx,
  kind: K,
  id: number,
  caller: Caller,
): Promise<Stored<PeopleEntries[K]>> {
  const found = await findPeopleEntry(tx, kind, id, caller);
  if (found === undefined) throw new AppError('not-found', `There is no ${peopleKinds[kind].noun} ${id}.`);
  return found;
}

type AnyResource = PeopleFields[PeopleKind] | PeopleEntries[PeopleKind];

function stationOf(object: AnyResource): number | undefined {
  return 'stationId' in object ? object.stationId : undefined;
}

/** Returns the station the resource will belong to; undefined if it belongs to all. */
async function stationIdFor(
  tx: ReadTx,
  kind: PeopleKind,
  caller: Caller,
  fields: PeopleFields[PeopleKind],
  before?: PeopleEntries[PeopleKind],
): Promise<number | undefined> {
  refuseShared(kind, caller, before ?? fields);
  const [given, former] = [stationOf(fields), before && stationOf(before)];
  if (peopleKinds[kind].stationBinding === 'shared') return undefined;
  if (peopleKinds[kind].stationBinding === 'some') {
    refuseShared(kind, caller, fields);
    if (given !== undefined && given !== former) await refuseUnknownStation(tx, caller, given);
    return given;
  }
  if (former !== undefined && given !== undefined && given !== former) {
    const { noun } = peopleKinds[kind];
    throw unprocessable('stationId', `cannot be changed: this ${noun} belongs to station ${former}`);
  }
  if (former !== undefined) return former;
  const [own = defaultStationId, ...others] = caller.stationIds;
  const stationId = given ?? (others.length === 0 ? own : defaultStationId);
  await refuseUnknownStation(tx, caller, stationId);
  return stationId;
}

/** Refuses changes of shared resources by callers bound to stations. */
function refuseShared(kind: PeopleKind, caller: Caller, object: AnyResource): void {
  const { noun, stationBinding } = peopleKinds[kind];
  const isShared = stationBinding === 'shared' || (stationBinding === 'some' && stationOf(object) === undefined);
  if (!isShared || caller.stationIds.length === 0) return;
  if (stationBinding === 'some') throw unprocessable('stationId', 'must be one of your stations');
  throw new AppError('unprocessable', `All stations share each ${noun}: a caller bound to some cannot change one.`);
}

async function refuseUnknownStation(tx: ReadTx, caller: Caller, id: number): Promise<void> {
  const isThere = seesStation(caller, id) && (await tx.one(plantStatements.station.byId, { id }));
  if (!isThere) throw unprocessable('stationId', `names station ${id}, which does not exist`);
}

async function refuseTakenName<K extends PeopleKind>(
  tx: ReadTx,
  kind: K,
  { fields, stationId, before }: Change<K>,
): Promise<void> {
  const name = kind === 'user' ? fold(fields.name) : fields.name;
  const taken = await tx.one(peopleStatements[kind].byName, { name, stationId: stationId ?? 0 });
  if (taken === undefined || taken.id === before?.id) return;
  throw new AppError('name-taken', `There is a ${peopleKinds[kind].noun} named "${fields.name}" already.`);
}
