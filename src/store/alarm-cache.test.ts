// Holds the alarms at hand to the room they have.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AlarmShelf } from './alarm-cache.ts';
import type { KeptAlarm } from './stored-alarm.ts';

const alarm = (id: number, message: string): KeptAlarm =>
  ({ id, dataServerId: 1, path: `tag ${id}`, definition: { message }, words: '', comment: '' }) as unknown as KeptAlarm;

/** The ids of those that are there, of the first thousand. */
function present(shelf: AlarmShelf): readonly number[] {
  const ids = Array.from({ length: 1_000 }, (_, n) => n + 1).filter((id) => shelf.get(id) !== undefined);
  for (const id of ids) assert.equal(shelf.find(1, `tag ${id}`), shelf.get(id));
  return ids;
}

const long = 'x'.repeat(400_000);

test('long definitions leave room for fewer alarms, and those that are sent in turn are found again', () => {
  const shelf = new AlarmShelf();
  for (let round = 0; round < 10; round++) {
    for (let id = 1; id <= 100; id++) if (shelf.get(id) === undefined) shelf.put(alarm(id, long));
  }
  const ids = present(shelf);
  assert.ok(ids.length > 60 && ids.length < 100, String(ids.length));
  assert.equal(ids.at(-1), ids.length);
});

test('alarms that nobody sends any more make room for others', () => {
  const shelf = new AlarmShelf();
  for (let id = 1; id <= 1_000; id++) shelf.put(alarm(id, long));
  for (let round = 0; round < 3; round++) for (let id = 901; id <= 950; id++) shelf.put(alarm(id, long));
  assert.ok(present(shelf).includes(930));
});

test('an alarm that is changed and no longer fits is not there as it was', () => {
  const shelf = new AlarmShelf();
  for (let id = 1; id <= 1_000; id++) shelf.put(alarm(id, 'x'.repeat(20_000)));
  shelf.put(alarm(1, 'x'.repeat(32_000_000)));
  assert.equal(shelf.get(1), undefined);
  assert.equal(shelf.find(1, 'tag 1'), undefined);
});

test('an alarm that is changed again and again takes its room once', () => {
  const shelf = new AlarmShelf();
  for (let id = 1; id <= 1_000; id++) shelf.put(alarm(id, 'short'));
  for (let n = 0; n < 1_000; n++) shelf.put(alarm(1, 'x'.repeat(200_000)));
  shelf.put(alarm(1, 'short'));
  assert.equal(present(shelf).length, 1_000);
});
