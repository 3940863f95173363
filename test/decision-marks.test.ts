// The calling engine reads a row again when its mark has changed (src/operations/calls/engine/rows/marks.ts). A statement that changes
// a cause of calls and not its mark would be decided on half a minute late.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredStatements } from '../src/store/statement.ts';
import '../src/store-worker.ts';

/**
 * What decisions are not made on, what the mark or the selection of open causes holds besides the version, and what moves when the
 * clock is set, which has all rows read again.
 */
const known = ['ended_at', 'attempts_from', 'retry_at', 'message_id', 'due_at'];
/** What is written with the end of a cause. */
const ofEnd = ['ended_at', 'state', 'ended_by', 'end_reason'];

test('every statement that changes a cause of calls changes its mark', () => {
  const updates = declaredStatements
    .map((statement) => statement.compiledFor('sqlite').text.replace(/\s+/g, ' '))
    .filter((text) => /^update "?call_causes"? set/.test(text));
  assert.ok(updates.length > 8, `${updates.length}`);
  for (const text of updates) {
    const columns = [...(/ set (.*?) (?:from|where) /.exec(text)?.[1] ?? '').matchAll(/"?(\w+)"? = /g)].map(
      ([, column = '']) => column,
    );
    assert.ok(
      columns.includes('version') ||
        columns.every((column) => (columns.includes('ended_at') ? ofEnd : known).includes(column)),
      `${columns.join()}: ${text}`,
    );
  }
});
