// Loaded into each test process: ends one that is still alive two minutes after its last test, which a socket or a timer that a failed
// test left open keeps from ending. Without it one failure keeps the whole run from ending.

import { writeSync } from 'node:fs';
import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';

const patienceMs = 120_000;
const stderr = 2;

// A worker thread has the same arguments, and the process that starts the tests has no tests of its own.
if (isMainThread && process.env.NODE_TEST_CONTEXT !== undefined && process.argv[1]?.endsWith('.test.js'))
  after(() => {
    setTimeout(() => {
      const open = process.getActiveResourcesInfo().join(', ');
      writeSync(stderr, `The tests are over, and this keeps their process from ending: ${open}\n`);
      process.exit(1);
    }, patienceMs).unref();
  });
