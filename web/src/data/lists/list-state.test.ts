// Tests list-state.ts: a list has figures only after it was read whole, and a failure is told until a try succeeds.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begun, failed, failureOf, figureOf, type ListState, pauseAfter, progressed, unread } from './list-state.ts';

const failure = { reason: 'The database does not answer.', retryAt: 5_000 };

test('a list that was never read has no figures, whether it is being read or failed', () => {
  const broken = failed(unread, failure);
  assert.equal(figureOf(unread, 0), '–');
  assert.equal(figureOf(progressed(unread, 1_000, 2_500), 1_000), '–');
  assert.equal(figureOf(broken, 0), '–');
  assert.deepEqual(failureOf(broken), { kind: 'failed', ...failure });
});

test('the next try does not hide why the last one failed, until something of the list is read', () => {
  const broken = failed(unread, failure);
  assert.equal(begun(broken), broken);
  assert.deepEqual(progressed(broken, 10, 20), { kind: 'reading', read: 10, total: 20 });
});

test('a list that was read keeps its figures and its time when reading it again fails', () => {
  const read: ListState = { kind: 'read', at: 1_000 };
  const again = begun(read);
  assert.deepEqual(again, { kind: 'stale', readAt: 1_000, failure: undefined });
  assert.deepEqual(failed(again, failure), { kind: 'stale', readAt: 1_000, failure });
  assert.deepEqual(failed(read, failure), { kind: 'stale', readAt: 1_000, failure });
  assert.equal(figureOf(failed(again, failure), 7), '7');
});

test('each failure in a row waits longer, up to ten seconds', () => {
  assert.deepEqual([1, 2, 3, 4, 50].map(pauseAfter), [1_000, 2_000, 5_000, 10_000, 10_000]);
});
