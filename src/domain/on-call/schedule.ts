// A duty schedule as people write it: in layers, in the civil time of its zone. Pure.

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
type Weekday = (typeof weekdays)[number];
/** `holiday` applies on the schedule's holidays; on those days the weekday entries do not apply. */
export type DutyDay = Weekday | 'holiday';

/** Later layers win over earlier ones: weekly entries, then rotations, then overrides, each in list order. */
export type Schedule = {
  readonly id: number;
  readonly name: string;
  readonly timeZone: string;
  readonly holidays: Holidays;
  readonly weekly: readonly WeeklyDuty[];
  readonly rotations: readonly Rotation[];
  readonly overrides: readonly Override[];
};

/** Dates as `2026-12-25`. `icalDates` are the dates last read from `icalUrl`. */
export type Holidays = {
  readonly dates: readonly string[];
  readonly icalUrl: string | undefined;
  readonly icalDates: readonly string[];
};

/**
 * `from` and `to` as `18:00`; a `to` not after `from` ends on the next day; `24:00` is the end of the day. A shift
 * belongs to the date it begins on: the night before a holiday is not part of the holiday, even after midnight.
 */
export type WeeklyDuty = {
  readonly teamId: number;
  readonly days: readonly DutyDay[];
  readonly from: string;
  readonly to: string;
};

/**
 * Teams take turns. `every` as `1w`, `3d` or `12h`, all counted in civil time; the first turn begins at the local time
 * `handOver` of the date `start`, and nobody has a turn before it. With `hours` a turn is only the shifts within it.
 */
export type Rotation = {
  readonly teamIds: readonly number[];
  readonly every: string;
  readonly handOver: string;
  readonly start: string;
  readonly hours?: RotationHours | undefined;
};

/** Shifts as in WeeklyDuty. `days` undefined means every day, holidays too. */
export type RotationHours = {
  readonly days: readonly DutyDay[] | undefined;
  readonly from: string;
  readonly to: string;
};

/**
 * A temporary replacement. `from` and `to` are civil times as `2026-11-20T08:00`, with optional seconds; an appended
 * offset (`2026-10-25T02:30+01:00`) makes it an instant, for the repeated hour. With `lock` nobody is called.
 */
export type Override = {
  readonly teamId: number | undefined;
  readonly userId: number | undefined;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly lock: boolean;
};

/** An override as stored. The overrides of one swap have the same `swapId`: the id of the first of them. */
export type StoredOverride = Override & { readonly id: number; readonly swapId: number | undefined };

/** A schedule as stored. */
export type StoredSchedule = Omit<Schedule, 'overrides'> & { readonly overrides: readonly StoredOverride[] };

/** Maximum number of overrides of a schedule. */
export const maxOverrides = 1_000;

/** The holder of the duty: a team, one person, or nobody because of a lock; a gap has no holder. */
export type DutyHolder =
  | { readonly kind: 'team'; readonly teamId: number }
  | { readonly kind: 'user'; readonly userId: number }
  | { readonly kind: 'locked' };

/** A period with one holder, or none; `from` inclusive, `to` exclusive, milliseconds since 1970. */
export type DutySlot = {
  readonly from: number;
  readonly to: number;
  readonly holder: DutyHolder | undefined;
  /** The entry that produced the slot, such as `weekly[0]` or `overrides[2]`. */
  readonly source: string;
  readonly reason: string;
};
