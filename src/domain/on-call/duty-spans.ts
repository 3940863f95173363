// The time spans that each entry of a schedule covers on its own, before precedence is applied. Pure.

import {
  type CivilClock,
  civilClock,
  dayMs,
  hourMs,
  instantOfMoment,
  printDate,
  readDate,
  readEndTime,
  readMoment,
  readTime,
} from './civil-time.ts';
import type { DutyHolder, Override, Rotation, RotationHours, Schedule } from './schedule.ts';
import { weekdays } from './schedule.ts';

export const dutyLayers = ['weekly', 'rotations', 'overrides'] as const;
type DutyLayer = (typeof dutyLayers)[number];

/** One entry's claim to a span of time; `from` inclusive, `to` exclusive. */
export type DutySpan = {
  readonly layer: DutyLayer;
  /** The entry, such as `weekly[0]`. */
  readonly source: string;
  readonly from: number;
  readonly to: number;
  readonly holder: DutyHolder;
  readonly reason: string;
};

/**
 * Returns every span that touches [from, to), clipped to it; later spans win over earlier ones. An unreadable entry has
 * none.
 */
export function dutySpans(schedule: Schedule, from: number, to: number): readonly DutySpan[] {
  const clock = civilClock(schedule.timeZone);
  // Two days wider than the civil times: a shift may have begun the day before, and clocks may be set back over
  // midnight.
  const window = { from: clock.civilOf(from) - 2 * dayMs, to: clock.civilOf(to) + 2 * dayMs };
  const days = daysOf(window, new Set([...schedule.holidays.dates, ...schedule.holidays.icalDates]));
  const spans = [
    ...weeklySpans(schedule, clock, days),
    ...schedule.rotations.flatMap((rotation, index) => rotationSpans(rotation, index, clock, window, days)),
    ...schedule.overrides.flatMap((override, index) => overrideSpans(override, index, clock, window)),
  ];
  return spans.flatMap((span) => {
    const cut = { from: Math.max(from, span.from), to: Math.min(to, span.to) };
    return cut.from < cut.to ? [{ ...span, ...cut }] : [];
  });
}

/** A period. */
type Window = { readonly from: number; readonly to: number };

/** A day of the schedule's calendar; `kind` is its weekday, or `holiday`. */
type Day = { readonly civil: number; readonly kind: string };

function weeklySpans({ weekly }: Schedule, clock: CivilClock, days: readonly Day[]): readonly DutySpan[] {
  return weekly.flatMap((duty, index) =>
    shiftsOf(duty, clock, days).map((shift) => ({
      ...shift,
      layer: 'weekly' as const,
      source: `weekly[${index}]`,
      holder: { kind: 'team' as const, teamId: duty.teamId },
      reason: '',
    })),
  );
}

/** The shifts that begin on these days, in order; none if a time cannot be read. */
function shiftsOf(
  { days: wanted, from, to }: RotationHours,
  clock: CivilClock,
  days: readonly Day[],
): readonly Window[] {
  const [start, end] = [readTime(from), readEndTime(to)];
  if (start === undefined || end === undefined) return [];
  const length = end > start ? end - start : end - start + dayMs;
  const kinds: ReadonlySet<string> | undefined = wanted && new Set(wanted);
  return days
    .filter(({ kind }) => kinds === undefined || kinds.has(kind))
    .map(({ civil }) => ({
      from: clock.instantOf(civil + start),
      to: clock.instantOf(civil + start + length),
    }));
}

/** Returns the days of the window. A shift belongs to the date it begins on, even if it ends on or after a holiday. */
function daysOf(window: Window, holidayDates: ReadonlySet<string>): readonly Day[] {
  const days: Day[] = [];
  for (let civil = Math.floor(window.from / dayMs) * dayMs; civil < window.to; civil += dayMs) {
    const isHoliday = holidayDates.size > 0 && holidayDates.has(printDate(civil));
    days.push({ civil, kind: isHoliday ? 'holiday' : weekdayOf(civil) });
  }
  return days;
}

function weekdayOf(civil: number): string {
  // 1970 began on a Thursday.
  const day = Math.floor(civil / dayMs) + weekdays.indexOf('thu');
  return weekdays[((day % 7) + 7) % 7] ?? '';
}

/** Parses the length of a turn, in civil time; undefined if it cannot be read. */
export function turnLengthOf(every: string): number | undefined {
  const [, count, unit] = /^([1-9]\d{0,3})([hdw])$/.exec(every) ?? [];
  if (count === undefined) return undefined;
  const units: Readonly<Record<string, number>> = { h: hourMs, d: dayMs, w: 7 * dayMs };
  return Number(count) * (units[unit ?? ''] ?? dayMs);
}

/**
 * Counts turns in civil time, hourly ones too: a hand-over is at the same local time before and after a clock change,
 * and the turn that contains the change is longer or shorter. A turn that is skipped entirely has no span.
 */
function rotationSpans(
  rotation: Rotation,
  index: number,
  clock: CivilClock,
  window: Window,
  days: readonly Day[],
): readonly DutySpan[] {
  const { teamIds, every, handOver, start, hours } = rotation;
  const [turn, day, time] = [turnLengthOf(every), readDate(start), readTime(handOver)];
  if (teamIds.length === 0 || turn === undefined || day === undefined || time === undefined) return [];
  const spans: DutySpan[] = [];
  const first = day + time;
  for (let count = Math.max(0, Math.floor((window.from - first) / turn)); first + count * turn < window.to; count++) {
    spans.push({
      layer: 'rotations',
      source: `rotations[${index}]`,
      holder: { kind: 'team', teamId: teamIds[count % teamIds.length] ?? 0 },
      from: clock.instantOf(first + count * turn),
      to: clock.instantOf(first + (count + 1) * turn),
      reason: '',
    });
  }
  return hours === undefined ? spans : partsWithin(spans, shiftsOf(hours, clock, days));
}

/** Returns the parts of the turns that are within a shift; a shift that contains a hand-over is shared. Both are in order. */
function partsWithin(turns: readonly DutySpan[], shifts: readonly Window[]): readonly DutySpan[] {
  const parts: DutySpan[] = [];
  let [nth, of] = [0, 0];
  for (let turn = turns[0], shift = shifts[0]; turn && shift; turn = turns[nth], shift = shifts[of]) {
    const part = { from: Math.max(turn.from, shift.from), to: Math.min(turn.to, shift.to) };
    if (part.from < part.to) parts.push({ ...turn, ...part });
    if (turn.to < shift.to) nth++;
    else of++;
  }
  return parts;
}

function overrideSpans(override: Override, index: number, clock: CivilClock, window: Window): readonly DutySpan[] {
  const [from, to, holder] = [readMoment(override.from), readMoment(override.to), holderOf(override)];
  if (from === undefined || to === undefined || holder === undefined) return [];
  // Overrides accumulate over the years; most are far outside the window.
  if (to.at < window.from || from.at > window.to) return [];
  return [
    {
      layer: 'overrides',
      source: `overrides[${index}]`,
      holder,
      from: instantOfMoment(clock, from),
      to: instantOfMoment(clock, to),
      reason: override.reason,
    },
  ];
}

/** A lock wins over a name beside it, and a person over a team, because the narrower one was meant. */
function holderOf({ teamId, userId, lock }: Override): DutyHolder | undefined {
  if (lock) return { kind: 'locked' };
  if (userId !== undefined) return { kind: 'user', userId };
  return teamId === undefined ? undefined : { kind: 'team', teamId };
}

export function isSameHolder(one: DutyHolder | undefined, other: DutyHolder | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.kind === 'team') return other.kind === 'team' && one.teamId === other.teamId;
  if (one.kind === 'user') return other.kind === 'user' && one.userId === other.userId;
  return other.kind === 'locked';
}
