// The plan of a call group over a period: who is on duty when, by which entry of the schedule, what an override takes the
// place of, and which claims to the duty are passed over. Pure.

import type { CallGroup, PeopleSnapshot } from '../people/call-group.ts';
import { type Clash, clashesIn } from './clashes.ts';
import { dutySlots } from './duty.ts';
import { dutySpans } from './duty-spans.ts';
import { type OnDutySpan, onDutyBetween } from './on-duty.ts';
import type { DutySlot, StoredOverride, StoredSchedule } from './schedule.ts';

export type PlannedSpan = Omit<OnDutySpan, 'slot'> & {
  /** The teams that have the duty; none if a single person has it, or nobody. */
  readonly teamIds: readonly number[];
  /** The entry of the schedule, such as `weekly[0]`; empty if the group has no schedule, or nobody has the duty. */
  readonly source: string;
  readonly reason: string;
  readonly override: StoredOverride | undefined;
  /** The entry that the override takes the place of, where it begins; undefined if it fills a gap. */
  readonly replaced: Pick<DutySlot, 'source' | 'holder'> | undefined;
};

/** A claim to the duty that counts for nothing, because a later entry of the same layer claims it as well. */
export type PassedClaim = Pick<DutySlot, 'from' | 'to' | 'source' | 'holder'> & {
  /** The entry that counts. */
  readonly takenBy: string;
};

export type DutyPlan = {
  readonly spans: readonly PlannedSpan[];
  readonly overlaps: readonly PassedClaim[];
};

type Period = { readonly from: number; readonly to: number };

const mostOverlaps = 200;

export function dutyPlanOf(group: CallGroup, snapshot: PeopleSnapshot, period: Period): DutyPlan {
  const schedule = snapshot.schedules.get(group.scheduleId ?? 0);
  const spans = onDutyBetween(group, snapshot, period);
  if (schedule === undefined) return { spans: spans.map((span) => plannedAlways(span, group)), overlaps: [] };
  // Computed only where it is asked for: most periods have no override.
  const isOverridden = spans.some(({ slot }) => overrideOf(schedule, slot) !== undefined);
  const below = isOverridden ? dutySlots({ ...schedule, overrides: [] }, period.from, period.to) : [];
  return {
    spans: spans.map((span) => planned(span, schedule, below)),
    overlaps: overlapsOf(schedule, spans, period),
  };
}

function plannedAlways({ slot: _, ...span }: OnDutySpan, { teamIds }: CallGroup): PlannedSpan {
  return { ...span, teamIds, source: '', reason: '', override: undefined, replaced: undefined };
}

function planned(
  { slot, ...span }: OnDutySpan,
  schedule: StoredSchedule,
  slotsBelow: readonly DutySlot[],
): PlannedSpan {
  const override = overrideOf(schedule, slot);
  const below = slotsBelow.find(({ from, to }) => from <= span.from && span.from < to);
  return {
    ...span,
    teamIds: slot?.holder?.kind === 'team' ? [slot.holder.teamId] : [],
    source: slot?.source ?? '',
    reason: slot?.reason ?? '',
    override,
    replaced: override === undefined || below?.holder === undefined ? undefined : below,
  };
}

function overrideOf({ overrides }: StoredSchedule, slot: DutySlot | undefined): StoredOverride | undefined {
  const index = /^overrides\[(\d+)\]$/.exec(slot?.source ?? '')?.[1];
  return index === undefined ? undefined : overrides[Number(index)];
}

/** An override over another is meant, and one over two weekly entries settles which of them counts. */
function overlapsOf(
  schedule: StoredSchedule,
  spans: readonly OnDutySpan[],
  { from, to }: Period,
): readonly PassedClaim[] {
  const claims = dutySpans(schedule, from, to);
  const clashes = (['weekly', 'rotations'] as const).flatMap(
    (layer) => clashesIn(claims.filter((claim) => claim.layer === layer)).clashes,
  );
  return clashes
    .flatMap((clash) => passedIn(clash, spans))
    .toSorted((one, other) => one.from - other.from)
    .slice(0, mostOverlaps);
}

function passedIn({ earlier, later, ...when }: Clash, spans: readonly OnDutySpan[]): readonly PassedClaim[] {
  return spans
    .filter(({ slot, from, to }) => slot?.source === later.source && from < when.to && to > when.from)
    .map(({ from, to }) => ({
      from: Math.max(from, when.from),
      to: Math.min(to, when.to),
      source: earlier.source,
      holder: earlier.holder,
      takenBy: later.source,
    }));
}
