// Tests the mapping between entities and rows that a table of columns gives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/harness/fast-check.ts';
import { changedColumns, entityColumns, flag, int, oneOf, optionalInt, optionalText, text } from './entity-columns.ts';

const columns = entityColumns({
  id: int('id'),
  state: oneOf<'new' | 'old'>()(text('state')),
  isOpen: flag('is_open'),
  endedAt: optionalInt('ended_at'),
  note: optionalText('note'),
});

test('a row has the names, nulls and bits of the database', () => {
  assert.deepEqual(columns.toRow({ id: 1, state: 'new', isOpen: true, endedAt: undefined, note: 'x' }), {
    id: 1,
    state: 'new',
    is_open: 1,
    ended_at: null,
    note: 'x',
  });
  assert.deepEqual(columns.types, { id: 'int', state: 'text', is_open: 'int', ended_at: 'int', note: 'text' });
});

test('every entity comes back from its row as it was', () => {
  const entities = fc.record({
    id: fc.integer(),
    state: fc.constantFrom('new' as const, 'old' as const),
    isOpen: fc.boolean(),
    endedAt: fc.option(fc.integer(), { nil: undefined }),
    note: fc.option(fc.string(), { nil: undefined }),
  });
  fc.assert(
    fc.property(entities, (entity) => {
      assert.deepEqual(columns.fromRow(columns.toRow(entity)), { ...entity });
    }),
  );
});

test('the columns whose values differ are named', () => {
  const before = columns.toRow({ id: 1, state: 'new', isOpen: true, endedAt: undefined, note: undefined });
  const after = { ...before, is_open: 0, ended_at: 5 };
  assert.deepEqual(changedColumns(Object.keys(before) as (keyof typeof before)[], after, before), [
    'is_open',
    'ended_at',
  ]);
});
