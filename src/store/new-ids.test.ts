// Tests the placeholders of rows that are not written yet.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NewIds } from './new-ids.ts';
import type { Tx } from './store.ts';

/** A transaction that hands out ids per table, and records how often it is asked. */
function idSource(next: Record<string, number>) {
  const asked: string[] = [];
  const tx = {
    nextIds: async (table: string, count: number) => {
      asked.push(`${table} ${count}`);
      const first = next[table] ?? 1;
      next[table] = first + count;
      return Array.from({ length: count }, (_, index) => first + index);
    },
  };
  return { tx: tx as unknown as Tx, asked };
}

test('placeholders of several tables get ids with one request per table, in the order of the rows', async () => {
  const { tx, asked } = idSource({ events: 10, calls: 500 });
  const ids = new NewIds();
  const placeholders = [ids.next('events'), ids.next('calls' as never), ids.next('events'), ids.next('events')];
  assert.equal(new Set(placeholders).size, 4);
  assert.ok(placeholders.every((id) => id < 0));
  await ids.assign(tx);
  assert.deepEqual(
    placeholders.map((id) => ids.idOf(id)),
    [10, 500, 11, 12],
  );
  assert.deepEqual(asked, ['events 3', 'calls 1']);
});

test('a later assignment leaves the ids that were assigned before', async () => {
  const { tx } = idSource({ events: 10 });
  const ids = new NewIds();
  const first = ids.next('events');
  await ids.assign(tx);
  const second = ids.next('events');
  await ids.assign(tx);
  assert.deepEqual([ids.idOf(first), ids.idOf(second)], [10, 11]);
});

test('ids of stored rows and missing references stay as they are; a placeholder without an id is a bug', () => {
  const ids = new NewIds();
  assert.equal(ids.idOf(7), 7);
  assert.equal(ids.optionalIdOf(undefined), undefined);
  assert.throws(() => ids.idOf(ids.next('events')), /has no id yet/);
});
