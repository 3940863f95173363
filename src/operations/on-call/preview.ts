// Previews a schedule that need not be stored: who has the duty when, its gaps and overlaps, and entries that never apply.

import { type CoverageWarnings, coverageWarnings } from '../../domain/on-call/coverage-warnings.ts';
import { dutySlots } from '../../domain/on-call/duty.ts';
import type { DutySlot, Schedule } from '../../domain/on-call/schedule.ts';
import { type UnusedEntry, unusedEntries } from '../../domain/on-call/unused-entries.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';

type Previewed = { readonly schedule: Schedule; readonly from: Instant; readonly to: Instant };
type DutyPreview = {
  readonly slots: readonly DutySlot[];
  readonly warnings: CoverageWarnings;
  readonly unused: readonly UnusedEntry[];
};

/** The dates of a calendar count as they were read for a stored schedule; of one that nobody has named yet they are not known. */
export const previewDuty: Query<Previewed, DutyPreview> = {
  name: 'preview-duty',
  isComputation: true,
  async run(tx, { schedule: given, from, to }) {
    const schedule = await withCalendar(tx, given);
    return {
      slots: dutySlots(schedule, from, to),
      warnings: coverageWarnings(schedule, from, to),
      unused: unusedEntries(schedule, from),
    };
  },
};

async function withCalendar(tx: ReadTx, schedule: Schedule): Promise<Schedule> {
  const { icalUrl, icalDates } = schedule.holidays;
  if (icalUrl === undefined || icalDates.length > 0) return schedule;
  const { snapshot } = await readCallConfiguration(tx);
  const known = [...snapshot.schedules.values()].find(
    ({ holidays }) => holidays.icalUrl === icalUrl && holidays.icalDates.length > 0,
  );
  return known === undefined
    ? schedule
    : { ...schedule, holidays: { ...schedule.holidays, icalDates: known.holidays.icalDates } };
}
