// Locates the server that tests start: the bundle that `npm test` made, or the sources when a test file is run directly.

import { fileURLToPath, pathToFileURL } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { serveVoice } from '../../../src/channels/voice/thread/serve-voice.ts';
import type { ThreadMessage } from '../../../src/channels/voice/thread/thread-calls.ts';
import {
  type StartVoiceWorker,
  type VoiceWorker,
  voiceWorkersOf,
} from '../../../src/channels/voice/thread/voice-thread.ts';
import type { FromWorker } from '../../../src/store/threads/thread-messages.ts';
import { type StartWorker, threadsOf } from '../../../src/store/threads/worker-thread.ts';
import { serveStore } from '../../../src/store-worker.ts';

const bundle = process.env.TOCSIN_TEST_SERVER;

/** The main file, for tests that run the server as a process. */
export const mainFile =
  bundle === undefined ? fileURLToPath(new URL('../../../src/main.ts', import.meta.url)) : `${bundle}/main.js`;

/** Starts SQLite's threads as a server does, from the bundle if there is one. */
export const ownThreads: StartWorker = threadsOf(
  bundle === undefined
    ? new URL('../../../src/store-worker.ts', import.meta.url)
    : pathToFileURL(`${bundle}/store-worker.js`),
);

/**
 * Runs the work of SQLite's threads in the thread of the test, over the same messages. Starting two threads, and compiling
 * their code again, took four fifths of the processor time of a server's start.
 */
export const noThreads: StartWorker = (data) => {
  const { port1, port2 } = new MessageChannel();
  serveStore(port2, data);
  return {
    // A failure in this thread fails the test itself.
    on: (event: 'message' | 'error', listener: (value: never) => void) =>
      event === 'message' ? port1.on('message', listener as (message: FromWorker) => void) : port1,
    once: (_exit, listener) => port1.once('close', listener),
    postMessage: (message) => port1.postMessage(message),
  };
};

/** Starts the thread of telephone calls as a server does, from the bundle if there is one. */
export const ownVoiceThread: StartVoiceWorker = voiceWorkersOf(
  bundle === undefined
    ? new URL('../../../src/voice-worker.ts', import.meta.url)
    : pathToFileURL(`${bundle}/voice-worker.js`),
);

/** The module of the thread that watches the event loop. */
export const loopWorker =
  bundle === undefined
    ? new URL('../../../src/loop-worker.ts', import.meta.url)
    : pathToFileURL(`${bundle}/loop-worker.js`);

/** Starts a thread of telephone calls with faults planted. */
export const faultyVoiceThread: StartVoiceWorker = voiceWorkersOf(
  bundle === undefined
    ? new URL('../telephone/faulty-voice-worker.ts', import.meta.url)
    : pathToFileURL(`${bundle}/faulty-voice-worker.js`),
);

/** Makes telephone calls in the thread of the test, over the same messages. */
export const noVoiceThread: StartVoiceWorker = (data) => {
  const { port1, port2 } = new MessageChannel();
  serveVoice(port2, data);
  const worker: VoiceWorker = {
    // A failure in this thread fails the test itself.
    on: (event: string, listener: (value: ThreadMessage & Error) => void) =>
      event === 'message' ? port1.on('message', listener) : port1,
    once: (_exit, listener) => port1.once('close', listener),
    postMessage: (message) => port1.postMessage(message),
    terminate: async () => port1.close(),
  };
  return worker;
};

/** Starts SQLite's threads for tests of the store alone, which bring operations of their own. */
export const testThreads: StartWorker = threadsOf(
  bundle === undefined
    ? new URL('../stores/test-store-worker.ts', import.meta.url)
    : pathToFileURL(`${bundle}/test-store-worker.js`),
);
