// Writes schedules, and the overrides by which duty is taken or swapped in one request.

import type { Caller } from '../../domain/access/access.ts';
import { maxOverrides, type Override, type Schedule } from '../../domain/on-call/schedule.ts';
import { scheduleErrors } from '../../domain/on-call/schedule-errors.ts';
import type { PeopleFields, Stored } from '../../domain/people/entities.ts';
import { seenSchedule } from '../../domain/people/visibility.ts';
import { AppError } from '../../errors.ts';
import { appendEvent } from '../../store/event-log.ts';
import { statement } from '../../store/statement.ts';
import type { Operation, ReadTx } from '../../store/store.ts';
import { appendAudit, changeOf } from '../audit/append.ts';
import { keyed } from '../keyed-operation.ts';
import { visibleAmong } from './queries.ts';
import { refuseFields } from './refusals.ts';
import { type FieldReference, fieldReferences, missingAmong, type ResourceHooks } from './resource-hooks.ts';
import { definitionOf, loadSchedules } from './schedule-rows.ts';
import { incrementPeopleVersion } from './version.ts';
import { visibilityIn } from './visible-entries.ts';

export const scheduleHooks: ResourceHooks<'schedule'> = {
  searchedBy: ({ name }) => [name],
  async check(tx, { caller, fields }) {
    refuseFields([
      ...(await missingAmong(tx, caller, 'team', teamsNamed(fields))),
      ...(await missingAmong(tx, caller, 'user', usersNamed(fields))),
    ]);
  },
  insert: (tx, now, words, { fields }) =>
    tx.insert(insertSchedule, { name: fields.name, words, definition: definitionOf(fields), now }),
  async update(tx, _now, id, { fields, before }) {
    const { holidays } = fields;
    const isSameCalendar = holidays.icalUrl !== undefined && holidays.icalUrl === before?.holidays.icalUrl;
    const icalDates = isSameCalendar ? (before?.holidays.icalDates ?? []) : [];
    await tx.run(updateDefinition, {
      id,
      definition: definitionOf({ ...fields, holidays: { ...holidays, icalDates } }),
    });
  },
};

type Fields = PeopleFields['schedule'];

function teamsNamed({ weekly, rotations, overrides }: Fields): readonly FieldReference[] {
  return [
    ...weekly.map(({ teamId }, index) => ({ field: `weekly[${index}].teamId`, id: teamId })),
    ...rotations.flatMap(({ teamIds }, index) => fieldReferences(`rotations[${index}].teamIds`, teamIds)),
    ...overrides.map(({ teamId }, index) => ({ field: `overrides[${index}].teamId`, id: teamId })),
  ];
}

function usersNamed({ overrides }: Fields): readonly FieldReference[] {
  return overrides.map(({ userId }, index) => ({ field: `overrides[${index}].userId`, id: userId }));
}

type AddedOverride = { readonly caller: Caller; readonly id: number; readonly override: Override };

/** Appends an override to a schedule and returns the schedule as stored. */
export const addOverride: Operation<AddedOverride, Stored<Schedule>> = {
  name: 'add-override',
  async run(tx, now, { caller, id, override }) {
    const [before] = await loadSchedules(tx, [id]);
    if (before === undefined || !(await usesSchedule(tx, caller, id))) {
      throw new AppError('not-found', `There is no schedule ${id}.`);
    }
    await refuseForeignDuty(tx, caller, id);
    refuseInvalidOverride({ ...before, overrides: [override] });
    refuseFields([
      ...(await missingAmong(tx, caller, 'team', [{ field: 'teamId', id: override.teamId }])),
      ...(await missingAmong(tx, caller, 'user', [{ field: 'userId', id: override.userId }])),
    ]);
    // The oldest overrides are dropped at the limit, because this must succeed at night, when nobody is there to clean
    // up.
    const overrides = [...before.overrides.slice(1 - maxOverrides), override];
    const after = { ...before, overrides, lastChange: now };
    await tx.run(updateDefinition, { id, definition: definitionOf(after) });
    await tx.run(touchSchedule, { id, now });
    await incrementPeopleVersion(tx);
    const { name } = before;
    await appendEvent(tx, now, {
      kind: 'schedule.changed',
      actor: caller.actor,
      subjectId: id,
      data: { name, override },
    });
    const change = changeOf(before, after);
    await appendAudit(tx, now, { kind: 'schedule.changed', origin: caller, subject: `schedule:${id}`, ...change });
    return seenSchedule(after, await visibilityIn(tx, caller));
  },
};

export const addOverrideOnce = keyed(addOverride);

/** Validates only the override and reports errors under the field names of the request. */
function refuseInvalidOverride(schedule: Schedule): void {
  const [error] = scheduleErrors({ ...schedule, weekly: [], rotations: [] });
  if (error === undefined) return;
  const field = error.field.replace(/^overrides\[0\]\.?/, '') || 'teamId';
  throw new AppError('unprocessable', `${field}: ${error.message}`, { errors: [{ ...error, field }] });
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

const insertSchedule = statement<{ name: string; words: string; definition: string; now: number }, { id: number }>(
  (db, args) =>
    db
      .insertInto('schedules')
      .values({ name: args.name, words: args.words, definition: args.definition, last_change: args.now })
      .returning('id'),
);

export const updateDefinition = statement<{ id: number; definition: string }>((db, args) =>
  db.updateTable('schedules').set({ definition: args.definition }).where('id', '=', args.id),
);

const touchSchedule = statement<{ id: number; now: number }>((db, args) =>
  db.updateTable('schedules').set({ last_change: args.now }).where('id', '=', args.id),
);
