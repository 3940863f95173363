// Reads the events of an iCalendar (RFC 5545) with ical.js, as far as they say on which days they are. Pure.

import ICAL from 'ical.js';
import { dayMs, readDate, readMoment } from './civil-time.ts';
import { type RecurrenceRule, readRule } from './recurrence-rule.ts';

const mostEvents = 10_000;
/** The time ical.js takes for a line grows with the square of its length. */
const mostLineLength = 65_536;

/** A date, a time by the wall clock, or a time in UTC; `at` is the civil time that is written. */
export type Written = { readonly at: number; readonly kind: 'date' | 'civil' | 'utc' };

export type Occurrence = {
  readonly start: Written;
  readonly end: Written | undefined;
  readonly lengthMs: number | undefined;
};

export type ReadEvent = Occurrence & {
  readonly uid: string;
  /** The zone of the start, as it is named there; empty when it names none. */
  readonly zone: string;
  readonly isCancelled: boolean;
  readonly rules: readonly RecurrenceRule[];
  readonly exceptRules: readonly RecurrenceRule[];
  readonly added: readonly Occurrence[];
  readonly removed: readonly Written[];
  /** The occurrence of the event with the same UID that this event stands for. */
  readonly replaces: Written | undefined;
};

// Many calendars write dates without VALUE=DATE; ical.js takes them only when it is not strict.
ICAL.design.strict = false;

/** Called for an event that cannot be read; throws, or returns to have the event left out. */
export type OnOddEvent = (problem: Error) => void;

/** Throws an Error that says what cannot be read; of a single event it is passed to `onOdd` first. */
export function eventsOfCalendar(text: string, onOdd: OnOddEvent): readonly ReadEvent[] {
  return linesOfEvents(text).flatMap((lines) => {
    try {
      return [readEvent(lines)];
    } catch (error) {
      onOdd(error as Error);
      return [];
    }
  });
}

/** The lines that are read. The others are left out because ical.js refuses a calendar for an odd line anywhere. */
const neededLine = /^(?:DTSTART|DTEND|DURATION|RRULE|EXRULE|RDATE|EXDATE|RECURRENCE-ID|UID|STATUS|SUMMARY)[;:]/i;

function linesOfEvents(text: string): readonly (readonly string[])[] {
  const events: (readonly string[])[] = [];
  let event: string[] = [];
  // The components that are open: VCALENDAR, VEVENT, and in it perhaps a VALARM, which has a DURATION of its own.
  const open: string[] = [];
  for (const line of unfold(text)) {
    const [, edge, component = ''] = /^(BEGIN|END):([\w-]+)$/i.exec(line) ?? [];
    const isInEvent = open.at(-1) === 'VEVENT';
    if (edge?.toUpperCase() === 'BEGIN') {
      open.push(component.toUpperCase());
      if (open.at(-1) === 'VEVENT') event = [];
    } else if (edge !== undefined) {
      open.pop();
      if (isInEvent && events.push(event) > mostEvents) throw new Error(`it has more than ${mostEvents} events`);
    } else if (isInEvent && neededLine.test(line)) {
      if (line.length > mostLineLength) throw new Error(`a line has more than ${mostLineLength} characters`);
      event.push(line);
    }
  }
  if (open.includes('VEVENT')) throw new Error('it ends in the middle of an event');
  // What was cut off between two events would lack the holidays of the rest of the year.
  if (open.includes('VCALENDAR')) throw new Error('it ends in the middle: its last line, END:VCALENDAR, is missing');
  return events;
}

/** A line that begins with a blank continues the one before. */
function unfold(text: string): readonly string[] {
  return text
    .replace(/(?:\r\n|\n|\r)[ \t]/g, '')
    .split(/\r\n|\n|\r/)
    .map((line) => line.trimEnd());
}

/** A property as ical.js reads it: jCal, RFC 7265. */
type Property = readonly [
  name: string,
  parameters: Readonly<Record<string, unknown>>,
  type: string,
  ...values: unknown[],
];

function readEvent(lines: readonly string[]): ReadEvent {
  const properties = lines.map(readProperty);
  const named = (name: string) => properties.filter((property) => property[0] === name);
  const summary = textOf(named('summary'));
  try {
    return eventOf(named);
  } catch (error) {
    const where = summary === '' ? 'an event without a summary' : `the event ${quoted(summary)}`;
    throw new Error(`${error instanceof Error ? error.message : 'something odd'} in ${where}`);
  }
}

function readProperty(line: string): Property {
  // As text, a rule comes as it is written; ical.js would pass over parts it does not know.
  const rule = /^(RRULE|EXRULE)(?=[;:])/i;
  try {
    return ICAL.parse.property(line.replace(rule, '$1;VALUE=TEXT')) as Property;
  } catch {
    throw new Error(`the line ${quoted(line)} cannot be read`);
  }
}

function eventOf(named: (name: string) => readonly Property[]): ReadEvent {
  const [start] = named('dtstart');
  if (start === undefined) throw new Error('there is no start');
  const [end] = valuesOf(named('dtend'));
  const [duration] = valuesOf(named('duration'));
  const [replaced] = named('recurrence-id');
  if (replaced?.[1].range !== undefined) throw new Error('a RECURRENCE-ID with a RANGE is not supported');
  return {
    uid: textOf(named('uid')),
    start: readWritten(start[3]),
    zone: String(start[1].tzid ?? ''),
    end: end === undefined ? undefined : readWritten(end),
    lengthMs: duration === undefined ? undefined : readDuration(duration),
    isCancelled: textOf(named('status')).toUpperCase() === 'CANCELLED',
    rules: valuesOf(named('rrule')).map(readRuleText),
    exceptRules: valuesOf(named('exrule')).map(readRuleText),
    added: valuesOf(named('rdate')).map(readAdded),
    removed: valuesOf(named('exdate')).map(readWritten),
    replaces: replaced === undefined ? undefined : readWritten(replaced[3]),
  };
}

function valuesOf(properties: readonly Property[]): readonly unknown[] {
  return properties.flatMap(([, , , ...values]) => values);
}

function textOf(properties: readonly Property[]): string {
  return String(properties[0]?.[3] ?? '');
}

function readRuleText(value: unknown): RecurrenceRule {
  const text = String(value).toUpperCase();
  const rule = readRule(text);
  if (rule === undefined) throw new Error(`the rule ${quoted(text)} is not supported`);
  return rule;
}

/** A value of RDATE: a start that takes the length of the event, or a start with an end or length of its own. */
function readAdded(value: unknown): Occurrence {
  if (!Array.isArray(value)) return { start: readWritten(value), end: undefined, lengthMs: undefined };
  const [start, end] = value;
  const isLength = /^[+-]?P/i.test(String(end));
  return {
    start: readWritten(start),
    end: isLength ? undefined : readWritten(end),
    lengthMs: isLength ? readDuration(end) : undefined,
  };
}

/** ical.js gives `2026-12-25`, `2026-12-25T09:00:00` or that with a `Z`, from anything. */
function readWritten(value: unknown): Written {
  const text = String(value);
  const date = readDate(text);
  if (date !== undefined) return { at: date, kind: 'date' };
  const moment = readMoment(text);
  if (moment === undefined) throw new Error(`${quoted(text)} is no date or time`);
  return { at: moment.at, kind: moment.kind === 'instant' ? 'utc' : 'civil' };
}

/** As `UNTIL` has it: a date means until the end of that day. */
export function readUntil(text: string): Written {
  const written = readWritten(text);
  return written.kind === 'date' ? { at: written.at + dayMs - 1, kind: 'civil' } : written;
}

function readDuration(value: unknown): number {
  const text = String(value);
  if (!/^[+-]?P(?:\d{1,6}W|(?=.)(?:\d{1,6}D)?(?:T(?=.)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,6}S)?)?)$/.test(text)) {
    throw new Error(`${quoted(text)} is no duration`);
  }
  return ICAL.Duration.fromString(text).toSeconds() * 1_000;
}

/** Calendars come from outside: no more of them than a person needs to find the place. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
