// Holds the alarms at hand to the room they have.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AlarmCache } from './alarm-cache.ts';
import type { AlarmRecord } from './stored-alarm.ts';

const alarm = (id: number, message: string): AlarmRecord =>
  ({
    id,
    dataServerId: 1,
    path: `tag ${id}`,
    definition: { message },
    words: '',
    comment: '',
  }) as unknown as AlarmRecord;

/** The ids of those that are there, of the first thousand. */
function present(cache: AlarmCache): readonly number[] {
  const ids = Array.from({ length: 1_000 }, (_, n) => n + 1).filter((id) => cache.get(id) !== undefined);
  for (const id of ids) assert.equal(cache.find(1, `tag ${id}`), cache.get(id));
  return ids;
}

const long = 'x'.repeat(400_000);

test('long definitions leave room for fewer alarms, and those that are sent in turn are found again', () => {
  const cache = new AlarmCache();
  for (let round = 0; round < 10; round++) {
    for (let id = 1; id <= 100; id++) if (cache.get(id) === undefined) cache.put(alarm(id, long));
  }
  const ids = present(cache);
  assert.ok(ids.length > 60 && ids.length < 100, String(ids.length));
  assert.equal(ids.at(-1), ids.length);
});

test('alarms that nobody sends any more make room for others', () => {
  const cache = new AlarmCache();
  for (let id = 1; id <= 1_000; id++) cache.put(alarm(id, long));
  for (let round = 0; round < 3; round++) for (let id = 901; id <= 950; id++) cache.put(alarm(id, long));
  assert.ok(present(cache).includes(930));
});

test('an alarm that is changed and no longer fits is not there as it was', () => {
  const cache = new AlarmCache();
  for (let id = 1; id <= 1_000; id++) cache.put(alarm(id, 'x'.repeat(20_000)));
  cache.put(alarm(1, 'x'.repeat(32_000_000)));
  assert.equal(cache.get(1), undefined);
  assert.equal(cache.find(1, 'tag 1'), undefined);
});

test('an alarm that is changed again and again takes its room once', () => {
  const cache = new AlarmCache();
  for (let id = 1; id <= 1_000; id++) cache.put(alarm(id, 'short'));
  for (let n = 0; n < 1_000; n++) cache.put(alarm(1, 'x'.repeat(200_000)));
  cache.put(alarm(1, 'short'));
  assert.equal(present(cache).length, 1_000);
});
