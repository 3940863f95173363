// The watch over the event loop: it notices from outside that the loop is held, and names what holds it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchLoop } from '../../../src/cli/server/watch-loop.ts';
import { loopWorker } from '../../harness/server/built-server.ts';
import { until } from '../../harness/until.ts';

function countForLong(ms: number): number {
  const end = performance.now() + ms;
  let count = 0;
  while (performance.now() < end) count += 1;
  return count;
}

test('what holds the event loop for seconds is named when it turns again', async (t) => {
  const found: { readonly heldMs: number; readonly heldBy: readonly string[] }[] = [];
  const stop = watchLoop((held) => found.push(held), loopWorker);
  t.after(stop);
  // The thread has to be there to see it.
  await until(
    () => {
      countForLong(2_500);
      return found.length;
    },
    (count) => count > 0,
  );
  const [held] = found;
  assert.ok(held && held.heldMs >= 1_000);
  assert.match(held.heldBy.join(' '), /countForLong/);
});
