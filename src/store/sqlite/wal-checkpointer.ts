// Keeps SQLite's log short: a thread beside the writer moves it into the file, and the writer only the little that is left.
//
// Left to SQLite, the COMMIT that finds the log long moves all of it, and every client waits. A thread beside it alone is
// no answer either: while commits go on it never moves the last page, and only a log that was moved whole begins anew. So
// the thread moves the bulk and the writer ends it. Should the thread fail, COMMIT moves the log after all, only later.

import { closeSync, openSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { isFatal } from './sqlite-errors.ts';
import { type CheckpointThreadData, walCheckpointThread } from './wal-checkpoint-thread.ts';

/** Lengths of the log, in pages of 4 kB. */
export type WalLengths = {
  /** From here on it is moved: any sooner, and pages that change often are moved many times. */
  readonly long: number;
  /** So few left to move that it takes the writer hardly longer than a commit. */
  readonly few: number;
  /** From here on the writer moves what there is: the thread has failed, or the writer is faster than the thread. */
  readonly longest: number;
};

const usualLengths: WalLengths = { long: 16_384, few: 1_024, longest: 65_536 };

/** A look takes some microseconds; in so many commits the log does not grow by much. */
const commitsBetweenLooks = 8;

/** It holds next to nothing, and without limits V8 would keep what it needed to start. */
const ofLittle = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 };

type Mover = { readonly worker: Worker; readonly descriptor: number; readonly exited: Promise<void> };

export class WalCheckpointer {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #lengths: WalLengths;
  readonly #moverText: string;
  readonly #measure: StatementSync;
  readonly #isMoving = new Int32Array(new SharedArrayBuffer(4));
  #mover: Mover | undefined;
  #commitsToLook = 0;

  constructor(db: DatabaseSync, file: string, lengths = usualLengths, moverText = walCheckpointThread) {
    this.#db = db;
    this.#file = file;
    this.#lengths = lengths;
    this.#moverText = moverText;
    db.exec(`PRAGMA wal_autocheckpoint = ${lengths.longest}`);
    this.#measure = db.prepare('PRAGMA wal_checkpoint(NOOP)');
  }

  /** To be called after each commit. Throws only when the file can no longer be trusted; a full disk, say, passes. */
  look(): void {
    if (Atomics.load(this.#isMoving, 0) === 1 || --this.#commitsToLook > 0) return;
    this.#commitsToLook = commitsBetweenLooks;
    try {
      this.#shorten();
    } catch (error) {
      if (isFatal(error)) throw error;
    }
  }

  #shorten(): void {
    const { log, checkpointed } = this.#measure.get() as { log: number; checkpointed: number };
    const { long, few, longest } = this.#lengths;
    if (log < long) return;
    if (log - checkpointed <= few || log >= longest) this.#db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    else this.#moveBeside();
  }

  #moveBeside(): void {
    this.#mover ??= this.#startMover();
    Atomics.store(this.#isMoving, 0, 1);
    this.#mover.worker.postMessage('move');
    // As soon as it is done: with every commit more is left.
    this.#commitsToLook = 0;
  }

  /** Not before there is a long log: most servers never have one. */
  #startMover(): Mover {
    const descriptor = openSync(this.#file, 'r+');
    const workerData: CheckpointThreadData = { file: this.#file, descriptor, isMoving: this.#isMoving };
    const worker = new Worker(this.#moverText, { eval: true, workerData, resourceLimits: ofLittle });
    // It never says that it is done then, and is asked no more.
    worker.on('error', () => {});
    return { worker, descriptor, exited: new Promise((done) => worker.once('exit', () => done())) };
  }

  /** Closes the database too: last, so that the -wal file goes. */
  async close(): Promise<void> {
    this.#mover?.worker.postMessage('close');
    await this.#mover?.exited;
    this.#db.close();
    // Not before: to close any descriptor of a file drops the locks that this process has on it, SQLite's as well.
    if (this.#mover !== undefined) closeSync(this.#mover.descriptor);
  }
}
