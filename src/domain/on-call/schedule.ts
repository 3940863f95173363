// A programme of duty as people write it: civil time of its zone, in layers. Pure.

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];
/** `holiday` covers the schedule's holidays; on those the weekday's own entries do not count. */
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

/** Dates as `2026-12-25`. `icalDates` are those last read from `icalUrl`. */
export type Holidays = {
  readonly dates: readonly string[];
  readonly icalUrl: string | undefined;
  readonly icalDates: readonly string[];
};

/**
 * `from` and `to` as `18:00`; a `to` not after `from` ends on the next day; `24:00` is the end of the day. A shift belongs to the
 * date it begins on: the night before a holiday is no holiday, also after midnight.
 */
export type WeeklyDuty = {
  readonly teamId: number;
  readonly days: readonly DutyDay[];
  readonly from: string;
  readonly to: string;
};

/**
 * The teams in turn. `every` as `1w`, `3d` or `12h`, all counted by the wall clock; the first turn begins at the local time
 * `handOver` of the date `start`, and before it nobody has one.
 */
export type Rotation = {
  readonly teamIds: readonly number[];
  readonly every: string;
  readonly handOver: string;
  readonly start: string;
};

/**
 * Somebody else for a while. `from` and `to` are civil times as `2026-11-20T08:00`, with seconds where wanted; an offset after it
 * (`2026-10-25T02:30+01:00`) makes it an instant, for the hour that comes twice. With `lock` nobody is called.
 */
export type Override = {
  readonly teamId: number | undefined;
  readonly userId: number | undefined;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly lock: boolean;
};

/** As many as a schedule takes. */
export const mostOverrides = 1_000;

/** Who has the duty: a team, one person, or nobody because somebody locked it; a gap has no holder. */
export type DutyHolder =
  | { readonly kind: 'team'; readonly teamId: number }
  | { readonly kind: 'user'; readonly userId: number }
  | { readonly kind: 'locked' };

/** A stretch of time with one holder, or none; `from` inclusive, `to` exclusive, milliseconds since 1970. */
export type DutySlot = {
  readonly from: number;
  readonly to: number;
  readonly holder: DutyHolder | undefined;
  /** Which entry gave it, such as `weekly[0]` or `overrides[2]`, and its reason when it has one. */
  readonly source: string;
  readonly reason: string;
};
