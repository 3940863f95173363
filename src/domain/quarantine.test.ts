// Suspected work: two ends within ten minutes, then few at a time, and given up when it was alone at another.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterEnd, begunTogether, pauseAfter, type Quarantined } from './quarantine.ts';

const minute = 60_000;
const ends = (times: readonly number[], suspects = 1): Quarantined | undefined =>
  times.reduce<Quarantined | undefined>((known, now) => afterEnd(known, now, { suspects }), undefined);

test('two ends within ten minutes make a suspect, and a third gives it up', () => {
  assert.equal(ends([0])?.state, 'watched');
  assert.equal(ends([0, 9 * minute])?.state, 'suspect');
  assert.equal(ends([0, 9 * minute, 12 * minute])?.state, 'failed');
});

test('ends that are far apart are no sign', () => {
  assert.equal(ends([0, 11 * minute])?.state, 'watched');
  assert.equal(ends([0, 5 * minute, 20 * minute])?.state, 'watched');
});

test('one of several suspects under way is not given up: nobody knows which it was', () => {
  assert.equal(ends([0, 1, 2], 2)?.state, 'suspect');
  assert.equal(ends([0, 1, 2, 3, 4], 40)?.state, 'suspect');
});

test('whichever of the suspects ends the server is found, and no other is given up', () => {
  for (const count of [1, 2, 3, 7, 40, 300]) {
    for (const poison of [0, Math.floor(count / 2), count - 1]) {
      const all = Array.from({ length: count }, (_, id) => id);
      const known = new Map(all.map((id) => [id, ends([0, 1])]));
      let now = 2;
      let left = all;
      while (left.includes(poison)) {
        now += 1;
        const together = left.slice(0, begunTogether(left.length));
        if (!together.includes(poison)) {
          left = left.filter((id) => !together.includes(id));
          continue;
        }
        for (const id of together) known.set(id, afterEnd(known.get(id), now, { suspects: together.length }));
        const failed = together.filter((id) => known.get(id)?.state === 'failed');
        assert.deepEqual(failed, together.length === 1 ? [poison] : []);
        left = failed.length > 0 ? [] : together;
      }
    }
  }
});

test('the pause grows with the ends, as the fault comes late', () => {
  assert.deepEqual([2, 3, 4, 9].map(pauseAfter), [1_000, 5_000, 30_000, 30_000]);
});
