// Tests civil-time.ts: civil times against instants by a table of cases, and by comparison with Intl.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { soak } from '../../../test/harness/soak.ts';
import {
  civilClock,
  dayMs,
  hourMs,
  isTimeZone,
  printMoment,
  readDate,
  readEndTime,
  readMoment,
  readTime,
} from './civil-time.ts';

const instantOf: readonly (readonly [zone: string, civil: string, instant: string, why: string])[] = [
  ['Europe/Paris', '2026-01-15T08:00', '2026-01-15T07:00Z', 'winter'],
  ['Europe/Paris', '2026-07-15T08:00', '2026-07-15T06:00Z', 'summer'],
  ['Europe/Paris', '2026-03-29T01:59', '2026-03-29T00:59Z', 'the last minute before the gap'],
  ['Europe/Paris', '2026-03-29T02:00', '2026-03-29T01:00Z', 'the first time that is skipped'],
  ['Europe/Paris', '2026-03-29T02:30', '2026-03-29T01:00Z', 'skipped: the first instant after the gap'],
  ['Europe/Paris', '2026-03-29T03:00', '2026-03-29T01:00Z', 'the first time after the gap'],
  ['Europe/Paris', '2026-10-25T01:59', '2026-10-24T23:59Z', 'the last minute that comes once'],
  ['Europe/Paris', '2026-10-25T02:30', '2026-10-25T00:30Z', 'twice: the first occurrence'],
  ['Europe/Paris', '2026-10-25T03:00', '2026-10-25T02:00Z', 'after the repeated hour'],
  ['Australia/Lord_Howe', '2026-10-04T02:15', '2026-10-03T15:30Z', 'a gap of half an hour'],
  ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45Z', 'half an hour that repeats'],
  ['Australia/Lord_Howe', '2026-04-05T02:00', '2026-04-04T15:30Z', 'after it'],
  ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T10:00Z', 'a day that never was'],
  ['Africa/Cairo', '2026-04-24T00:00', '2026-04-23T22:00Z', 'midnight is skipped'],
  ['America/Havana', '2026-11-01T00:30', '2026-11-01T04:30Z', 'midnight comes twice'],
  ['America/St_Johns', '2026-07-01T00:00', '2026-07-01T02:30Z', 'half an hour off'],
  ['Asia/Kathmandu', '2026-07-01T00:00', '2026-06-30T18:15Z', 'a quarter off'],
  ['Mars/Olympus', '2026-07-01T00:00', '2026-07-01T00:00Z', 'unknown zone: UTC'],
];

for (const [zone, civil, instant, why] of instantOf) {
  test(`${civil} in ${zone} is ${instant}: ${why}`, () => {
    assert.equal(
      new Date(civilClock(zone).instantOf(Date.parse(`${civil}Z`))).toISOString().replace(':00.000', ''),
      instant,
    );
  });
}

test('civilOf agrees with Intl', () => {
  const zones = ['Europe/Paris', 'Africa/Casablanca', 'Australia/Lord_Howe', 'Pacific/Chatham', 'Asia/Tehran'];
  const at = fc.integer({ min: Date.UTC(2015, 0) / 60_000, max: Date.UTC(2040, 0) / 60_000 });
  for (const zone of zones) {
    const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    fc.assert(
      fc.property(at, (minute) => {
        const civil = new Date(civilClock(zone).civilOf(minute * 60_000)).toISOString();
        assert.equal(civil.slice(0, 19).replace('T', ' '), shown.format(minute * 60_000));
      }),
      { numRuns: soak(1_000) },
    );
  }
});

test('a later civil time is never an earlier instant', () => {
  const clock = civilClock('Antarctica/Troll');
  // Its two hours are skipped and come twice; on another day nothing could be out of order.
  const change = fc.constantFrom(Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 3), Date.UTC(2027, 2, 28, 1));
  const before = fc.integer({ min: -300, max: 300 });
  fc.assert(
    fc.property(change, before, fc.integer({ min: 0, max: 300 }), (civil, minutes, more) => {
      const one = civil + minutes * 60_000;
      assert.ok(clock.instantOf(one) <= clock.instantOf(one + more * 60_000));
    }),
    { numRuns: soak(2_000) },
  );
});

test('dates and times that do not exist are rejected', () => {
  assert.equal(readDate('2024-02-29'), Date.UTC(2024, 1, 29));
  for (const text of ['2026-02-29', '2026-02-30', '2026-13-01', '2026-1-1', '0000-00-00', '', '2026-01-01 ']) {
    assert.equal(readDate(text), undefined, text);
  }
  assert.equal(readTime('23:59'), dayMs - 60_000);
  for (const text of ['24:00', '25:00', '12:60', '1:00', '12', '']) assert.equal(readTime(text), undefined, text);
  assert.equal(readEndTime('24:00'), dayMs);
  assert.equal(readEndTime('24:01'), undefined);
});

test('readMoment returns a civil time, or an instant if there is an offset', () => {
  const at = Date.UTC(2026, 10, 20, 8);
  assert.deepEqual(readMoment('2026-11-20T08:00'), { kind: 'civil', at });
  assert.deepEqual(readMoment('2026-11-20T08:00:30'), { kind: 'civil', at: at + 30_000 });
  assert.deepEqual(readMoment('2026-11-20T08:00:30.250'), { kind: 'civil', at: at + 30_250 });
  assert.deepEqual(readMoment('2026-11-20T08:00Z'), { kind: 'instant', at });
  assert.deepEqual(readMoment('2026-11-20T08:00+01:00'), { kind: 'instant', at: at - hourMs });
  assert.deepEqual(readMoment('2026-11-20T08:00-03:30'), { kind: 'instant', at: at + 3.5 * hourMs });
  for (const text of ['2026-02-30T08:00', '2026-11-20T24:00', '2026-11-20', '2026-11-20 08:00', 'now', '']) {
    assert.equal(readMoment(text), undefined, text);
  }
});

test('printMoment prints local time, with the offset only in the repeated hour', () => {
  assert.equal(printMoment('Europe/Paris', Date.UTC(2026, 9, 25, 0, 30)), '2026-10-25T02:30');
  assert.equal(printMoment('Europe/Paris', Date.UTC(2026, 9, 25, 1, 30)), '2026-10-25T02:30+01:00');
  assert.equal(printMoment('America/New_York', Date.UTC(2026, 10, 1, 6, 30, 5)), '2026-11-01T01:30:05-05:00');
});

test('readMoment reads back what printMoment printed, also around clock changes', () => {
  const around = fc.integer({ min: -7_200_000, max: 7_200_000 });
  fc.assert(
    fc.property(fc.constantFrom(Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)), around, (change, distance) => {
      const moment = readMoment(printMoment('Europe/Paris', change + distance));
      const read = moment?.kind === 'civil' ? civilClock('Europe/Paris').instantOf(moment.at) : moment?.at;
      assert.equal(read, change + distance);
    }),
  );
});

test('isTimeZone accepts names and offsets only', () => {
  for (const name of ['Europe/Paris', 'UTC', 'Etc/GMT+5', '+05:30']) assert.ok(isTimeZone(name), name);
  for (const name of ['', 'Mars/Olympus', 'Europe/', '2020-01-01T00:00[Europe/Paris]', '+25:00', 'Z', '5']) {
    assert.ok(!isTimeZone(name), name);
  }
});
