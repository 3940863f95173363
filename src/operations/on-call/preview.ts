// Previews a schedule that need not be stored: who has the duty when, its gaps and overlaps, and entries that never apply.

import { type CoverageWarnings, coverageWarnings } from '../../domain/on-call/coverage-warnings.ts';
import { dutySlots } from '../../domain/on-call/duty.ts';
import type { DutySlot, Schedule } from '../../domain/on-call/schedule.ts';
import { type UnusedEntry, unusedEntries } from '../../domain/on-call/unused-entries.ts';
import type { Instant, Query } from '../../store/store.ts';

type Previewed = { readonly schedule: Schedule; readonly from: Instant; readonly to: Instant };
type DutyPreview = {
  readonly slots: readonly DutySlot[];
  readonly warnings: CoverageWarnings;
  readonly unused: readonly UnusedEntry[];
};

/** Reads nothing: it is a query because computations of queries run in a thread of their own. */
export const previewDuty: Query<Previewed, DutyPreview> = {
  name: 'preview-duty',
  isComputation: true,
  run: async (_tx, { schedule, from, to }) => ({
    slots: dutySlots(schedule, from, to),
    warnings: coverageWarnings(schedule, from, to),
    unused: unusedEntries(schedule, from),
  }),
};
