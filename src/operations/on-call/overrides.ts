// Adds, changes and removes overrides of a schedule: exceptions by which duty is taken, given, locked or swapped.

import type { Caller } from '../../domain/access/access.ts';
import type { Override, Schedule, StoredOverride } from '../../domain/on-call/schedule.ts';
import { scheduleErrors } from '../../domain/on-call/schedule-errors.ts';
import { overridesOfSwap, type Swap } from '../../domain/on-call/swap.ts';
import { droppedFor, uncalledWarning } from '../../domain/on-call/taken-duty.ts';
import type { PeopleEntries, Stored } from '../../domain/people/entities.ts';
import { seenSchedule } from '../../domain/people/visibility.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import type { Instant, Operation, ReadTx, Tx } from '../../store/store.ts';
import { appendAudit, changeOf } from '../audit/append.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { type IfMatch, refuseOtherVersion } from '../entity-tag.ts';
import { keyed } from '../keyed-operation.ts';
import { visibleAmong } from '../people/queries.ts';
import { refuseFields, unprocessable } from '../people/refusals.ts';
import { missingAmong } from '../people/resource-hooks.ts';
import { loadSchedules } from '../people/schedule-rows.ts';
import { touchSchedule } from '../people/schedules.ts';
import { incrementPeopleVersion } from '../people/version.ts';
import { visibilityIn } from '../people/visible-entries.ts';
import { appendOverride, changeOverride, joinInSwap, removeOverrides } from './override-rows.ts';

type StoredSchedule = Stored<PeopleEntries['schedule']>;

/** `id` is that of the schedule. */
type OfSchedule = { readonly caller: Caller; readonly id: number };

/** The schedule as the caller sees it after the change, the ids of the overrides that are new, and what the caller should know. */
export type ChangedSchedule = {
  readonly schedule: StoredSchedule;
  readonly addedIds: readonly number[];
  /** Absent in an outcome that an earlier version stored. */
  readonly warnings?: readonly string[];
};

export const addOverride: Operation<OfSchedule & { readonly override: Override }, ChangedSchedule> = {
  name: 'add-override',
  run: async (tx, now, { caller, id, override }) =>
    addTo(tx, now, { caller, schedule: await changeable(tx, caller, id), overrides: [override] }),
};

export const addOverrideOnce = keyed(addOverride);

/** Adds the overrides of a swap, which share an id by which they can be removed together. */
export const swapDuty: Operation<OfSchedule & { readonly swap: Swap }, ChangedSchedule> = {
  name: 'swap-duty',
  async run(tx, now, { caller, id, swap }) {
    const schedule = await changeable(tx, caller, id);
    const overrides = overridesOfSwap(schedule, swap);
    if ('message' in overrides) throw unprocessable(overrides.field, overrides.message);
    return addTo(tx, now, { caller, schedule, overrides, isSwap: true });
  },
};

export const swapDutyOnce = keyed(swapDuty);

type Replaced = OfSchedule & { readonly overrideId: number; readonly override: Override; readonly ifMatch: IfMatch };

/** Returns the changed override. */
export const replaceOverride: Operation<Replaced, StoredOverride> = {
  name: 'replace-override',
  async run(tx, now, { caller, id, overrideId, override, ifMatch }) {
    const schedule = await changeable(tx, caller, id);
    refuseOtherVersion(await seenOverride(tx, caller, schedule, overrideId), ifMatch);
    await refuseInvalid(tx, caller, schedule, override);
    await changeOverride(tx, overrideId, override);
    const after = await recordChange(tx, now, caller, schedule);
    return seenOverride(tx, caller, after, overrideId);
  },
};

type Removed = OfSchedule & { readonly overrideId: number; readonly ifMatch: IfMatch };

export const removeOverride: Operation<Removed, void> = {
  name: 'remove-override',
  async run(tx, now, { caller, id, overrideId, ifMatch }) {
    const schedule = await changeable(tx, caller, id);
    refuseOtherVersion(await seenOverride(tx, caller, schedule, overrideId), ifMatch);
    await removeOverrides(
      tx,
      schedule.overrides.filter((override) => override.id === overrideId),
    );
    await recordChange(tx, now, caller, schedule);
  },
};

/** Removes all overrides of a swap. */
export const undoSwap: Operation<OfSchedule & { readonly swapId: number }, void> = {
  name: 'undo-swap',
  async run(tx, now, { caller, id, swapId }) {
    const schedule = await changeable(tx, caller, id);
    const swapped = schedule.overrides.filter((override) => override.swapId === swapId);
    if (swapped.length === 0) throw new AppError('not-found', `Schedule ${id} has no swap ${swapId}.`);
    await removeOverrides(tx, swapped);
    await recordChange(tx, now, caller, schedule);
  },
};

type Added = {
  readonly caller: Caller;
  readonly schedule: StoredSchedule;
  readonly overrides: readonly Override[];
  readonly isSwap?: true;
};

async function addTo(tx: Tx, now: Instant, { caller, schedule, overrides, isSwap }: Added): Promise<ChangedSchedule> {
  for (const override of overrides) await refuseInvalid(tx, caller, schedule, override);
  const dropped = droppedFor(schedule, overrides, now);
  await removeOverrides(
    tx,
    dropped.map(({ override }) => override),
  );
  const addedIds: number[] = [];
  for (const override of overrides) addedIds.push(await appendOverride(tx, schedule.id, override));
  if (isSwap) await joinInSwap(tx, addedIds);
  const after = await recordChange(tx, now, caller, schedule);
  const { people } = (await readCallConfiguration(tx)).snapshot;
  const warnings = [
    ...overrides.flatMap(({ userId }) => uncalledWarning(people.get(userId ?? 0)) ?? []),
    ...dropped
      .filter(({ isOver }) => !isOver)
      .map(({ override: { from, to } }) => `overrides: the one from ${from} to ${to} was dropped to make room`),
  ];
  return { schedule: seenSchedule(after, await visibilityIn(tx, caller)), addedIds, warnings };
}

/** Returns the schedule as stored; throws if the caller must not change its overrides. */
async function changeable(tx: ReadTx, caller: Caller, id: number): Promise<StoredSchedule> {
  const [schedule] = await loadSchedules(tx, [id]);
  if (schedule === undefined || !(await usesSchedule(tx, caller, id))) {
    throw new AppError('not-found', `There is no schedule ${id}.`);
  }
  await refuseForeignDuty(tx, caller, id);
  return schedule;
}

async function seenOverride(
  tx: ReadTx,
  caller: Caller,
  schedule: StoredSchedule,
  overrideId: number,
): Promise<StoredOverride> {
  const seen = seenSchedule(schedule, await visibilityIn(tx, caller));
  const override = seen.overrides.find(({ id }) => id === overrideId);
  if (override !== undefined) return override;
  throw new AppError('not-found', `Schedule ${schedule.id} has no override ${overrideId}.`);
}

/** Returns the schedule as it is now stored. */
async function recordChange(tx: Tx, now: Instant, caller: Caller, before: StoredSchedule): Promise<StoredSchedule> {
  const { id, name } = before;
  await tx.run(touchSchedule, { id, now });
  await incrementPeopleVersion(tx, 'schedule', id);
  const [after = before] = await loadSchedules(tx, [id]);
  await appendEvent(tx, now, { kind: 'schedule.changed', actor: caller.actor, subjectId: id, data: { name } });
  const change = changeOf(before, after);
  await appendAudit(tx, now, { kind: 'schedule.changed', origin: caller, subject: `schedule:${id}`, ...change });
  return after;
}

/** Validates only the override and reports errors under the field names of the request. */
async function refuseInvalid(tx: ReadTx, caller: Caller, schedule: Schedule, override: Override): Promise<void> {
  const [error] = scheduleErrors({ ...schedule, weekly: [], rotations: [], overrides: [override] });
  if (error !== undefined) {
    const field = error.field.replace(/^overrides\[0\]\.?/, '') || 'teamId';
    throw new AppError('unprocessable', `${field}: ${error.message}`, { errors: [{ ...error, field }] });
  }
  refuseFields([
    ...(await missingAmong(tx, caller, 'team', [{ field: 'teamId', id: override.teamId }])),
    ...(await missingAmong(tx, caller, 'user', [{ field: 'userId', id: override.userId }])),
  ]);
}

/** Schedules are shared by all stations; a caller bound to stations may override those used by a group it sees. */
async function usesSchedule(tx: ReadTx, caller: Caller, id: number): Promise<boolean> {
  if (caller.stationIds.length === 0) return true;
  const groups = await tx.all(selectGroupsBy, { id });
  const ids = groups.map((group) => group.id);
  return (await visibleAmong(tx, 'callGroup', ids, caller)).length > 0;
}

/** Refuses to override the duty of other stations together with one's own. */
async function refuseForeignDuty(tx: ReadTx, caller: Caller, id: number): Promise<void> {
  const visibility = await visibilityIn(tx, caller);
  const groups = await tx.all(selectGroupsBy, { id });
  const people = await tx.all(selectPeopleBy, { id });
  const isForeign =
    groups.some((group) => !visibility.seesGroup(group.id)) ||
    people.some((row) => !visibility.seesPerson(row.user_id));
  if (isForeign) throw new AppError('unprocessable', 'Other stations use this schedule as well: ask an administrator.');
}

const selectPeopleBy = statement((db, args: { id: number }) =>
  db.selectFrom('user_numbers').select('user_id').distinct().where('schedule_id', '=', args.id),
);

const selectGroupsBy = statement((db, args: { id: number }) =>
  db.selectFrom('call_groups').select('id').where('schedule_id', '=', args.id),
);
