// A worker thread of a store: sends it jobs, and settles them with the results it sends back.

import { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import type { Instant } from '../store.ts';
import { startCheckProcess } from './check-process.ts';
import { type FromWorker, type Job, packJobs, type ToWorker, thrownFrom } from './thread-messages.ts';

type Pending = {
  readonly resolve: (outcome: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly weight: number;
};

/** The role of a thread and its database. */
export type WorkerData =
  | ({ readonly role: 'writer' } & SqliteFile)
  | ({ readonly role: 'reader' } & SqliteFile)
  | ({ readonly role: 'checker' } & SqliteFile)
  | { readonly role: 'postgres-reader'; readonly url: string }
  | ({ readonly role: 'backup' } & BackupOrder);

/** A backup that a thread writes to `file`. */
export type BackupOrder = {
  readonly file: string;
  /** Of the SQLite database, unless there is a URL. */
  readonly folder: string;
  readonly url: string | undefined;
};

type SqliteFile = {
  readonly file: string;
  /** Whether the threads belong to the server of the folder, not to a CLI command. */
  readonly isServer: boolean;
};

/** The part of a worker thread that a store uses. */
export type StoreWorker = {
  on(event: 'message', listener: (message: FromWorker) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  once(event: 'exit', listener: () => void): unknown;
  postMessage(message: ToWorker): void;
};

export type StartWorker = (data: WorkerData) => StoreWorker;

/** Without a limit V8 kept 160 MB for a thread that used 22 MB after large batches; with this one 56 MB. */
const maxYoungGenerationSizeMb = 48;

/** Starts threads, and processes that check a file, that run `module`, which knows the operations and queries: src/store-worker.ts. */
export function threadsOf(module: URL): StartWorker {
  return (workerData) =>
    workerData.role === 'checker'
      ? startCheckProcess(module, workerData.file)
      : new Worker(module, { workerData, resourceLimits: { maxYoungGenerationSizeMb } });
}

export type ThreadOptions = {
  readonly worker: StoreWorker;
  /** Called once when the thread failed after it had started. */
  readonly onBroken: (reason: string) => void;
  /** Called with what a look at the file found; undefined: nothing is wrong. */
  readonly onChecked?: (problem: string | undefined) => void;
  /** The error of the jobs that a failed thread leaves undone. */
  readonly refusal: (reason: string) => AppError;
};

export class WorkerThread {
  readonly commitListeners = new Set<(frequentTo?: number) => void>();
  readonly #worker: StoreWorker;
  readonly #ready: Promise<void>;
  readonly #pending = new Map<number, Pending>();
  readonly #exited: Promise<void>;
  readonly #refusal: (reason: string) => AppError;
  #unsent: Job[] = [];
  #isClosing = false;
  brokenBecause: string | undefined;
  /** The number of inputs waiting for their result. */
  pending = 0;
  posted = 0;
  commits = 0;

  static async start(options: ThreadOptions): Promise<WorkerThread> {
    const thread = new WorkerThread(options);
    await thread.#ready;
    return thread;
  }

  private constructor({ worker, onBroken, onChecked, refusal }: ThreadOptions) {
    this.#refusal = refusal;
    this.#worker = worker;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#ready = promise;
    this.#worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') resolve();
      else if (message.kind === 'results') this.#settle(message);
      else if (message.kind === 'checked') onChecked?.(message.problem);
      else if (message.kind === 'broken') this.#break(message.reason, onBroken);
    });
    let isReady = false;
    promise.then(
      () => {
        isReady = true;
      },
      () => {},
    );
    this.#worker.on('error', (error) => {
      reject(error);
      // A thread that never started held no jobs; its caller handles the failure.
      if (isReady) this.#break(error instanceof Error ? error.message : String(error), onBroken);
    });
    this.#exited = new Promise((done) => this.#worker.once('exit', () => done()));
  }

  post(name: string, input: unknown, now: Instant, weight = 1): Promise<unknown> {
    if (this.brokenBecause !== undefined) return Promise.reject(this.#refusal(this.brokenBecause));
    // The thread ignores messages that follow `close`.
    if (this.#isClosing) return Promise.reject(closedStore());
    const job: Job = { id: this.posted++, name, input, now };
    return new Promise((resolve, reject) => {
      this.pending += weight;
      this.#pending.set(job.id, { resolve, reject, weight });
      if (this.#unsent.push(job) === 1) setImmediate(() => this.#send());
    });
  }

  /** Sends the jobs of one event-loop turn as one message: waking a thread costs more than a job. */
  #send(): void {
    if (this.#unsent.length > 0) this.#worker.postMessage(packJobs(this.#unsent));
    this.#unsent = [];
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#send();
    if (this.brokenBecause === undefined) this.#worker.postMessage('close');
    await this.#exited;
  }

  #settle(message: Extract<FromWorker, { kind: 'results' }>): void {
    const { done, failed, committed, frequentTo } = message;
    for (let index = 0; index < done.length; index += 2) this.#take(done[index] as number)?.resolve(done[index + 1]);
    for (const result of failed) this.#take(result.id)?.reject(thrownFrom(result));
    if (!committed) return;
    this.commits++;
    for (const listener of this.commitListeners) listener(frequentTo);
  }

  /** Removes and returns a pending job. */
  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    this.pending -= pending?.weight ?? 0;
    return pending;
  }

  #break(reason: string, onBroken: (reason: string) => void): void {
    if (this.brokenBecause !== undefined) return;
    this.brokenBecause = reason;
    for (const { reject } of this.#pending.values()) reject(this.#refusal(reason));
    this.#pending.clear();
    onBroken(reason);
  }
}

export function closedStore(): AppError {
  return new AppError('unavailable', 'Nothing was read or stored: Tocsin is stopping.');
}
