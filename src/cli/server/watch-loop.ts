// Watches the event loop from a thread of its own: a server whose loop is held answers nobody, and cannot say so itself.

import { Worker } from 'node:worker_threads';
import { beatEveryMs, type HeldBy, type LoopWatchData, lookEveryMs } from './held-loop.ts';

/** Beside the main file, with the same extension: .ts in a checkout, .js in a bundle. */
const loopWorker = import.meta.url.endsWith('.ts')
  ? new URL('../../loop-worker.ts', import.meta.url)
  : new URL('./loop-worker.js', import.meta.url);

const heldLooks = 1_000 / lookEveryMs;
/** Work on the loop is done in slices of milliseconds; what holds it for a minute never ends. */
const endLooks = 60_000 / lookEveryMs;

type Held = { readonly heldMs: number; readonly heldBy: HeldBy };

/** `onHeld` is called when the loop turns again after it was held for a second or more. Returns what ends the watch. */
export function watchLoop(onHeld: (held: Held) => void, worker: URL = loopWorker): () => Promise<unknown> {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const beating = setInterval(() => Atomics.add(beats, 0, 1), beatEveryMs).unref();
  const data: LoopWatchData = { beats, heldLooks, endLooks };
  const thread = new Worker(worker, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: 16 } });
  thread.on('message', onHeld);
  // The server goes on without the watch.
  thread.on('error', () => clearInterval(beating));
  // After the listeners, because a listener for messages keeps the process alive again: a start that fails must end it.
  thread.unref();
  return () => {
    clearInterval(beating);
    return thread.terminate();
  };
}
