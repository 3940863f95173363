// Previews a schedule that need not be stored: who has the duty when, and its gaps and overlaps.

import { type CoverageWarnings, coverageWarnings } from '../../domain/on-call/coverage-warnings.ts';
import { dutySlots } from '../../domain/on-call/duty.ts';
import type { DutySlot, Schedule } from '../../domain/on-call/schedule.ts';
import type { Instant, Query } from '../../store/store.ts';

type Previewed = { readonly schedule: Schedule; readonly from: Instant; readonly to: Instant };
type DutyPreview = { readonly slots: readonly DutySlot[]; readonly warnings: CoverageWarnings };

/** Reads nothing: it is a query because computations of queries run in a thread of their own. */
export const previewDuty: Query<Previewed, DutyPreview> = {
  name: 'preview-duty',
  isComputation: true,
  run: async (_tx, { schedule, from, to }) => ({
    slots: dutySlots(schedule, from, to),
    warnings: coverageWarnings(schedule, from, to),
  }),
};
