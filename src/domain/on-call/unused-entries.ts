// Finds the entries of a schedule by which nobody ever has the duty, which their author hardly meant. Pure.

import { dayMs } from './civil-time.ts';
import { dutySlots } from './duty.ts';
import { dutySpans } from './duty-spans.ts';
import type { Schedule } from './schedule.ts';

export type UnusedEntry = {
  /** Such as `weekly[0]`. */
  readonly entry: string;
  /** `covered`: later entries have all of its time; `no-day`: none of its days comes. */
  readonly cause: 'covered' | 'no-day';
};

const [soonDays, lookedAtDays] = [28, 366];

/** Looks a year ahead. Overrides are left out, because they end. */
export function unusedEntries(schedule: Schedule, now: number): readonly UnusedEntry[] {
  const lasting = { ...schedule, overrides: [] };
  const sourcesWithin = (days: number): ReadonlySet<string> =>
    new Set(dutySlots(lasting, now, now + days * dayMs).map(({ source }) => source));
  // Nearly every entry applies soon, which is quicker to see than that it applies within a year.
  const soon = sourcesWithin(soonDays);
  const doubtful = entriesOf(schedule).filter((entry) => !soon.has(entry));
  if (doubtful.length === 0) return [];
  const applying = sourcesWithin(lookedAtDays);
  const claiming = new Set(dutySpans(lasting, now, now + lookedAtDays * dayMs).map(({ source }) => source));
  return doubtful
    .filter((entry) => !applying.has(entry))
    .map((entry) => ({ entry, cause: claiming.has(entry) ? 'covered' : 'no-day' }));
}

/** Entries for holidays of a calendar that is still to be read are left out. */
function entriesOf({ weekly, rotations, holidays }: Schedule): readonly string[] {
  const isUnread = holidays.icalUrl !== undefined && holidays.icalDates.length === 0;
  const isKnown = (days: readonly string[] = []): boolean => !(isUnread && days.includes('holiday'));
  return [
    ...weekly.flatMap(({ days }, index) => (isKnown(days) ? [`weekly[${index}]`] : [])),
    ...rotations.flatMap(({ hours }, index) => (isKnown(hours?.days) ? [`rotations[${index}]`] : [])),
  ];
}
