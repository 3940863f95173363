// Tests date-time.ts in zones with odd offsets and around every kind of clock change.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/harness/fast-check.ts';
import { soak } from '../../test/harness/soak.ts';
import { parseDateTime, printInstant, printUtcLocal } from './date-time.ts';

const zones = [
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Africa/Casablanca',
  'America/Sao_Paulo',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Europe/Dublin',
  'Africa/Monrovia',
];
const zone = fc.constantFrom(...zones);
const instant = fc.integer({ min: Date.UTC(1960, 0), max: Date.UTC(2100, 0) });

/** Reads the zone's wall clock independently of date-time.ts, by fields instead of by offset. */
function wallClockIn(ms: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  }).formatToParts(ms);
  const part = (type: string) => parts.find((candidate) => candidate.type === type)?.value;
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}.${part('fractionalSecond')}`;
}

test('printInstant prints the wall clock of the zone, and parseDateTime reads it back', () => {
  fc.assert(
    fc.property(instant, zone, zone, (ms, timeZone, other) => {
      const printed = printInstant(ms, timeZone);
      assert.match(printed, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d$/);
      if (ms >= Date.UTC(1973, 0)) assert.equal(printed.slice(0, 23), wallClockIn(ms, timeZone));
      assert.equal(parseDateTime(printed, other), ms);
      assert.equal(parseDateTime(printed.replace('+', ' '), other), ms);
    }),
    { numRuns: soak(1_000) },
  );
});

test('a wall clock time is parsed as the earliest instant that shows it', () => {
  fc.assert(
    fc.property(instant, zone, (ms, timeZone) => {
      const read = parseDateTime(wallClockIn(ms, timeZone), timeZone);
      assert.ok(read !== undefined && read <= ms);
      assert.equal(wallClockIn(read, timeZone), wallClockIn(ms, timeZone));
    }),
    { numRuns: soak(1_000) },
  );
});

test('printing and parsing agree around every clock change, minute by minute', () => {
  const changes: [string, number][] = [
    ['Europe/Paris', Date.UTC(2026, 2, 29, 1)],
    ['Europe/Paris', Date.UTC(2026, 9, 25, 1)],
    ['Australia/Lord_Howe', Date.UTC(2026, 3, 4, 15)],
    ['Australia/Lord_Howe', Date.UTC(2026, 9, 3, 15, 30)],
    ['Pacific/Chatham', Date.UTC(2026, 8, 26, 14)],
    ['America/Sao_Paulo', Date.UTC(2018, 10, 4, 3)],
    ['Africa/Casablanca', Date.UTC(2026, 2, 22, 2)],
    ['America/St_Johns', Date.UTC(2010, 2, 14, 3, 31)],
    ['America/St_Johns', Date.UTC(2026, 2, 8, 5, 30)],
    ['Pacific/Apia', Date.UTC(2011, 11, 30, 10)],
  ];
  for (const [timeZone, change] of changes) {
    for (let ms = change - 7_200_000; ms <= change + 7_200_000; ms += 60_000) {
      assert.equal(printInstant(ms, timeZone).slice(0, 23), wallClockIn(ms, timeZone), `${timeZone} ${ms}`);
      assert.equal(parseDateTime(printInstant(ms, timeZone), 'UTC'), ms);
    }
  }
});

test('parseDateTime reads ISO 8601', () => {
  const paris = 'Europe/Paris';
  const cases: [string, string, string | undefined][] = [
    ['2026-05-31T08:30:00+02:00', paris, '2026-05-31T06:30:00.000'],
    ['2026-05-31T08:30:00 02:00', paris, '2026-05-31T06:30:00.000'],
    ['2026-05-31T08:30:00-0330', paris, '2026-05-31T12:00:00.000'],
    ['2026-05-31T08:30:00+02', paris, '2026-05-31T06:30:00.000'],
    ['2026-05-31T08:30:00Z', paris, '2026-05-31T08:30:00.000'],
    ['2026-05-31T08:30', paris, '2026-05-31T06:30:00.000'],
    ['2026-05-31', paris, '2026-05-30T22:00:00.000'],
    // A fraction of a millisecond is rounded up, so that times stored in milliseconds are on the right side of `from`
    // and `to`.
    ['2026-05-31T08:30:00.1239999', paris, '2026-05-31T06:30:00.124'],
    ['2026-05-31T08:30:00.1230000', paris, '2026-05-31T06:30:00.123'],
    ['2026-05-31T08:30:59.9999', paris, '2026-05-31T06:31:00.000'],
    ['2026-05-31T08:30:00,5Z', paris, '2026-05-31T08:30:00.500'],
    ['2024-02-29', 'UTC', '2024-02-29T00:00:00.000'],
    ['20260531T083000.5Z', paris, '2026-05-31T08:30:00.500'],
    ['20260531T0830+0200', paris, '2026-05-31T06:30:00.000'],
    ['20260531', paris, '2026-05-30T22:00:00.000'],
    ['2026-05-31T08', paris, '2026-05-31T06:00:00.000'],
    ['2026-05-31T08:30:00.0000000000', paris, '2026-05-31T06:30:00.000'],
    ['2026-12-31T24:00:00', 'UTC', '2027-01-01T00:00:00.000'],
    ['2026-10-24T24:00', paris, '2026-10-24T22:00:00.000'],
    // A leap second is the first second of the next minute.
    ['2016-12-31T23:59:60Z', paris, '2017-01-01T00:00:00.000'],
    ['2017-01-01T00:59:60.25+01:00', 'UTC', '2017-01-01T00:00:00.250'],
    ['20170101T005960', paris, '2017-01-01T00:00:00.000'],
    // A time in the skipped hour 02:00-03:00 is moved by the gap; a time in the repeated hour is its first occurrence.
    ['2026-03-29T02:30:00', paris, '2026-03-29T01:30:00.000'],
    ['2026-10-25T02:30:00', paris, '2026-10-25T00:30:00.000'],
    // A skipped midnight; a skipped half hour; a skipped day.
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00:00.000'],
    ['2026-10-04T02:15:00', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000'],
    ['2011-12-30T12:00:00', 'Pacific/Apia', '2011-12-30T22:00:00.000'],
    ['0001-01-01T00:00:00Z', paris, '0001-01-01T00:00:00.000'],
    ['2023-02-29', 'UTC', undefined],
    ['2026-04-31', 'UTC', undefined],
    ['2026-13-01', 'UTC', undefined],
    ['2026-00-10', 'UTC', undefined],
    ['2026-01-01T24:00:01', 'UTC', undefined],
    ['2026-01-01T24:00:00.001', 'UTC', undefined],
    ['2026-01-01T25:00', 'UTC', undefined],
    ['2026-0531', 'UTC', undefined],
    ['202605-31', 'UTC', undefined],
    ['2026-05-31T08:3000', 'UTC', undefined],
    ['2026-W22-7', 'UTC', undefined],
    ['202605', 'UTC', undefined],
    ['2026-01-01T12:60', 'UTC', undefined],
    ['2026-01-01T12:00:61', 'UTC', undefined],
    ['2026-01-01T24:00:60', 'UTC', undefined],
    ['2026-01-01T23:60:60', 'UTC', undefined],
    ['2026-01-01 12:00', 'UTC', undefined],
    ['2026-01-01T12:00+24:00', 'UTC', undefined],
    ['2026-01-01T12:00+01:60', 'UTC', undefined],
    ['26-01-01', 'UTC', undefined],
    ['+002026-01-01', 'UTC', undefined],
    [' 2026-01-01', 'UTC', undefined],
    ['2026-01-01\n', 'UTC', undefined],
    ['yesterday', 'UTC', undefined],
    ['', 'UTC', undefined],
  ];
  for (const [text, timeZone, utc] of cases) {
    const read = parseDateTime(text, timeZone);
    assert.equal(read === undefined ? undefined : printUtcLocal(read), utc, text);
  }
});

test('parseDateTime never throws, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d( \d\d:\d\d)?$/)),
      zone,
      (text, timeZone) => {
        const read = parseDateTime(text, timeZone);
        assert.ok(read === undefined || Number.isSafeInteger(read));
      },
    ),
  );
});

test('UTC is printed with its offset', () => {
  assert.equal(printInstant(0, 'UTC'), '1970-01-01T00:00:00.000+00:00');
  assert.equal(printInstant(1_780_209_000_005, 'America/St_Johns'), '2026-05-31T04:00:00.005-02:30');
});
