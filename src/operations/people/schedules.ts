// Writes schedules.

import type { PeopleFields } from '../../domain/people/entities.ts';
import { statement } from '../../store/statement.ts';
import { putOverrides } from '../on-call/override-rows.ts';
import { refuseFields } from './refusals.ts';
import { type FieldReference, fieldReferences, missingAmong, type ResourceHooks } from './resource-hooks.ts';
import { definitionOf } from './schedule-rows.ts';

export const scheduleHooks: ResourceHooks<'schedule'> = {
  searchedBy: ({ name }) => [name],
  async check(tx, { caller, fields }) {
    refuseFields([
      ...(await missingAmong(tx, caller, 'team', teamsNamed(fields))),
      ...(await missingAmong(tx, caller, 'user', usersNamed(fields))),
    ]);
  },
  async insert(tx, now, words, { fields }) {
    const id = await tx.insert(insertSchedule, { name: fields.name, words, definition: definitionOf(fields), now });
    await putOverrides(tx, id, fields.overrides ?? [], []);
    return id;
  },
  async update(tx, _now, id, { fields, before }) {
    const { holidays } = fields;
    // Also with another address: the dates read before count until the new calendar was read.
    const icalDates = holidays.icalUrl === undefined ? [] : (before?.holidays.icalDates ?? []);
    await tx.run(updateDefinition, {
      id,
      definition: definitionOf({ ...fields, holidays: { ...holidays, icalDates } }),
    });
    if (fields.overrides !== undefined) await putOverrides(tx, id, fields.overrides, before?.overrides ?? []);
  },
};

type Fields = PeopleFields['schedule'];

function teamsNamed({ weekly, rotations, overrides = [] }: Fields): readonly FieldReference[] {
  return [
    ...weekly.map(({ teamId }, index) => ({ field: `weekly[${index}].teamId`, id: teamId })),
    ...rotations.flatMap(({ teamIds }, index) => fieldReferences(`rotations[${index}].teamIds`, teamIds)),
    ...overrides.map(({ teamId }, index) => ({ field: `overrides[${index}].teamId`, id: teamId })),
  ];
}

function usersNamed({ overrides = [] }: Fields): readonly FieldReference[] {
  return overrides.map(({ userId }, index) => ({ field: `overrides[${index}].userId`, id: userId }));
}

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

export const touchSchedule = statement<{ id: number; now: number }>((db, args) =>
  db.updateTable('schedules').set({ last_change: args.now }).where('id', '=', args.id),
);
