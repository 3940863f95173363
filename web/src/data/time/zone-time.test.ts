// Tests zone-time.ts: around the days on which a clock changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysLater, fieldText, instantAt, instantOfField, startOfDay, wallTime } from './zone-time.ts';

const paris = 'Europe/Paris';
const at = (text: string): number => Date.parse(text);

test('a field shows the time of the plant and is read as such', () => {
  assert.equal(fieldText(at('2026-11-16T02:12:41Z'), paris), '2026-11-16T03:12');
  assert.equal(instantOfField('2026-11-16T03:12', paris), at('2026-11-16T02:12Z'));
  assert.equal(instantOfField('', paris), undefined);
});

test('of an hour that comes twice the first one counts, and a skipped time is moved on', () => {
  assert.equal(instantAt(at('2026-10-25T02:30Z'), paris), at('2026-10-25T00:30Z'));
  assert.equal(instantAt(at('2026-03-29T02:30Z'), paris), at('2026-03-29T01:30Z'));
});

test('days begin at midnight and keep the time of the clock, also when they have 23 or 25 hours', () => {
  assert.equal(startOfDay(at('2026-10-25T20:00Z'), paris), at('2026-10-24T22:00Z'));
  assert.equal(daysLater(at('2026-10-24T22:00Z'), 1, paris), at('2026-10-25T23:00Z'));
  assert.equal(daysLater(at('2026-03-29T23:00Z'), -1, paris), at('2026-03-28T23:00Z') + 3_600_000);
});

test('the clock of the zone is read through a year as it is written', () => {
  for (const zone of [paris, 'America/New_York', 'Australia/Lord_Howe', 'UTC']) {
    for (let hour = at('2026-01-01T00:00Z'); hour < at('2027-01-01T00:00Z'); hour += 5 * 3_600_000) {
      const read = instantAt(wallTime(hour, zone), zone);
      assert.ok(read === hour || hour - read <= 3_600_000, `${zone} ${new Date(hour).toISOString()}`);
      assert.equal(wallTime(read, zone), wallTime(hour, zone));
    }
  }
});
