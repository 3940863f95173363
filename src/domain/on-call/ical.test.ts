// Tests ical.ts: duty slots printed as an iCalendar feed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { soak } from '../../../test/harness/soak.ts';
import { datesOfCalendar } from './holiday-calendar.ts';
import { type CalendarEvent, calendarOf } from './ical.ts';

const event: CalendarEvent = {
  key: 'group-7',
  from: Date.UTC(2026, 10, 5, 17),
  to: Date.UTC(2026, 10, 6, 7),
  summary: 'Night A',
  description: '',
};
const stamp = Date.UTC(2026, 10, 1, 9, 30, 15);

test('calendarOf prints the lines of a calendar with one event', () => {
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

test('special and control characters in texts are escaped or removed', () => {
  const text = calendarOf({
    name: 'a;b,c\\d',
    stamp,
    events: [{ ...event, summary: 'x\r\nBEGIN:VEVENT\u0000\u0007', description: 'one\ntwo' }],
  });
  assert.match(text, /^X-WR-CALNAME:a\\;b\\,c\\\\d\r$/m);
  assert.match(text, /^SUMMARY:x\\nBEGIN:VEVENT\r$/m);
  assert.match(text, /^DESCRIPTION:one\\ntwo\r$/m);
});

test('a calendar without events contains a VTIMEZONE, since a calendar needs at least one component', () => {
  assert.match(calendarOf({ name: '', stamp, events: [] }), /BEGIN:VTIMEZONE\r\nTZID:UTC\r\n/);
});

test('lines have at most 75 octets, cut no character, and unfold to the original text', () => {
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
    { numRuns: soak(1_000) },
  );
});

test('a long line is folded at exactly 75 octets', () => {
  const lines = calendarOf({ name: 'n'.repeat(200), stamp, events: [event] }).split('\r\n');
  assert.deepEqual(
    lines.slice(5, 8).map((line) => line.length),
    [75, 75, 200 + 'X-WR-CALNAME:'.length - 75 - 74 + 1],
  );
});

test('datesOfCalendar reads back the dates of a printed calendar', () => {
  const text = calendarOf({ name: 'Pumps', stamp, events: [event] });
  assert.deepEqual(datesOfCalendar(text, { fromYear: 2026, toYear: 2026, timeZone: 'Europe/Paris' }), [
    '2026-11-05',
    '2026-11-06',
  ]);
});
