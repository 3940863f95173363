// Tests alarms-search.ts: of an odd address counts what can be understood, and nothing that would hide every alarm.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterOf, readAlarmsSearch } from './alarms-search.ts';

test('ids that are none are no filter: a list that says “any station” does not hide every alarm', () => {
  assert.deepEqual(readAlarmsSearch({ id: 'abc', station: ',,x', group: '7,,8,x', priority: 'p9' }), { group: '7,8' });
});

test('a single id in an address, which is read as a number, is a filter', () => {
  assert.equal(filterOf(readAlarmsSearch({ station: 2, id: 5 })), 'station=2');
});
