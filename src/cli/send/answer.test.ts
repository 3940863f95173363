// What each answer means for a report: only what a repetition cannot help is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOf, exitCodeUnkept, type Meaning, meaningOf } from './answer.ts';

test('an answer says whether a report was taken, refused, or is sent again', () => {
  const statuses: Readonly<Record<Meaning, readonly (number | undefined)[]>> = {
    taken: [200, 202, 204],
    refused: [400, 401, 403, 413],
    waits: [301, 404, 409, 422, 431, 500],
    unreachable: [undefined, 408, 429, 502, 503, 504],
  };
  for (const [meaning, those] of Object.entries(statuses))
    for (const status of those) assert.equal(meaningOf(status), meaning, String(status));
});

test('the exit code says what became of a report, kept or not', () => {
  const meanings = ['taken', 'refused', 'waits', 'unreachable'] as const;
  assert.deepEqual(meanings.map(exitCodeOf), [0, 1, 75, 75]);
  assert.deepEqual(meanings.map(exitCodeUnkept), [73, 1, 73, 73]);
});
