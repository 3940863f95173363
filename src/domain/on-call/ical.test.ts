// Calendars as others write them, and as we write them for others.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { processorMs } from '../../../test/harness/processor-time.ts';
import { type CalendarEvent, calendarOf, datesOfCalendar } from './ical.ts';

const range = { fromYear: 2026, toYear: 2028, timeZone: 'Europe/Paris' };

function datesOf(...lines: readonly string[]): readonly string[] {
  const text = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
  return datesOfCalendar(text, range);
}

const cases: readonly (readonly [why: string, lines: readonly string[], dates: readonly string[]])[] = [
  ['a day', ['DTSTART;VALUE=DATE:20261225'], ['2026-12-25']],
  ['a day with its end', ['DTSTART;VALUE=DATE:20261225', 'DTEND;VALUE=DATE:20261226'], ['2026-12-25']],
  ['days', ['DTSTART;VALUE=DATE:20261230', 'DTEND;VALUE=DATE:20270102'], ['2026-12-30', '2026-12-31', '2027-01-01']],
  ['days by duration', ['DTSTART;VALUE=DATE:20280228', 'DURATION:P2D'], ['2028-02-28', '2028-02-29']],
  ['days that began before', ['DTSTART;VALUE=DATE:20251230', 'DTEND;VALUE=DATE:20260102'], ['2026-01-01']],
  ['an end before the start', ['DTSTART;VALUE=DATE:20261225', 'DTEND;VALUE=DATE:20261220'], ['2026-12-25']],
  ['a time', ['DTSTART;TZID=Europe/Paris:20261225T090000', 'DTEND;TZID=Europe/Paris:20261225T170000'], ['2026-12-25']],
  ['midnight to midnight', ['DTSTART:20261225T000000', 'DTEND:20261226T000000'], ['2026-12-25']],
  ['a day of the zone in UTC', ['DTSTART:20261224T230000Z', 'DTEND:20261225T230000Z'], ['2026-12-25']],
  ['a quoted parameter with a colon', ['DTSTART;X-A="a:b;c";VALUE=DATE:20261225'], ['2026-12-25']],
  ['lower case', ['dtstart;value=date:20261225'], ['2026-12-25']],
  ['folded', ['DTSTART;VALUE=D', ' ATE:2026', '\t1225'], ['2026-12-25']],
  ['cancelled', ['DTSTART;VALUE=DATE:20261225', 'STATUS:CANCELLED'], []],
  ['outside the years', ['DTSTART;VALUE=DATE:20251225'], []],
  ['no such date', ['DTSTART;VALUE=DATE:20260230'], []],
  ['no such time', ['DTSTART:20261225T250000'], []],
  ['no start', ['SUMMARY:DTSTART:20261225'], []],
  [
    'an alarm inside',
    ['DTSTART;VALUE=DATE:20261225', 'BEGIN:VALARM', 'DTSTART;VALUE=DATE:20270101', 'END:VALARM'],
    ['2026-12-25'],
  ],
  ['yearly', ['DTSTART;VALUE=DATE:19971225', 'RRULE:FREQ=YEARLY'], ['2026-12-25', '2027-12-25', '2028-12-25']],
  ['yearly, counted', ['DTSTART;VALUE=DATE:20251225', 'RRULE:FREQ=YEARLY;COUNT=2'], ['2026-12-25']],
  ['yearly, until', ['DTSTART;VALUE=DATE:20201225', 'RRULE:FREQ=YEARLY;UNTIL=20271224'], ['2026-12-25']],
  [
    'yearly, until that day',
    ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;UNTIL=20271225T000000Z'],
    ['2026-12-25', '2027-12-25'],
  ],
  ['every other year', ['DTSTART;VALUE=DATE:20231225', 'RRULE:FREQ=YEARLY;INTERVAL=2'], ['2027-12-25']],
  ['29 February', ['DTSTART;VALUE=DATE:20200229', 'RRULE:FREQ=YEARLY'], ['2028-02-29']],
  ['29 February, counted', ['DTSTART;VALUE=DATE:20200229', 'RRULE:FREQ=YEARLY;COUNT=2'], []],
  [
    'over New Year',
    ['DTSTART;VALUE=DATE:20201231', 'DTEND;VALUE=DATE:20210102', 'RRULE:FREQ=YEARLY;UNTIL=20261231'],
    ['2026-01-01', '2026-12-31', '2027-01-01'],
  ],
  [
    'the fourth Thursday of November',
    ['DTSTART;VALUE=DATE:20201126', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH'],
    ['2026-11-26', '2027-11-25', '2028-11-23'],
  ],
  [
    'the last Monday of May',
    ['DTSTART;VALUE=DATE:20200525', 'RRULE:FREQ=YEARLY;BYDAY=-1MO;BYMONTH=5'],
    ['2026-05-25', '2027-05-31', '2028-05-29'],
  ],
  [
    'nothing before the start',
    ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH'],
    ['2027-11-25', '2028-11-23'],
  ],
  ['a rule that is not understood', ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;BYWEEKNO=20'], ['2026-12-25']],
  ['weekly', ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=WEEKLY'], ['2026-12-25']],
];

for (const [why, lines, dates] of cases) {
  test(`dates of a calendar: ${why}`, () => assert.deepEqual(datesOf(...lines), dates));
}

test('dates come in order, each once, from any kind of line end', () => {
  const event = (date: string) => `BEGIN:VEVENT\nDTSTART;VALUE=DATE:${date}\nEND:VEVENT\n`;
  const text = event('20270101') + event('20261225').replaceAll('\n', '\r\n') + event('20270101');
  assert.deepEqual(datesOfCalendar(text, range), ['2026-12-25', '2027-01-01']);
});

test('garbage is no calendar, and takes no time', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.deepEqual(datesOfCalendar(text, range), [])));
  const event = 'BEGIN:VEVENT\nDTSTART:01000101T000000Z\nDTEND:99991231\nRRULE:FREQ=YEARLY;COUNT=999999\nEND:VEVENT\n';
  const hostile = [
    event.repeat(10_000),
    `BEGIN:VEVENT\n${'\n '.repeat(500_000)}`,
    `BEGIN:VEVENT\nDTSTART;${'"a"'.repeat(300_000)}`,
    'BEGIN:VEVENT\n'.repeat(70_000),
    `BEGIN:VEVENT\nDTSTART:20260101\nRRULE:${'FREQ=YEARLY;'.repeat(80_000)}\nEND:VEVENT`,
  ];
  for (const text of hostile) {
    const took = processorMs(() => assert.ok(datesOfCalendar(text, range).length <= 3 * 366));
    assert.ok(took < 5_000, `${text.slice(0, 40)}… took ${took} ms`);
  }
});

const event: CalendarEvent = {
  key: 'group-7',
  from: Date.UTC(2026, 10, 5, 17),
  to: Date.UTC(2026, 10, 6, 7),
  summary: 'Night A',
  description: '',
};
const stamp = Date.UTC(2026, 10, 1, 9, 30, 15);

test('a calendar of duty, line by line', () => {
  assert.deepEqual(calendarOf({ name: 'Pumps', stamp, events: [event] }).split('\r\n'), [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Tocsin//Duty//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'X-WR-CALNAME:Pumps',
    'BEGIN:VEVENT',
    'UID:group-7-20261105T170000Z@tocsin',
    'DTSTAMP:20261101T093015Z',
    'DTSTART:20261105T170000Z',
    'DTEND:20261106T070000Z',
    'SUMMARY:Night A',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

test('what readers would take for something else is escaped', () => {
  const text = calendarOf({
    name: 'a;b,c\\d',
    stamp,
    events: [{ ...event, summary: 'x\r\nBEGIN:VEVENT\u0000\u0007', description: 'one\ntwo' }],
  });
  assert.match(text, /^X-WR-CALNAME:a\\;b\\,c\\\\d\r$/m);
  assert.match(text, /^SUMMARY:x\\nBEGIN:VEVENT\r$/m);
  assert.match(text, /^DESCRIPTION:one\\ntwo\r$/m);
});

test('a calendar without events has a component all the same', () => {
  assert.match(calendarOf({ name: '', stamp, events: [] }), /BEGIN:VTIMEZONE\r\nTZID:UTC\r\n/);
});

test('no line is longer than 75 octets, no character is cut, and unfolding gives back what was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (words) => {
      const summary = words.replace(/[\p{Cc}\\;,]/gu, '');
      const text = calendarOf({ name: summary, stamp, events: [{ ...event, summary }] });
      for (const line of text.split('\r\n')) {
        assert.ok(Buffer.byteLength(line) <= 75);
        assert.ok(line.isWellFormed());
      }
      assert.ok(text.replaceAll('\r\n ', '').includes(`\r\nSUMMARY:${summary.toWellFormed()}\r\n`));
    }),
    { numRuns: 500 },
  );
});

test('a long line is folded at 75 octets exactly', () => {
  const lines = calendarOf({ name: 'n'.repeat(200), stamp, events: [event] }).split('\r\n');
  assert.deepEqual(
    lines.slice(5, 8).map((line) => line.length),
    [75, 75, 200 + 'X-WR-CALNAME:'.length - 75 - 74 + 1],
  );
});

test('our own calendar is read back by date', () => {
  const text = calendarOf({ name: 'Pumps', stamp, events: [event] });
  assert.deepEqual(datesOfCalendar(text, range), ['2026-11-05', '2026-11-06']);
});
