// Tests that compiled functions read and make records as plain code would, whatever the names contain.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listReader, propertyReader, recordMaker } from './compiled-shape.ts';

const oddNames = ['id', 'with space', '"]; throw 1; //', "it's", 'line\nbreak', 'back\\slash', '\u2028', '0'];

test('a property is read by its name', () => {
  for (const name of oddNames) assert.equal(propertyReader(name)({ [name]: 7, other: 8 }), 7);
  assert.equal(propertyReader('missing')({ id: 1 }), undefined);
});

test('a list has its properties and constants in order, and undefined for what is missing', () => {
  const read = listReader([
    ...oddNames.map((property) => ({ property })),
    { constant: 'it\'s "so"' },
    { constant: 5 },
    { constant: null },
    { property: 'missing' },
  ]);
  const record = Object.fromEntries(oddNames.map((name, index) => [name, index]));
  assert.deepEqual(read(record), [...oddNames.keys(), 'it\'s "so"', 5, null, undefined]);
});

test('a record has its fields in order; values other than null are parsed', () => {
  const make = recordMaker<string, unknown>([
    { name: 'total', parse: Number },
    { name: 'none', parse: Number },
    ...oddNames.map((name) => ({ name })),
  ]);
  const made = make(['12', null, ...oddNames]);
  assert.deepEqual(made, { total: 12, none: null, ...Object.fromEntries(oddNames.map((name) => [name, name])) });
});
