// Tests health-watch.ts: what joins a trouble does not begin it anew.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Found, sinceOf } from './health-watch.ts';

test('each fact has the time since when it has been so', () => {
  const well: Found = { takesAlarms: true, readsAlarms: true, calling: [] };
  const first = { ...well, ...sinceOf(well, undefined, 1_000) };
  const unread: Found = { ...well, readsAlarms: false };
  const second = { ...unread, ...sinceOf(unread, first, 2_000) };
  const uncalled: Found = { ...unread, calling: ['engine-stalled'] };
  const third = { ...uncalled, ...sinceOf(uncalled, second, 3_000) };
  const worse: Found = { ...uncalled, calling: ['engine-stalled', 'not-audited'] };
  assert.deepEqual(sinceOf(worse, third, 4_000), {
    since: 4_000,
    takesSince: 1_000,
    readsSince: 2_000,
    callingSince: 3_000,
  });
  assert.equal(sinceOf(well, third, 5_000).readsSince, 5_000);
});
