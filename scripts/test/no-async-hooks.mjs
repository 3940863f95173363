// Loaded into each test process before node:test: keeps node:test from following every promise, timer and socket by async hooks, which
// took a fifth of the processor time of the acceptance tests. It follows them only to name the test to which a stray error belongs;
// without, such an error still fails the run, in the name of the file, and its stack is printed here.

import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const asyncHooks = createRequire(import.meta.url)('node:async_hooks');
const createHook = asyncHooks.createHook;

asyncHooks.createHook = (callbacks) => {
  const isForNodeTest = new Error().stack?.includes('node:internal/test_runner/') ?? false;
  if (!isForNodeTest) return createHook(callbacks);
  asyncHooks.createHook = createHook;
  return { enable: () => undefined, disable: () => undefined };
};

// A worker thread has the same environment; there a listener would change what an error does.
if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined) {
  process.on('uncaughtExceptionMonitor', (error) => console.error('A stray error, which fails this file:', error));
  process.on('unhandledRejection', (error) => console.error('A stray rejection, which fails this file:', error));
}
