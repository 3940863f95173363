// Which node decides on calls after another one was lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryStore } from '../../../../test/harness/stores/memory-store.ts';
import { takeCallingLease } from './calling-lease.ts';

test('a node that was started again decides at once, another one when the lease is over', async (t) => {
  const store = new MemoryStore();
  t.after(() => store.close());
  const take = (node: string, now: number) => store.write(takeCallingLease, now, { node });
  assert.equal(await take('plant.1', 1_000), 16_000);
  assert.equal(await take('office.1', 2_000), undefined);
  assert.equal(await take('without-folder', 2_000), undefined);
  assert.equal(await take('plant.2', 3_000), 18_000);
  assert.equal(await take('office.1', 17_999), undefined);
  assert.equal(await take('office.1', 18_000), 33_000);
});
