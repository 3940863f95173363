// Tests paging.ts: the requested page, and the shape of the response.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { pageOf, pagingCollection, printPage, uint } from './paging.ts';

test('a query without paging asks for the first page of the default size, ascending', () => {
  assert.deepEqual(pageOf({}, 10), { offset: 0, limit: 10, descending: false });
});

test('a limit is capped at 1000 and may be 0', () => {
  assert.equal(pageOf({ limit: 4_294_967_295 }, 10).limit, 1000);
  assert.equal(pageOf({ limit: 0 }, 10).limit, 0);
});

test('only -id is descending', () => {
  for (const sort of ['+id', 'id', ' id'] as const) assert.equal(pageOf({ sort }, 10).descending, false);
  assert.equal(pageOf({ sort: '-id' }, 10).descending, true);
});

test('a collection has an offset only if requested', () => {
  const schema = (withOffset: boolean) => pagingCollection(Type.Object({ id: uint() }), { withOffset });
  assert.deepEqual(schema(true).properties.paging.required, ['offset', 'limit', 'total']);
  assert.deepEqual(schema(false).properties.paging.required, ['limit', 'total']);
  assert.deepEqual(printPage([1], { limit: 1, total: 9 }), { items: [1], paging: { limit: 1, total: 9 } });
});
