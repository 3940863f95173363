// The files of a spool: their order, what they hold, and which go when there are too many.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inOrder, itemFrom, itemNames, namesToDrop, nextName, textOf } from './item.ts';
import type { Kind } from './report.ts';

const random = 'ab'.repeat(16);

/** Names in the order of their kinds. */
function named(...kinds: readonly Kind[]): string[] {
  const names: string[] = [];
  for (const kind of kinds) names.push(nextName(names, kind, random));
  return names;
}

test('names are in the order in which they were given, and other files are none', () => {
  const names = named('raise', 'return', ...Array<Kind>(9).fill('value'));
  const others = ['.lock', 'refused', `${names[0]}.new`, 'notes.txt'];
  assert.deepEqual(itemNames([...others, ...names.toReversed()]), names);
  assert.match(names[10] ?? '', /^000000000011-value-/);
});

test('the oldest values go before any raise or return, which no new value displaces', () => {
  const names = named('raise', 'value', 'return', 'value', 'raise');
  const dropped = (added: Kind, most: number) => namesToDrop(names, added, most)?.map((name) => names.indexOf(name));
  assert.deepEqual(dropped('raise', 6), []);
  assert.deepEqual(dropped('raise', 5), [1]);
  assert.deepEqual(dropped('value', 4), [1, 3]);
  assert.deepEqual(dropped('raise', 3), [1, 3, 0]);
  assert.equal(dropped('value', 3), undefined);
});

test('a file gives back the path and the very bytes of the body', () => {
  const item = { path: JSON.stringify('a\nb "c"'), body: '{"path":"a\\nb \\"c\\""}' };
  assert.deepEqual(itemFrom(textOf(item, '2026-11-18T21:00:00Z')), item);
  for (const text of ['', 'x', '"a"\n2026', '"a"\n2026\n']) assert.equal(itemFrom(text), undefined, text);
});

test('the path of the new report goes first, each path in its order', () => {
  const items = ['a', 'b', 'a', 'c', 'b'].map((path, name) => ({ path, name }));
  assert.deepEqual(
    inOrder(items, 'b').map(({ name }) => name),
    [1, 4, 0, 2, 3],
  );
});
