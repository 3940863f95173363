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
import type { DutyHolder, Override, Rotation, Schedule, WeeklyDuty } from './schedule.ts';
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
  const spans = [
    ...weeklySpans(schedule, clock, window),
    ...schedule.rotations.flatMap((rotation, index) => rotationSpans(rotation, index, clock, window)),
    ...schedule.overrides.flatMap((override, index) => overrideSpans(override, index, clock, window)),
  ];
  return spans.flatMap((span) => {
    const cut = { from: Math.max(from, span.from), to: Math.min(to, span.to) };
    return cut.from < cut.to ? [{ ...span, ...cut }] : [];
  });
}

/** A period in civil time. */
type Window = { readonly from: number; readonly to: number };

type WeeklyEntry = {
  readonly source: string;
  readonly holder: DutyHolder;
  readonly days: ReadonlySet<string>;
  readonly from: number;
  readonly to: number;
};

function weeklySpans({ weekly, holidays }: Schedule, clock: CivilClock, window: Window): readonly DutySpan[] {
  const entries = weekly.flatMap(weeklyEntry);
  const holidayDates = new Set([...holidays.dates, ...holidays.icalDates]);
  const days = daysOf(window, holidayDates);
  return entries.flatMap((entry) =>
    days
      .filter(({ kind }) => entry.days.has(kind))
      .map(({ civil }) => ({
        layer: 'weekly' as const,
        source: entry.source,
        holder: entry.holder,
        from: clock.instantOf(civil + entry.from),
        to: clock.instantOf(civil + entry.to),
        reason: '',
      })),
  );
}

/** Returns the days of the window. A shift belongs to the date it begins on, even if it ends on or after a holiday. */
function daysOf(window: Window, holidayDates: ReadonlySet<string>): readonly { civil: number; kind: string }[] {
  const days: { civil: number; kind: string }[] = [];
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

function weeklyEntry({ teamId, days, from, to }: WeeklyDuty, index: number): readonly WeeklyEntry[] {
  const [start, end] = [readTime(from), readEndTime(to)];
  if (start === undefined || end === undefined) return [];
  return [
    {
      source: `weekly[${index}]`,
      holder: { kind: 'team', teamId },
      days: new Set(days),
      from: start,
      to: end > start ? end : end + dayMs,
    },
  ];
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
function rotationSpans(rotation: Rotation, index: number, clock: CivilClock, window: Window): readonly DutySpan[] {
  const { teamIds, every, handOver, start } = rotation;
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
  return spans;
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
