// Keeps SQLite's WAL short: a thread beside the writer checkpoints most of it, and the writer only the few pages left.
//
// By default, the COMMIT that finds the WAL too long checkpoints all of it, and every client waits. A thread alone is
// not enough: while commits continue it never reaches the last page, and the WAL restarts only after it was
// checkpointed completely. So the thread moves most pages and the writer finishes. If the thread fails, COMMIT makes
// the checkpoint, only later.

import { closeSync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { isFatal } from './sqlite-errors.ts';
import { type CheckpointThreadData, walCheckpointThread } from './wal-checkpoint-thread.ts';

/** Lengths of the WAL, in pages of 4 kB. */
type WalLengths = {
  /**
   * The thread checkpoints from this length on; any earlier, and pages that change often would be copied many times.
   */
  readonly checkpointFrom: number;
  /** With at most this many pages left, the writer finishes: it takes hardly longer than a commit. */
  readonly finishBelow: number;
  /** From this length on the writer makes the checkpoint: the thread has failed, or is slower than the writer. */
  readonly writerFrom: number;
};

const defaultLengths: WalLengths = { checkpointFrom: 16_384, finishBelow: 1_024, writerFrom: 65_536 };

/** Measuring takes some microseconds; in this many commits the WAL does not grow by much. */
const commitsBetweenChecks = 8;

/** The thread needs little memory; without limits V8 would keep what the start needed. */
const smallHeap = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 };

type CheckpointThread = { readonly worker: Worker; readonly descriptor: number; readonly exited: Promise<void> };

export class WalCheckpointer {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #lengths: WalLengths;
  readonly #threadCode: string;
  readonly #measure: StatementSync;
  readonly #isCheckpointing = new Int32Array(new SharedArrayBuffer(4));
  #thread: CheckpointThread | undefined;
  #commitsToCheck = 0;

  constructor(db: DatabaseSync, file: string, lengths = defaultLengths, threadCode = walCheckpointThread) {
    this.#db = db;
    this.#file = file;
    this.#lengths = lengths;
    this.#threadCode = threadCode;
    db.exec(`PRAGMA wal_autocheckpoint = ${lengths.writerFrom}`);
    this.#measure = db.prepare('PRAGMA wal_checkpoint(NOOP)');
  }

  /**
   * To be called after each commit. Throws only when the file can no longer be trusted; other errors, such as a full
   * disk, are ignored.
   */
  afterCommit(): void {
    if (Atomics.load(this.#isCheckpointing, 0) === 1 || --this.#commitsToCheck > 0) return;
    this.#commitsToCheck = commitsBetweenChecks;
    try {
      this.#shorten();
    } catch (error) {
      if (isFatal(error)) throw error;
    }
  }

  #shorten(): void {
    const { log, checkpointed } = this.#measure.get() as { log: number; checkpointed: number };
    const { checkpointFrom, finishBelow, writerFrom } = this.#lengths;
    if (log < checkpointFrom) return;
    if (log - checkpointed <= finishBelow || log >= writerFrom) this.#db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    else this.#checkpointInThread();
  }

  #checkpointInThread(): void {
    this.#thread ??= this.#startCheckpointThread();
    Atomics.store(this.#isCheckpointing, 0, 1);
    this.#thread.worker.postMessage('checkpoint');
    // Check again as soon as the thread is done: with every commit more pages are left.
    this.#commitsToCheck = 0;
  }

  /** Started only when the WAL is long, which it never is on most servers. */
  #startCheckpointThread(): CheckpointThread {
    const descriptor = openSync(this.#file, 'r+');
    const workerData: CheckpointThreadData = { file: this.#file, descriptor, isCheckpointing: this.#isCheckpointing };
    const worker = new Worker(this.#threadCode, { eval: true, workerData, resourceLimits: smallHeap });
    // A thread that failed never reports that it is done, so it gets no further request.
    worker.on('error', () => {});
    return { worker, descriptor, exited: new Promise((done) => worker.once('exit', () => done())) };
  }

  /** Also closes the database, last, so that the -wal file is removed. */
  async close(): Promise<void> {
    this.#thread?.worker.postMessage('close');
    await this.#thread?.exited;
    this.#db.close();
    // Not earlier: closing any descriptor of a file releases all locks of this process on it, including SQLite's.
    if (this.#thread !== undefined) closeSync(this.#thread.descriptor);
  }
}
