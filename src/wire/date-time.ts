// Prints and parses the times of the interface: instants with the offset of a zone, and UTC without offset.

import { Type } from 'typebox';
import { isTime, nearestTime } from '../domain/time-range.ts';
import { AppError } from '../errors.ts';

const minute = 60_000;
const day = 86_400_000;
// Zones change their offset on a quarter of an hour (Lord Howe on the half), so an offset is valid for a whole quarter.
const quarter = 15 * minute;
// Before 2012 some zones changed at odd times: St John's at a minute past midnight until 2011.
const wholeQuartersSince = Date.UTC(2012, 0);
const maxCachedQuarters = 20_000;

type Zone = { readonly formatter: Intl.DateTimeFormat; readonly offsets: Map<number, number> };
const zones = new Map<string, Zone>();

// Extended format with hyphens and colons, or basic without; week dates and ordinal dates are not supported, because
// nobody sends them.
const calendarDate = /(?<year>\d{4})(?<hyphen>-?)(?<month>\d\d)\k<hyphen>(?<date>\d\d)/.source;
const timeOfDay =
  /(?<hour>\d\d)(?:(?<colon>:?)(?<minutes>\d\d)(?:\k<colon>(?<seconds>\d\d)(?:[.,](?<fraction>\d+))?)?)?/.source;
const offset = /(?<utc>Z)|(?<sign>[+\- ])(?<offHour>\d\d):?(?<offMinute>\d\d)?/.source;
const shape = new RegExp(`^${calendarDate}(?:T${timeOfDay}(?:${offset})?)?$`, 'i');

/** The schema of a date-time that `parseDateTime` accepts. */
export function dateTimeText(options: { readonly description?: string } = {}) {
  return Type.String({ format: 'date-time', maxLength: 64, examples: ['2026-05-31T08:30:00+02:00'], ...options });
}

/** Stands in examples for a time a day ahead; the OpenAPI document has the time in its place. */
export const tomorrow = '{tomorrow}';

/** The schema of an instant in a response, as `printInstant` prints it. */
export function instantText(description: string) {
  return Type.String({ format: 'date-time', description, examples: ['2026-05-31T08:30:00.000+02:00'] });
}

/**
 * Prints ISO 8601 with milliseconds and the offset of the zone at that instant; `+00:00`, never `Z`. What is stored and no
 * time is printed as the nearest one, in UTC, so that it does not end a whole list.
 */
export function printInstant(ms: number, timeZone: string): string {
  if (!isTime(ms - day) || !isTime(ms + day)) return `${printUtcLocal(ms)}${printOffset(0)}`;
  const offset = offsetAt(ms, timeZone);
  // ISO 8601 offsets have no seconds: a zone with such an offset is printed in UTC, which is the same instant.
  const printed = offset % minute === 0 ? offset : 0;
  return `${printUtcLocal(ms + printed)}${printOffset(printed / minute)}`;
}

/** Prints ISO 8601 in UTC with milliseconds and without an offset. */
export function printUtcLocal(ms: number): string {
  return new Date(nearestTime(ms)).toISOString().slice(0, -1);
}

/**
 * Parses an ISO 8601 date or date-time; undefined if `text` is not one. Without an offset it is local time in
 * `timeZone`: a repeated time is its first occurrence, a skipped time is moved by the gap.
 */
export function parseDateTime(text: string, timeZone: string): number | undefined {
  const parts = shape.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const { year, month, date, hour = '0', minutes = '0', seconds = '0', fraction = '' } = parts;
  const { utc, sign, offHour, offMinute } = parts;
  const clock = [Number(hour), Number(minutes), Number(seconds)] as const;
  const wall = wallClock([Number(year), Number(month), Number(date)], clock, milliseconds(fraction));
  if (wall === undefined) return undefined;
  if (utc !== undefined) return wall;
  if (sign === undefined) return instantOf(wall, timeZone);
  const [hoursOff, minutesOff] = [Number(offHour), Number(offMinute ?? 0)];
  if (hoursOff > 23 || minutesOff > 59) return undefined;
  // In a URL an unencoded plus arrives as a space.
  return wall - (sign === '-' ? -1 : 1) * (hoursOff * 60 + minutesOff) * minute;
}

/** Rounds up, so that times stored in milliseconds compare to the result as they do to the exact moment. */
function milliseconds(fraction: string): number {
  return Number(fraction.padEnd(3, '0').slice(0, 3)) + (/[1-9]/.test(fraction.slice(3)) ? 1 : 0);
}

type Three = readonly [number, number, number];

/** Returns the milliseconds since 1970 as if the wall clock were UTC; undefined if there is no such date or time. */
function wallClock([year, month, date]: Three, [hour, minutes, seconds]: Three, ms: number): number | undefined {
  const isEndOfDay = hour === 24 && minutes === 0 && seconds === 0 && ms === 0;
  // A leap second is written as :60; here, where no day has one, it is the first second of the next minute.
  if ((hour > 23 && !isEndOfDay) || minutes > 59 || seconds > 60) return undefined;
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, date);
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== date) return undefined;
  return midnight.getTime() + ((hour * 60 + minutes) * 60 + seconds) * 1000 + ms;
}

function instantOf(wall: number, timeZone: string): number {
  // Offsets are less than a day, so these two instants are on either side of any clock change near that wall clock
  // time.
  const before = offsetAt(wall - day, timeZone);
  const after = offsetAt(wall + day, timeZone);
  const matches = [wall - before, wall - after].filter((instant) => instant + offsetAt(instant, timeZone) === wall);
  return matches.length > 0 ? Math.min(...matches) : wall - before;
}

/** Returns how many milliseconds the zone's clock is ahead of UTC at that instant. */
function offsetAt(ms: number, timeZone: string): number {
  const { formatter, offsets } = zoneOf(timeZone);
  if (ms < wholeQuartersSince) return readOffset(formatter, ms);
  const key = Math.floor(ms / quarter);
  let offset = offsets.get(key);
  if (offset === undefined) {
    if (offsets.size >= maxCachedQuarters) offsets.clear();
    offset = readOffset(formatter, ms);
    offsets.set(key, offset);
  }
  return offset;
}

function zoneOf(timeZone: string): Zone {
  let zone = zones.get(timeZone);
  if (zone === undefined) {
    zone = { formatter: new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }), offsets: new Map() };
    zones.set(timeZone, zone);
  }
  return zone;
}

function readOffset(formatter: Intl.DateTimeFormat, ms: number): number {
  const [, sign, hours, minutes, seconds = '0'] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(formatter.format(ms)) ?? [];
  if (sign === undefined) return 0;
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -size : size;
}

function printOffset(minutes: number): string {
  const size = Math.abs(minutes);
  const pad = (part: number): string => String(part).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

type PeriodQuery = { readonly from?: string; readonly to?: string };

/** Parses the period of a list query; throws if it ends before it begins. */
export function parsePeriod(
  query: PeriodQuery,
  timeZone: string,
): { readonly from: number | undefined; readonly to: number | undefined } {
  const instantOf = (text: string | undefined) => (text === undefined ? undefined : parseDateTime(text, timeZone));
  const period = { from: instantOf(query.from), to: instantOf(query.to) };
  if (period.from !== undefined && period.to !== undefined && period.from >= period.to) {
    throw new AppError('invalid-input', '`from` must be before `to`.', {
      errors: [{ field: 'from', message: 'must be before `to`' }],
    });
  }
  return period;
}
