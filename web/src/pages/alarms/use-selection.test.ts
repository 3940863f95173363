// Tests use-selection.ts: ranges have both their ends, and a whole is one only while it is known and selected.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Row } from './order/arrange.ts';
import { chosenAnew, idsBetween, inList, wholeOf } from './use-selection.ts';

const rows = [4, 9, 2, 7].map((id) => ({
  alarm: { id, state: 3, masked: false },
  isGone: false,
})) as unknown as readonly Row[];

test('a range has both its ends, downwards and upwards', () => {
  assert.deepEqual(idsBetween(rows, 9, 7), [9, 2, 7]);
  assert.deepEqual(idsBetween(rows, 7, 9), [9, 2, 7]);
});

test('a range from a row that has left the list is none', () => {
  assert.deepEqual(idsBetween(rows, 1, 7), []);
});

test('a whole is that of the groups that are selected, and none while it is not known what the filter leaves', () => {
  const masked = { alarm: { id: 5, state: 3, masked: true }, isGone: false };
  const gone = { alarm: { id: 6, state: 3, masked: false }, isGone: true };
  const all = [...rows, masked, gone] as unknown as readonly Row[];
  assert.deepEqual(wholeOf(all, new Set([9]), true), [4, 9, 2, 7]);
  assert.deepEqual(wholeOf(all, new Set([9]), false), []);
});

test('a whole of which a filter leaves nothing is none any more for what is selected by hand then', () => {
  const whole = { ids: new Set([4, 9]), isWhole: true };
  assert.equal(chosenAnew(inList(whole, rows), new Set([4])).isWhole, true, 'of a whole some were taken out');
  const emptied = inList(whole, rows.slice(2));
  assert.deepEqual(emptied, { ids: new Set(), isWhole: false });
  assert.equal(chosenAnew(emptied, new Set([2])).isWhole, false);
  assert.equal(inList(whole, rows).isWhole, true, 'when the filter is taken away it is the whole again');
});
