// Tests the buffer of recent messages and reading it from a cursor on.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HubPush } from './messages.ts';
import { RecentPushes } from './recent-pushes.ts';

const textsAfter = (recent: RecentPushes, cursor: string) => recent.after(cursor).map(({ text }) => text);

it('returns the messages after a cursor, in order', () => {
  const recent = new RecentPushes();
  const start = recent.cursor;
  const cursors = ['a', 'b', 'c'].map((text) => recent.add(new HubPush(text)));
  assert.deepEqual(textsAfter(recent, start), ['a', 'b', 'c']);
  assert.deepEqual(textsAfter(recent, cursors[1] ?? ''), ['c']);
  assert.deepEqual(textsAfter(recent, recent.cursor), []);
});

it('buffers the last thousand messages', () => {
  const recent = new RecentPushes();
  const start = recent.cursor;
  for (let n = 0; n < 1_500; n++) recent.add(new HubPush(String(n)));
  const texts = textsAfter(recent, start);
  assert.deepEqual([texts.length, texts[0], texts.at(-1)], [1_000, '500', '1499']);
});

it('returns nothing for a cursor of another process', () => {
  const recent = new RecentPushes();
  recent.add(new HubPush('a'));
  for (const cursor of ['', 'x', 'other,0', recent.cursor.replace(/\d+$/, '9'), recent.cursor.replace(/\d+$/, '-1')]) {
    assert.deepEqual(textsAfter(recent, cursor), [], cursor);
  }
});
