// Prints duty slots as an iCalendar (RFC 5545) to subscribe to. Pure.

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
