// iCalendar (RFC 5545), as far as duty needs it: the whole days of somebody's calendar in, slots of duty out. Pure.

import { civilClock, dayMs, printDate, readDate, readTime } from './civil-time.ts';
import { type YearRange, yearlyDays } from './ical-yearly-rule.ts';

/** Dates worked out for one calendar at most, those found twice included: bounds the work a hostile one can cause. */
const mostDates = 20_000;
const mostEvents = 10_000;

/** The lines of an event, without their parameters, by name; the last one of a name counts. */
type EventLines = ReadonlyMap<string, string>;

/** `timeZone`: whose dates are meant where the calendar gives a time in UTC. */
export type CalendarRange = YearRange & { readonly timeZone: string };

/**
 * The dates of all events within the years, in order, each once. What cannot be read is passed over: a calendar of holidays
 * with one odd event is still one.
 */
export function datesOfCalendar(text: string, range: CalendarRange): readonly string[] {
  const dates = new Set<string>();
  let left = mostDates;
  for (const event of eventsOf(text)) {
    for (const day of daysOfEvent(event, range)) {
      if (left-- <= 0) return [...dates].sort();
      dates.add(printDate(day));
    }
  }
  return [...dates].sort();
}

/** Name, parameters with quotes around what holds a colon, value. */
const propertyLine = /^([a-z-]+)(?:;[^:"]*(?:"[^"]*"[^:"]*)*)?:(.*)$/is;

function* eventsOf(text: string): Generator<EventLines> {
  let event: Map<string, string> | undefined;
  // An alarm inside an event has lines of its own, which say nothing about the event.
  let inner = 0;
  let left = mostEvents;
  for (const line of unfold(text)) {
    const [, name = '', value = ''] = propertyLine.exec(line) ?? [];
    const key = name.toUpperCase();
    const component = value.trim().toUpperCase();
    if (event === undefined) {
      if (key === 'BEGIN' && component === 'VEVENT') event = new Map();
    } else if (key === 'END' && inner === 0) {
      if (left-- <= 0) return;
      yield event;
      event = undefined;
    } else if (key === 'BEGIN' || key === 'END') inner += key === 'BEGIN' ? 1 : -1;
    else if (inner === 0) event.set(key, value.trim());
  }
}

/** A line that begins with a blank goes on the one before. */
function unfold(text: string): readonly string[] {
  return text.replace(/\r?\n[ \t]/g, '').split(/\r\n|\n|\r/);
}

type WrittenDate = { readonly day: number; readonly isMidnight: boolean };

/** `20261225`, `20261225T090000` by the date as it is written, or `20261225T090000Z` by the date of the zone at that instant. */
function readWrittenDate(text: string, timeZone: string): WrittenDate | undefined {
  const [, year, month, day, hour, minute, utc = ''] =
    /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z?))?$/i.exec(text) ?? [];
  const date = readDate(`${year}-${month}-${day}`);
  const time = hour === undefined ? 0 : readTime(`${hour}:${minute}`);
  if (date === undefined || time === undefined) return undefined;
  // Only where zones are known well: to look through all years for changes of the clocks would take seconds.
  const isZoned = utc !== '' && date >= 0 && date < Date.UTC(2100, 0);
  const civil = isZoned ? civilClock(timeZone).civilOf(date + time) : date + time;
  return { day: Math.floor(civil / dayMs) * dayMs, isMidnight: civil % dayMs === 0 };
}

function* daysOfEvent(event: EventLines, range: CalendarRange): Generator<number> {
  const start = readWrittenDate(event.get('DTSTART') ?? '', range.timeZone);
  if (start === undefined || event.get('STATUS')?.toUpperCase() === 'CANCELLED') return;
  const length = lengthOf(event, start, range.timeZone);
  const [first, end] = [readDate(`${range.fromYear}-01-01`), readDate(`${range.toYear}-12-31`)];
  if (first === undefined || end === undefined) return;
  for (const begin of yearlyDays(start.day, event.get('RRULE') ?? '', range)) {
    const last = Math.min(end, begin + (length - 1) * dayMs);
    for (let day = Math.max(begin, first); day <= last; day += dayMs) yield day;
  }
}

/** In days, every one it touches; an end at midnight or without a time is no longer part of it. */
function lengthOf(event: EventLines, start: WrittenDate, timeZone: string): number {
  const [, count, unit] = /^P(\d{1,5})([DW])$/i.exec(event.get('DURATION') ?? '') ?? [];
  if (count !== undefined) return Math.max(1, Number(count) * (unit?.toUpperCase() === 'W' ? 7 : 1));
  const end = readWrittenDate(event.get('DTEND') ?? '', timeZone);
  if (end === undefined) return 1;
  return Math.max(1, (end.day - start.day) / dayMs + (end.isMidnight ? 0 : 1));
}

/** `key` and `from` together name the event for good: a reader that fetches again knows it by them. */
export type CalendarEvent = {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly summary: string;
  readonly description: string;
};

export type Calendar = {
  readonly name: string;
  /** When the calendar was made. */
  readonly stamp: number;
  readonly events: readonly CalendarEvent[];
};

/** A calendar to be subscribed to; all times are in UTC, so that it needs no table of zones. */
export function calendarOf({ name, stamp, events }: Calendar): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Tocsin//Duty//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `X-WR-CALNAME:${escaped(name)}`,
    ...(events.length === 0 ? emptyBody : events.flatMap((event) => eventLines(event, stamp))),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** A calendar must have a component in it, also when nobody has any duty. */
const emptyBody = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

function eventLines({ key, from, to, summary, description }: CalendarEvent, stamp: number): readonly string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(key)}-${utc(from)}@tocsin`,
    `DTSTAMP:${utc(stamp)}`,
    `DTSTART:${utc(from)}`,
    `DTEND:${utc(to)}`,
    `SUMMARY:${escaped(summary)}`,
    ...(description === '' ? [] : [`DESCRIPTION:${escaped(description)}`]),
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

/** `20261225T080000Z`. */
function utc(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/[\\;,]/g, '\\$&')
      .replace(/\r\n|\r|\n/g, '\\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no reader takes them.
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
  );
}

const mostOctets = 75;

/** No line has more than 75 octets; a character is never cut in two. */
function folded(line: string): string {
  let text = '';
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character.codePointAt(0) ?? 0);
    if (octets + size > mostOctets) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return text;
}

/** In UTF-8. */
function octetsOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
