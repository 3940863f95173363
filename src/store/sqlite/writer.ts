// The only writer of a SQLite file, on its own thread: runs operations one after another, many per commit.

import type { DatabaseSync } from 'node:sqlite';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { commitBatch, type WriteJob, weightOfAll } from '../group-commit.ts';
import type { Instant, Operation } from '../store.ts';
import {
  type FromWorker,
  failedResult,
  type Job,
  packResults,
  type ToWorker,
  unpackJobs,
} from '../threads/thread-messages.ts';
import { openWritable } from './database-file.ts';
import { HighWaterWriter } from './high-water-writer.ts';
import { markOpen, unmarkOpen } from './open-marker.ts';
import { PreparedConnection } from './prepared-connection.ts';
import { isFatal, isTransient, unavailable } from './sqlite-errors.ts';
import { WalCheckpointer } from './wal-checkpointer.ts';

export type Catalogue<T> = ReadonlyMap<string, T>;

type Queued = WriteJob & { readonly id: number };

type WriterTarget = { readonly file: string; readonly isServer: boolean };

export function serveWriter(
  port: MessagePort,
  { file, isServer }: WriterTarget,
  operations: Catalogue<Operation<never, unknown>>,
): void {
  const db = openWritable(file);
  if (isServer) markOpen(db, file);
  const lastWrite = isServer ? () => unmarkOpen(db) : () => {};
  new Writer(port, db, new HighWaterWriter(db, file), new WalCheckpointer(db, file), operations, lastWrite).serve();
}

/** How often newly assigned ids are recorded in the high-water mark. */
const noteEveryMs = 5_000;

/** A batch of this size shares a sync cheaply enough. */
const enoughForOneSync = 32;
const waitMs = 2;
const maxWaits = 4;

class Writer {
  readonly #port: MessagePort;
  readonly #connection: PreparedConnection;
  readonly #highWater: HighWaterWriter;
  readonly #log: WalCheckpointer;
  readonly #operations: Catalogue<Operation<never, unknown>>;
  readonly #lastWrite: () => void;
  readonly #waiting: Queued[] = [];
  readonly #noting: NodeJS.Timeout;
  readonly #waitCell = new Int32Array(new SharedArrayBuffer(4));
  #lastBatchSize = 0;
  #isRunning = false;
  #isClosing = false;
  #latest: Instant = 0;

  constructor(
    port: MessagePort,
    db: DatabaseSync,
    highWater: HighWaterWriter,
    log: WalCheckpointer,
    operations: Catalogue<Operation<never, unknown>>,
    lastWrite: () => void,
  ) {
    this.#port = port;
    this.#connection = new PreparedConnection(db, () => highWater.commit());
    this.#highWater = highWater;
    this.#log = log;
    this.#operations = operations;
    this.#lastWrite = lastWrite;
    this.#noting = setInterval(() => void this.#note(), noteEveryMs);
  }

  serve(): void {
    this.#port.on('message', (message: ToWorker) => {
      this.#accept(message);
      if (!this.#isRunning) void this.#drain();
    });
    this.#send({ kind: 'ready' });
  }

  #accept(message: ToWorker): void {
    if (message === 'close') this.#isClosing = true;
    else for (const job of unpackJobs(message)) this.#waiting.push(this.#queued(job));
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    try {
      for (let job = this.#take(); job !== undefined; job = this.#take()) {
        await this.#commit([job]);
        this.#log.afterCommit();
      }
      if (!this.#isClosing) return;
      await this.#noteIds();
      this.#writeLast();
      await this.#close();
    } catch (error) {
      this.#send({ kind: 'broken', reason: error instanceof Error ? error.message : String(error) });
      await this.#close();
    } finally {
      this.#isRunning = false;
    }
  }

  /** Throws only when the file can no longer be trusted; on a full disk the store closes without its last write. */
  #writeLast(): void {
    try {
      this.#lastWrite();
    } catch (error) {
      if (isFatal(error)) throw error;
    }
  }

  /** Runs between two batches, because it needs its own transaction. */
  async #note(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    await this.#noteIds();
    this.#isRunning = false;
    if (this.#waiting.length > 0 || this.#isClosing) await this.#drain();
  }

  /** A failure blocks nothing: only a commit that would exceed the mark is refused. */
  async #noteIds(): Promise<void> {
    await this.#highWater.note().catch(() => {});
  }

  /** Returns the next job. Reads the port directly, so that jobs that arrive while a batch runs still join it. */
  #take(): Queued | undefined {
    const arrived = this.#waiting.length === 0 ? receiveMessageOnPort(this.#port) : undefined;
    if (arrived !== undefined) this.#accept(arrived.message);
    return this.#waiting.shift();
  }

  /**
   * Returns a function that takes the jobs that arrive while `batch` runs. With many clients it waits a moment for more
   * jobs, as long as more arrive: several times as many writes then share a sync. A lone client never waits, because
   * its batches have one job. Some queued jobs are left for the next batch, so that the main thread has results to send
   * while that one runs.
   */
  #gatherer(batch: readonly Queued[]): (batchIs: 'at-work' | 'done') => Queued | undefined {
    let waits = this.#lastBatchSize > 1 ? maxWaits : 0;
    const maxWeight = Math.max(enoughForOneSync, Math.ceil(weightOfAll(this.#waiting) / 2));
    return (batchIs) => {
      if (weightOfAll(batch) >= maxWeight) return undefined;
      const job = this.#take();
      if (job !== undefined || batchIs === 'at-work' || waits === 0) return job;
      Atomics.wait(this.#waitCell, 0, 0, waitMs);
      const late = this.#take();
      waits = late === undefined ? 0 : waits - 1;
      return late;
    };
  }

  /** Commits a batch and sends its results. Throws only when the file can no longer be trusted. */
  async #commit(batch: Queued[]): Promise<void> {
    try {
      const take = this.#gatherer(batch);
      const results = await commitBatch(this.#connection, 'BEGIN IMMEDIATE', batch, take);
      this.#lastBatchSize = batch.length;
      const sent = results.map((result, index) => {
        const id = batch[index]?.id ?? -1;
        return result.kind === 'done' ? { id, ...result } : failedResult(id, result.error);
      });
      this.#send(packResults(sent, true, this.#connection.takeFrequentTo()));
    } catch (error) {
      this.#rollBack();
      const refusal = isTransient(error) || isFatal(error) ? unavailable(error) : error;
      const sent = batch.map(({ id }) => failedResult(id, refusal));
      this.#send(packResults(sent, false));
      if (isFatal(error)) throw error;
    }
  }

  #rollBack(): void {
    try {
      this.#connection.rollBack('ROLLBACK');
    } catch {
      // SQLite has already rolled back by itself, as it does on a full disk.
    }
  }

  #queued(job: Job): Queued {
    const operation = this.#operations.get(job.name) ?? unknownOperation(job.name);
    // Never goes back, so that ids and times have the same order even when the clock is set back.
    this.#latest = Math.max(this.#latest, job.now);
    const input = operation.codec === undefined ? job.input : operation.codec.unpack(job.input as never);
    return { id: job.id, operation, now: this.#latest, input };
  }

  async #close(): Promise<void> {
    clearInterval(this.#noting);
    await this.#log.close();
    this.#port.close();
  }

  #send(message: FromWorker): void {
    this.#port.postMessage(message);
  }
}

function unknownOperation(name: string): Operation<never, unknown> {
  return {
    name,
    run: () => Promise.reject(new Error(`The operation ${name} is not in src/store-worker.ts`)),
  };
}
