// Holds the alarms at hand to the room they have.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AlarmShelf } from './alarm-shelf.ts';
import type { KeptAlarm } from './kept-alarm.ts';

const alarm = (id: number, definitionText: string): KeptAlarm =>
  ({ id, dataServerId: 1, path: `tag ${id}`, definitionText, words: '', comment: '' }) as unknown as KeptAlarm;

/** How many of the first thousand are there, the newest ones. */
function present(shelf: AlarmShelf): number {
  const ids = Array.from({ length: 1_000 }, (_, n) => n + 1).filter((id) => shelf.get(id) !== undefined);
  assert.deepEqual(ids, ids.length === 0 ? [] : Array.from({ length: ids.length }, (_, n) => 1_001 - ids.length + n));
  for (const id of ids) assert.equal(shelf.find(1, `tag ${id}`), shelf.get(id));
  return ids.length;
}

test('long definitions leave room for fewer alarms, and those that came first go', () => {
  const shelf = new AlarmShelf();
  for (let id = 1; id <= 1_000; id++) shelf.put(alarm(id, 'x'.repeat(200_000)));
  const many = present(shelf);
  assert.ok(many > 100 && many < 200, String(many));
});

test('an alarm that is changed again and again takes its room once', () => {
  const shelf = new AlarmShelf();
  for (let id = 1; id <= 1_000; id++) shelf.put(alarm(id, 'short'));
  for (let n = 0; n < 1_000; n++) shelf.put(alarm(1, 'x'.repeat(200_000)));
  shelf.put(alarm(1, 'short'));
  assert.equal(present(shelf), 1_000);
});
