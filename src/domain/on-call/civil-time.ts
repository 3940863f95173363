// Converts between instants and the local (civil) time of a zone, by a monotonic rule. Pure.

import { Temporal } from 'temporal-polyfill';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/**
 * Civil time is represented as the milliseconds at which UTC shows the same date and time, which allows arithmetic.
 *
 * `instantOf` returns the first instant at which the wall clock shows the civil time or a later one: a skipped time maps to
 * the first instant after the gap, a repeated time to its first occurrence. A later civil time never maps to an earlier
 * instant, so shifts that are adjacent in civil time are adjacent in instants: no gap, no overlap.
 */
export type CivilClock = {
  readonly instantOf: (civil: number) => number;
  readonly civilOf: (instant: number) => number;
  /** The periods without a clock change from an instant to another, the first and last of them cut there. */
  readonly periodsIn: (from: number, to: number) => readonly Period[];
};

/** A period without a clock change; `offset` is how far the local time is ahead of UTC. */
export type Period = { readonly from: number; readonly to: number; readonly offset: number };

/** Asking a zone for its transitions costs 0.3 ms each, so they are cached in cells of 2.2 years. */
const cellMs = 2 ** 36;
/** Larger than the offset of any zone ever. */
const greatestOffset = 26 * hourMs;
const maxCachedClocks = 1_000;
const clocks = new Map<string, CivilClock>();

/** Returns the clock of a zone. An unknown zone counts as UTC, because a call at the wrong hour is better than none. */
export function civilClock(timeZone: string): CivilClock {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  if (clocks.size >= maxCachedClocks) clocks.clear();
  const clock = clockOf(isTimeZone(timeZone) ? timeZone : 'UTC');
  clocks.set(timeZone, clock);
  return clock;
}

export function isTimeZone(name: string): boolean {
  // Temporal would also accept a whole date with a zone in it.
  if (!/^(?:[a-z][\w+\-/]*|[+-]\d\d:\d\d)$/i.test(name)) return false;
  try {
    return zonedTime(name, 0) !== undefined;
  } catch {
    return false;
  }
}

function zonedTime(timeZone: string, instant: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
}

function clockOf(timeZone: string): CivilClock {
  const cells = new Map<number, readonly Period[]>();
  const periodAt = (instant: number): Period => {
    const cell = Math.floor(instant / cellMs);
    const periods = cells.get(cell) ?? periodsOf(timeZone, cell);
    if (!cells.has(cell)) cells.set(cell, periods);
    return periods.find(({ to }) => instant < to) as Period;
  };
  return {
    civilOf: (instant) => instant + periodAt(instant).offset,
    periodsIn: (from, to) => {
      const periods: Period[] = [];
      for (let start = from; start < to; start = periods.at(-1)?.to ?? to) {
        const period = periodAt(start);
        periods.push({ ...period, from: start, to: Math.min(period.to, to) });
      }
      return periods;
    },
    instantOf: (civil) => {
      for (let period = periodAt(civil - greatestOffset); ; period = periodAt(period.to)) {
        const instant = Math.max(period.from, civil - period.offset);
        if (instant < period.to) return instant;
      }
    },
  };
}

function periodsOf(timeZone: string, cell: number): readonly Period[] {
  const end = (cell + 1) * cellMs;
  const periods: Period[] = [];
  let from = cell * cellMs;
  while (from < end) {
    const time = zonedTime(timeZone, from);
    const to = Math.min(end, time.getTimeZoneTransition('next')?.epochMilliseconds ?? end);
    periods.push({ from, to, offset: time.offsetNanoseconds / 1e6 });
    from = to;
  }
  return periods;
}

/** Parses `2026-12-25` to the civil time at which the day begins; undefined if there is no such date. */
export function readDate(text: string): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const civil = Date.UTC(Number(year), Number(month) - 1, Number(day));
  // Date.UTC rolls a date that does not exist over to another, which then prints differently.
  return printDate(civil) === text ? civil : undefined;
}

export function printDate(civil: number): string {
  return new Date(civil).toISOString().slice(0, 10);
}

/** Parses `18:00` to milliseconds of the day; undefined if there is no such time. */
export function readTime(text: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * hourMs + Number(minutes) * minuteMs;
}

/** Like `readTime`, but also accepts `24:00` for the end of the day. */
export function readEndTime(text: string): number | undefined {
  return text === '24:00' ? dayMs : readTime(text);
}

const moment =
  /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::([0-5]\d)(?:\.(\d{3}))?)?(?:(Z)|([+-])((?:0\d|1\d|2[0-3]):[0-5]\d))?$/;

/** A parsed date and time: a civil time, or an instant if it had an offset. */
export type Moment = { readonly kind: 'civil' | 'instant'; readonly at: number };

/** Parses `2026-11-20T08:00`, with optional seconds and offset; undefined if there is no such date or time. */
export function readMoment(text: string): Moment | undefined {
  const [, date = '', time = '', seconds = '0', millis = '0', utc, sign, offset = ''] = moment.exec(text) ?? [];
  const day = readDate(date);
  const timeOfDay = readTime(time);
  if (day === undefined || timeOfDay === undefined) return undefined;
  const civil = day + timeOfDay + Number(seconds) * 1000 + Number(millis);
  if (utc !== undefined) return { kind: 'instant', at: civil };
  const distance = readTime(offset);
  if (distance === undefined) return { kind: 'civil', at: civil };
  return { kind: 'instant', at: sign === '-' ? civil + distance : civil - distance };
}

export function instantOfMoment(clock: CivilClock, { kind, at }: Moment): number {
  return kind === 'instant' ? at : clock.instantOf(at);
}

/** Prints an instant in local time; with the offset only where the local time alone would mean another instant. */
export function printMoment(timeZone: string, instant: number): string {
  const clock = civilClock(timeZone);
  const civil = clock.civilOf(instant);
  const text = new Date(civil)
    .toISOString()
    .slice(0, -1)
    .replace(/\.000$/, '')
    .replace(/:00$/, '');
  return clock.instantOf(civil) === instant ? text : `${text}${printOffset(civil - instant)}`;
}

function printOffset(offset: number): string {
  const time = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${offset < 0 ? '-' : '+'}${time}`;
}
