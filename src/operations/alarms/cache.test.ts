// Tests that the alarm cache stays within its memory limit.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AlarmCache } from './cache.ts';
import type { AlarmRecord } from './record.ts';

const alarm = (id: number, message: string): AlarmRecord =>
  ({
    id,
    dataServerId: 1,
    path: `tag ${id}`,
    definition: { message },
    words: '',
    comment: '',
  }) as unknown as AlarmRecord;

/** Returns the ids from 1 to 1,000 that are cached, and checks that both lookups agree. */
function present(cache: AlarmCache): readonly number[] {
  const ids = Array.from({ length: 1_000 }, (_, n) => n + 1).filter((id) => cache.get(id) !== undefined);
  for (const id of ids) assert.equal(cache.find(1, `tag ${id}`), cache.get(id));
  return ids;
}

const long = 'x'.repeat(400_000);

test('the cache holds fewer alarms with long definitions, and still finds the ones it holds when sources report in turn', () => {
  const cache = new AlarmCache();
  for (let pass = 0; pass < 10; pass++) {
    for (let id = 1; id <= 100; id++) if (cache.get(id) === undefined) cache.put(alarm(id, long));
  }
  const ids = present(cache);
  assert.ok(ids.length > 60 && ids.length < 100, String(ids.length));
  assert.equal(ids.at(-1), ids.length);
});

test('cached alarms that are no longer reported are evicted for newer ones', () => {
  const cache = new AlarmCache();
  for (let id = 1; id <= 1_000; id++) cache.put(alarm(id, long));
  for (let pass = 0; pass < 3; pass++) for (let id = 901; id <= 950; id++) cache.put(alarm(id, long));
  assert.ok(present(cache).includes(930));
});

test('a changed alarm that no longer fits is removed, so that its old state is not returned', () => {
  const cache = new AlarmCache();
  for (let id = 1; id <= 1_000; id++) cache.put(alarm(id, 'x'.repeat(20_000)));
  cache.put(alarm(1, 'x'.repeat(32_000_000)));
  assert.equal(cache.get(1), undefined);
  assert.equal(cache.find(1, 'tag 1'), undefined);
});

test('repeated changes of one alarm are counted once against the memory limit', () => {
  const cache = new AlarmCache();
  for (let id = 1; id <= 1_000; id++) cache.put(alarm(id, 'short'));
  for (let n = 0; n < 1_000; n++) cache.put(alarm(1, 'x'.repeat(200_000)));
  cache.put(alarm(1, 'short'));
  assert.equal(present(cache).length, 1_000);
});
