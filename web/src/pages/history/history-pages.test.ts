// A history that grows while it is read has every entry once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstPlace, type PagePlace, placeAfter, withoutRepeated } from './history-pages.ts';

const start = Date.parse('2026-11-18T02:00:00Z');
const entry = (id: number) => ({ id, alarmTime: new Date(start + Math.floor(id / 3)).toISOString() });

test('a history that grows while it is read has no entry twice and lacks none', () => {
  let newest = 1_000;
  const list = ({ offset, to }: PagePlace) => {
    const all = Array.from({ length: newest }, (_, n) => entry(newest - n));
    const asked = all.filter(({ alarmTime }) => to === undefined || alarmTime < to);
    return { items: asked.slice(offset, offset + 100), paging: { total: asked.length } };
  };
  const read: ReturnType<typeof entry>[] = [];
  for (let place: PagePlace | undefined = firstPlace; place !== undefined; ) {
    const page = list(place);
    read.push(...page.items);
    // Two come within the millisecond of the newest, the others later.
    newest += 7;
    place = placeAfter(place, page);
  }
  const ids = withoutRepeated(read).map(({ id }) => id);
  assert.deepEqual(
    ids.toSorted((one, other) => one - other),
    Array.from({ length: 1_000 }, (_, n) => n + 1),
  );
  assert.ok(read.length < 1_010, `${read.length} were read`);
});

test('an empty history has one page', () => {
  assert.equal(placeAfter(firstPlace, { items: [], paging: { total: 0 } }), undefined);
});
