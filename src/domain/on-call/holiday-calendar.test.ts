// Tests holiday-calendar.ts: holidays as lists and rules, with exceptions, in any zone; malformed and hostile
// calendars.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { processorMs } from '../../../test/harness/server/processor-time.ts';
import { datesOfCalendar } from './holiday-calendar.ts';

const range = { fromYear: 2026, toYear: 2028, timeZone: 'Europe/Paris' };

function calendarOf(...events: readonly (readonly string[])[]): string {
  const lines = events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT']);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

type Case = readonly [why: string, lines: readonly string[], dates: readonly string[]];

const single: readonly Case[] = [
  ['a day', ['DTSTART;VALUE=DATE:20261225'], ['2026-12-25']],
  ['a day without its type', ['DTSTART:20261225'], ['2026-12-25']],
  ['a day with its end', ['DTSTART;VALUE=DATE:20261225', 'DTEND;VALUE=DATE:20261226'], ['2026-12-25']],
  ['days', ['DTSTART;VALUE=DATE:20261230', 'DTEND;VALUE=DATE:20270102'], ['2026-12-30', '2026-12-31', '2027-01-01']],
  ['days by duration', ['DTSTART;VALUE=DATE:20280228', 'DURATION:P2D'], ['2028-02-28', '2028-02-29']],
  ['days that began before', ['DTSTART;VALUE=DATE:20251230', 'DTEND;VALUE=DATE:20260102'], ['2026-01-01']],
  ['days that end after', ['DTSTART;VALUE=DATE:20281231', 'DTEND;VALUE=DATE:20290103'], ['2028-12-31']],
  ['an end before the start', ['DTSTART;VALUE=DATE:20261225', 'DTEND;VALUE=DATE:20261220'], ['2026-12-25']],
  ['a time', ['DTSTART;TZID=Europe/Paris:20261225T090000', 'DTEND;TZID=Europe/Paris:20261225T170000'], ['2026-12-25']],
  ['hours over midnight', ['DTSTART:20261224T200000', 'DURATION:PT6H'], ['2026-12-24', '2026-12-25']],
  ['hours until midnight', ['DTSTART:20261224T200000', 'DURATION:PT4H'], ['2026-12-24']],
  ['midnight to midnight', ['DTSTART:20261225T000000', 'DTEND:20261226T000000'], ['2026-12-25']],
  ['a day of the zone in UTC', ['DTSTART:20261224T230000Z', 'DTEND:20261225T230000Z'], ['2026-12-25']],
  ['a day of 25 hours in UTC', ['DTSTART:20261024T220000Z', 'DTEND:20261025T230000Z'], ['2026-10-25']],
  ['the date as another zone has it', ['DTSTART;TZID=Asia/Tokyo:20261225T030000'], ['2026-12-25']],
  ['a quoted parameter with a colon', ['DTSTART;X-A="a:b;c";VALUE=DATE:20261225'], ['2026-12-25']],
  ['lower case', ['dtstart;value=date:20261225'], ['2026-12-25']],
  ['folded', ['DTSTART;VALUE=D', ' ATE:2026', '\t1225'], ['2026-12-25']],
  ['cancelled', ['DTSTART;VALUE=DATE:20261225', 'STATUS:CANCELLED'], []],
  ['outside the years', ['DTSTART;VALUE=DATE:20251225'], []],
  [
    'odd lines that say nothing about days',
    ['DTSTART:20261225', 'DESCRIPTION:first', 'second', ';=:"', ''],
    ['2026-12-25'],
  ],
  [
    'an alarm inside',
    ['DTSTART;VALUE=DATE:20261225', 'BEGIN:VALARM', 'DTSTART;VALUE=DATE:20270101', 'DURATION:P9D', 'END:VALARM'],
    ['2026-12-25'],
  ],
];

const repeated: readonly Case[] = [
  ['yearly', ['DTSTART;VALUE=DATE:19971225', 'RRULE:FREQ=YEARLY'], ['2026-12-25', '2027-12-25', '2028-12-25']],
  ['yearly in lower case', ['DTSTART;VALUE=DATE:19971225', 'rrule:freq=yearly;until=20261225'], ['2026-12-25']],
  ['yearly, counted', ['DTSTART;VALUE=DATE:20251225', 'RRULE:FREQ=YEARLY;COUNT=2'], ['2026-12-25']],
  ['yearly, until', ['DTSTART;VALUE=DATE:20201225', 'RRULE:FREQ=YEARLY;UNTIL=20271224'], ['2026-12-25']],
  [
    'until midnight in UTC, which stands for the date',
    ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;UNTIL=20271225T000000Z'],
    ['2026-12-25', '2027-12-25'],
  ],
  [
    'until the beginning of the day, in UTC',
    ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;UNTIL=20271224T230000Z'],
    ['2026-12-25', '2027-12-25'],
  ],
  [
    'until a time in UTC, of an event in another zone',
    ['DTSTART;TZID=Asia/Tokyo:20261225T000000', 'RRULE:FREQ=YEARLY;UNTIL=20271224T150000Z'],
    ['2026-12-25', '2027-12-25'],
  ],
  [
    'until a date, of an event with a time',
    ['DTSTART:20261225T090000', 'RRULE:FREQ=YEARLY;UNTIL=20271225'],
    ['2026-12-25', '2027-12-25'],
  ],
  [
    'every year in UTC, also where that is another day',
    ['DTSTART:20201224T230000Z', 'DTEND:20201225T230000Z', 'RRULE:FREQ=YEARLY;UNTIL=20271224T230000Z'],
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
    'the last Monday of May, by position',
    ['DTSTART;VALUE=DATE:20200525', 'RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=MO;BYSETPOS=-1'],
    ['2026-05-25', '2027-05-31', '2028-05-29'],
  ],
  [
    'the Monday before 25 May',
    ['DTSTART;VALUE=DATE:20200518', 'RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=MO;BYMONTHDAY=18,19,20,21,22,23,24'],
    ['2026-05-18', '2027-05-24', '2028-05-22'],
  ],
  [
    'nothing before the start',
    ['DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH'],
    ['2027-11-25', '2028-11-23'],
  ],
  [
    'two rules',
    ['DTSTART:20261225', 'RRULE:FREQ=YEARLY;COUNT=1', 'RRULE:FREQ=DAILY;COUNT=2'],
    ['2026-12-25', '2026-12-26'],
  ],
  ['a rule that no day fits', ['DTSTART:20260101', 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'], []],
  [
    'every 36 hours, four times',
    ['DTSTART:20261224T000000', 'RRULE:FREQ=HOURLY;INTERVAL=36;COUNT=3'],
    ['2026-12-24', '2026-12-25', '2026-12-27'],
  ],
];

const changed: readonly Case[] = [
  [
    'one taken out',
    ['DTSTART:20261225', 'RRULE:FREQ=YEARLY', 'EXDATE;VALUE=DATE:20271225'],
    ['2026-12-25', '2028-12-25'],
  ],
  [
    'one taken out in UTC',
    ['DTSTART:20261225', 'RRULE:FREQ=YEARLY;COUNT=2', 'EXDATE:20261224T230000Z'],
    ['2027-12-25'],
  ],
  [
    'times taken out: one by its time, one by its date, none by another time',
    [
      'DTSTART;TZID=Europe/Paris:20261201T090000',
      'RRULE:FREQ=DAILY;COUNT=4',
      'EXDATE;TZID=Europe/Paris:20261201T090000,20261202T100000',
      'EXDATE;VALUE=DATE:20261203',
    ],
    ['2026-12-02', '2026-12-04'],
  ],
  [
    'a rule taken out by a rule',
    ['DTSTART:20261224', 'RRULE:FREQ=DAILY;COUNT=3', 'EXRULE:FREQ=DAILY;INTERVAL=2'],
    ['2026-12-25'],
  ],
  [
    'days added',
    ['DTSTART:20261225', 'RDATE;VALUE=DATE:20270101,20270106'],
    ['2026-12-25', '2027-01-01', '2027-01-06'],
  ],
  [
    'days added to a rule',
    ['DTSTART:20261225', 'RRULE:FREQ=YEARLY;COUNT=1', 'RDATE:20270101'],
    ['2026-12-25', '2027-01-01'],
  ],
  [
    'stretches added',
    ['DTSTART:20261225T000000', 'RDATE;VALUE=PERIOD:20270101T000000/P2D,20270201T000000/20270201T120000'],
    ['2026-12-25', '2027-01-01', '2027-01-02', '2027-02-01'],
  ],
  [
    'an added day taken out',
    ['DTSTART:20261225', 'RDATE:20270101,20270106', 'EXDATE:20270101,20261225'],
    ['2027-01-06'],
  ],
];

for (const [why, lines, dates] of [...single, ...repeated, ...changed]) {
  test(`dates of a calendar: ${why}`, () => assert.deepEqual(datesOfCalendar(calendarOf(lines), range), dates));
}

const series = ['UID:a@example.org', 'DTSTART;VALUE=DATE:20261225', 'RRULE:FREQ=YEARLY'];

test('an event with RECURRENCE-ID replaces one occurrence of the event with its UID', () => {
  const moved = [
    'UID:a@example.org',
    'RECURRENCE-ID;VALUE=DATE:20271225',
    'DTSTART;VALUE=DATE:20271227',
    'DURATION:P2D',
  ];
  const dates = ['2026-12-25', '2027-12-27', '2027-12-28', '2028-12-25'];
  assert.deepEqual(datesOfCalendar(calendarOf(series, moved), range), dates);
  assert.deepEqual(datesOfCalendar(calendarOf(moved, series), range), dates);
});

test('an occurrence cancelled by an event with RECURRENCE-ID is no holiday; occurrences of other UIDs stay', () => {
  const cancelled = ['RECURRENCE-ID:20271225', 'DTSTART:20271225', 'STATUS:CANCELLED'];
  const own = calendarOf(series, ['UID:a@example.org', ...cancelled]);
  assert.deepEqual(datesOfCalendar(own, range), ['2026-12-25', '2028-12-25']);
  const other = calendarOf(series, ['UID:b@example.org', ...cancelled]);
  assert.deepEqual(datesOfCalendar(other, range), ['2026-12-25', '2027-12-25', '2028-12-25']);
});

test('dates are sorted and unique, with any kind of line end', () => {
  const event = (date: string) => `BEGIN:VEVENT\nDTSTART;VALUE=DATE:${date}\nEND:VEVENT\n`;
  const text =
    event('20270101') + event('20261225').replaceAll('\n', '\r\n') + event('20270101').replaceAll('\n', '\r');
  assert.deepEqual(datesOfCalendar(text, range), ['2026-12-25', '2027-01-01']);
});

const refused: readonly (readonly [why: string, lines: readonly string[], problem: string])[] = [
  [
    'a rule by weeks of the year',
    ['SUMMARY:Works holiday', 'DTSTART:20260713', 'RRULE:FREQ=YEARLY;BYWEEKNO=29,30'],
    'the rule "FREQ=YEARLY;BYWEEKNO=29,30" is not supported in the event "Works holiday"',
  ],
  [
    'a rule of another calendar',
    ['DTSTART:20260217', 'RRULE:RSCALE=CHINESE;FREQ=YEARLY'],
    'the rule "RSCALE=CHINESE;FREQ=YEARLY" is not supported in an event without a summary',
  ],
  [
    'no frequency',
    ['DTSTART:20260217', 'RRULE:COUNT=2'],
    'the rule "COUNT=2" is not supported in an event without a summary',
  ],
  [
    'a long rule, which is cut',
    ['SUMMARY:x', 'DTSTART:20260217', `RRULE:FREQ=YEARLY;X=${'y'.repeat(100)}`],
    `the rule "FREQ=YEARLY;X=${'Y'.repeat(66)}…" is not supported in the event "x"`,
  ],
  [
    'an EXRULE',
    ['SUMMARY:x', 'DTSTART:20260217', 'EXRULE:FREQ=NEVER'],
    'the rule "FREQ=NEVER" is not supported in the event "x"',
  ],
  ['no such date', ['SUMMARY:x', 'DTSTART;VALUE=DATE:20260230'], '"2026-02-30" is no date or time in the event "x"'],
  [
    'no such time',
    ['SUMMARY:x', 'DTSTART:20261225T250000'],
    '"2026-12-25T25:00:00" is no date or time in the event "x"',
  ],
  [
    'no such exception',
    ['SUMMARY:x', 'DTSTART:20261225', 'EXDATE:soon'],
    '"soon--T::" is no date or time in the event "x"',
  ],
  ['no such length', ['SUMMARY:x', 'DTSTART:20261225', 'DURATION:P'], '"P" is no duration in the event "x"'],
  ['no start', ['SUMMARY:DTSTART:20261225'], 'there is no start in the event "DTSTART:20261225"'],
  [
    'a change of all later occurrences',
    ['SUMMARY:x', 'RECURRENCE-ID;RANGE=THISANDFUTURE:20271225', 'DTSTART:20271226'],
    'a RECURRENCE-ID with a RANGE is not supported in the event "x"',
  ],
  ['an unreadable line', ['DTSTART;VALUE:20261225'], 'the line "DTSTART;VALUE:20261225" cannot be read'],
];

for (const [why, lines, message] of refused) {
  test(`a calendar is refused with a reason: ${why}`, () => {
    assert.throws(() => datesOfCalendar(calendarOf(['DTSTART:20261225'], lines), range), { message });
  });
}

test('a calendar that ends inside an event is refused', () => {
  const text = calendarOf(['DTSTART:20261225']);
  const message = 'it ends in the middle of an event';
  assert.throws(() => datesOfCalendar(text.slice(0, text.indexOf('END:VEVENT')), range), { message });
});

test('a calendar that was cut off between two events is refused', () => {
  const text = calendarOf(['DTSTART:20261225'], ['DTSTART:20261226']);
  const cut = text.slice(0, text.lastIndexOf('BEGIN:VEVENT'));
  assert.match(cut, /END:VEVENT\s*$/);
  assert.throws(() => datesOfCalendar(cut, range), { message: /END:VCALENDAR, is missing/ });
});

test('a text without events has no dates, whatever it contains', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.deepEqual(datesOfCalendar(text, range), [])));
});

const endless = 'BEGIN:VEVENT\nDTSTART:01000101T000000Z\nDTEND:99991231\nRRULE:FREQ=YEARLY;COUNT=999999\nEND:VEVENT\n';
const tooMuch = /^its events repeat too often: they take more than 200000 steps to work out$/;
const zones = Intl.supportedValuesOf('timeZone');
const hostile: readonly (readonly [why: string, text: string, message: RegExp])[] = [
  ['endless events', endless.repeat(9_000), tooMuch],
  ['every second', calendarOf(['DTSTART:20260101T000000', 'RRULE:FREQ=SECONDLY']), tooMuch],
  ['every second of no day', calendarOf(['DTSTART:20260101', 'RRULE:FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30']), tooMuch],
  ['weeks without a day', calendarOf(['DTSTART:01000101', 'RRULE:FREQ=WEEKLY;BYSETPOS=9;COUNT=9']), tooMuch],
  [
    'a clock for every event',
    calendarOf(
      ...zones.map((zone) => [`DTSTART;TZID=${zone}:20260101T000000`, 'RRULE:FREQ=YEARLY;UNTIL=20280101T000000Z']),
    ),
    tooMuch,
  ],
  [
    'many events that one another replace',
    calendarOf(
      ...Array.from({ length: 4_900 }, () => ['UID:a', 'DTSTART:20260101', 'RRULE:FREQ=YEARLY;COUNT=1']),
      ...Array.from({ length: 4_900 }, () => ['UID:a', 'RECURRENCE-ID:20260101', 'DTSTART:20260102']),
    ),
    tooMuch,
  ],
  ['many events', 'BEGIN:VEVENT\nDTSTART:20260101\nEND:VEVENT\n'.repeat(20_000), /^it has more than 10000 events$/],
  ['events that never end', 'BEGIN:VEVENT\n'.repeat(70_000), /^it ends in the middle of an event$/],
  ['lines folded half a million times', `BEGIN:VEVENT\n${'\n '.repeat(500_000)}`, /^it ends in the middle/],
  [
    'a long line of parameters',
    `BEGIN:VEVENT\nDTSTART${';A=B'.repeat(250_000)}\nEND:VEVENT`,
    /^a line has more than 65536 characters$/,
  ],
  [
    'lines of parameters',
    `BEGIN:VEVENT\n${`DTSTART${';A=B'.repeat(16_000)}\n`.repeat(15)}END:VEVENT`,
    /cannot be read$/,
  ],
  [
    'a long rule',
    calendarOf(['DTSTART:20260101', `RRULE:${'FREQ=YEARLY;'.repeat(5_000)}COUNT`]),
    /^the rule "FREQ=YEARLY;.{68}…" is not supported/,
  ],
];

test('a hostile calendar is refused within two seconds of processor time', (t) => {
  for (const [why, text, message] of hostile) {
    const took = processorMs(() => assert.throws(() => datesOfCalendar(text, range), { message }, why));
    t.diagnostic(`${why}: ${took.toFixed(0)} ms`);
    assert.ok(took < 2_000, `${why} took ${took} ms`);
  }
});

test('a calendar of 9,000 plain holidays is read within two seconds of processor time', (t) => {
  const days = Array.from({ length: 9_000 }, (_, n) => new Date(Date.UTC(2026, 0, 1 + (n % 1_096))));
  const events = days.map((day, n) => [
    `UID:${n}@example.org`,
    `DTSTART;VALUE=DATE:${day.toISOString().slice(0, 10).replaceAll('-', '')}`,
    `SUMMARY:Holiday ${n}`,
  ]);
  const text = calendarOf(...events);
  const took = processorMs(() => assert.equal(datesOfCalendar(text, range).length, 1_096));
  t.diagnostic(`${text.length} characters, ${took.toFixed(0)} ms`);
  assert.ok(took < 2_000, `took ${took} ms`);
});
