// Loads schedules from the store. The definition is one JSON text, because it is always read and changed as a whole;
// overrides are rows.

import type { Schedule, StoredSchedule } from '../../domain/on-call/schedule.ts';
import type { Stored } from '../../domain/people/entities.ts';
import { statement } from '../../store/statement.ts';
import type { Query, ReadTx } from '../../store/store.ts';
import { type Ids, idsArgument, isAmong, type NamedRow } from '../named-rows.ts';
import { loadOverrides } from '../on-call/override-rows.ts';

declare module '../../store/tables.ts' {
  interface Tables {
    /** `definition` is the JSON of a Schedule without id, name and overrides. */
    schedules: NamedRow & { definition: string };
  }
}

const selectSchedules = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('schedules')
    .select(['id', 'name', 'definition', 'last_change'])
    .where(isAmong('id', args.ids, kind))
    .orderBy('id'),
);

type Definition = Omit<Schedule, 'id' | 'name' | 'overrides'>;

/** JSON has no undefined; `loadSchedules` restores absent fields. */
export function definitionOf({ timeZone, holidays, weekly, rotations }: Definition): string {
  return JSON.stringify({ timeZone, holidays, weekly, rotations } satisfies Definition);
}

/** Returns the schedules in order of id. */
export async function loadSchedules(tx: ReadTx, which: Ids): Promise<readonly Stored<StoredSchedule>[]> {
  const args = idsArgument(which);
  if (args === undefined) return [];
  const overrides = await loadOverrides(tx, args);
  return (await tx.all(selectSchedules, args)).map(({ id, name, definition, last_change }) => {
    const { timeZone, holidays, weekly, rotations } = JSON.parse(definition) as Definition;
    return {
      id,
      name,
      timeZone,
      holidays: { dates: holidays.dates, icalUrl: holidays.icalUrl, icalDates: holidays.icalDates },
      weekly,
      rotations,
      overrides: overrides.get(id) ?? [],
      lastChange: last_change,
    };
  });
}

/** Returns the schedules that have a holiday calendar. */
export const listCalendars: Query<Record<string, never>, readonly Schedule[]> = {
  name: 'list-calendars',
  run: async (tx) => (await loadSchedules(tx, 'all')).filter(({ holidays }) => holidays.icalUrl !== undefined),
};
