// Locates the server that tests start: the bundle that `npm test` made, or the sources when a test file is run directly.

import { fileURLToPath, pathToFileURL } from 'node:url';

const bundle = process.env.TOCSIN_TEST_SERVER;

/** The main file, for tests that run the server as a process. */
export const mainFile =
  bundle === undefined ? fileURLToPath(new URL('../../src/main.ts', import.meta.url)) : `${bundle}/main.js`;

/**
 * The worker module of SQLite's threads, for tests that run the server in their own process; undefined when the sources are
 * used.
 */
export const workerModule = bundle === undefined ? undefined : pathToFileURL(`${bundle}/store-worker.js`);

/** The module of SQLite's threads for tests of the store alone, which bring operations of their own. */
export const testWorkerModule =
  bundle === undefined
    ? new URL('./test-store-worker.ts', import.meta.url)
    : pathToFileURL(`${bundle}/test-store-worker.js`);
