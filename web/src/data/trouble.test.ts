// Tests trouble.ts: link, store and calling are told apart, and only what makes the screen blind sounds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBlind, troublesOf } from './trouble.ts';

const well = { takesAlarms: true, readsAlarms: true, calling: [], since: '2026-11-17T03:00:00Z' };
const since = Date.parse(well.since);
const kinds = (...told: Parameters<typeof troublesOf>) => troublesOf(...told).map(({ kind }) => kind);

test('a server that is there and takes no alarms is told apart from a lost link, and from one that cannot call', () => {
  assert.deepEqual(kinds(false, well), []);
  assert.deepEqual(kinds(false, undefined), []);
  assert.deepEqual(kinds(true, well), ['link']);
  assert.deepEqual(troublesOf(false, { ...well, takesAlarms: false, readsAlarms: false }), [
    { kind: 'notTaken', since },
  ]);
  assert.deepEqual(kinds(false, { ...well, readsAlarms: false }), ['notRead']);
  const codes = ['engine-stalled'];
  assert.deepEqual(troublesOf(false, { ...well, calling: codes }), [{ kind: 'calling', since, codes }]);
  assert.deepEqual(kinds(false, { ...well, readsAlarms: false, calling: codes }), ['notRead', 'calling']);
});

test('a trouble that joins another does not begin that anew', () => {
  const began = { takesSince: '2026-11-17T01:00:00Z', readsSince: '2026-11-17T02:00:00Z', callingSince: well.since };
  const told = troublesOf(false, { ...well, ...began, readsAlarms: false, calling: ['engine-stalled'] });
  assert.deepEqual(
    told.map((trouble) => [trouble.kind, 'since' in trouble && new Date(trouble.since).toISOString()]),
    [
      ['notRead', '2026-11-17T02:00:00.000Z'],
      ['calling', '2026-11-17T03:00:00.000Z'],
    ],
  );
  const [taken] = troublesOf(false, { ...well, ...began, takesAlarms: false });
  assert.deepEqual(taken, { kind: 'notTaken', since: Date.parse(began.takesSince) });
});

test('the screen is blind without the link and without the store, and not because nobody can be called', () => {
  assert.equal(isBlind(troublesOf(true, undefined)), true);
  assert.equal(isBlind(troublesOf(false, { ...well, takesAlarms: false })), true);
  assert.equal(isBlind(troublesOf(false, { ...well, readsAlarms: false })), true);
  assert.equal(isBlind(troublesOf(false, { ...well, calling: ['engine-stalled'] })), false);
});
