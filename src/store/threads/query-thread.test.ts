// Tests that many computations of one name refuse none of another name and delay it little.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Query } from '../store.ts';
import { computationLimit, QueryThread } from './query-thread.ts';
import type { WorkerThread } from './worker-thread.ts';

const named = (name: string): Query<Record<string, never>, string> => ({ name, run: async () => name });

it('twelve heavy previews refuse nobody who asks who is on call, who waits for two of them at most', async () => {
  const posted: { readonly name: string; readonly end: () => void }[] = [];
  const post = (name: string) => new Promise<string>((resolve) => posted.push({ name, end: () => resolve(name) }));
  const thread = new QueryThread(
    async () => ({ post, close: async () => {} }) as unknown as WorkerThread,
    computationLimit,
  );
  const previews = Array.from({ length: 12 }, () => thread.read(named('preview-duty'), {}));
  const settled = Promise.allSettled(previews);
  let isAnswered = false;
  const onCall = thread.read(named('get-on-call'), {}).then(() => {
    isAnswered = true;
  });
  for (let n = 0; !isAnswered; n++) {
    assert.ok(n < 1_000, 'never answered');
    await new Promise((resolve) => setImmediate(resolve));
    posted.at(-1)?.end();
  }
  await onCall;
  assert.deepEqual(
    posted.slice(0, 3).map(({ name }) => name),
    ['preview-duty', 'preview-duty', 'get-on-call'],
  );
  const timer = setInterval(() => posted.at(-1)?.end(), 1);
  const refused = (await settled).filter(({ status }) => status === 'rejected');
  clearInterval(timer);
  assert.equal(refused.length, 12 - computationLimit.maxOfOneName);
});
