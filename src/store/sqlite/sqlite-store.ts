// The Store on SQLite: one thread writes with group commit, other threads read, the event loop only waits for messages.

import { Worker } from 'node:worker_threads';
import { AppError, attempt } from '../../errors.ts';
import { refuseListWhenOverloaded, refuseWhenOverloaded, weightOf } from '../group-commit.ts';
import { newestVersion } from '../migrations/migrations.ts';
import { narrowFiles } from '../private-file.ts';
import type { Instant, Operation, Query, Store, StoreStats } from '../store.ts';
import { asStartError, makeFolder, prepareDatabase } from './database-file.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { reconcileIds } from './high-water-writer.ts';
import { type FromWorker, type Job, packJobs, type ToWorker, thrownFrom } from './thread-messages.ts';

type SqliteOptions = {
  readonly folder: string;
  readonly startWorker: StartWorker;
  readonly now: () => Instant;
  /** Called once when storage failed under the writer: this process can store nothing any more. */
  readonly onBroken: (reason: string) => void;
  /** Called with notices to the administrator about the data. */
  readonly onNotice?: (sentence: string) => void;
  /** Whether to lock the folder: a server does, a CLI command works beside a server. */
  readonly exclusive: boolean;
};

export type WorkerData = {
  readonly role: 'writer' | 'reader';
  readonly file: string;
  /** Whether the threads belong to the server of the folder, not to a CLI command. */
  readonly isServer: boolean;
};

type WorkerRole = WorkerData['role'];

/** What the store needs of a worker thread. */
export type StoreWorker = {
  on(event: 'message', listener: (message: FromWorker) => void): unknown;
  on(event: 'error', listener: (error: unknown) => void): unknown;
  once(event: 'exit', listener: () => void): unknown;
  postMessage(message: ToWorker): void;
};

export type StartWorker = (data: WorkerData) => StoreWorker;

/** Without a limit V8 kept 160 MB for a thread that used 22 MB after large batches; with this one 56 MB. */
const maxYoungGenerationSizeMb = 48;

/** Starts threads that run `module`, which knows the operations: src/store-worker.ts. */
export function threadsOf(module: URL): StartWorker {
  return (workerData) => new Worker(module, { workerData, resourceLimits: { maxYoungGenerationSizeMb } });
}

export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  makeFolder(options.folder);
  narrowFiles(options.folder, options.onNotice);
  const lock = options.exclusive ? lockFolder(options.folder) : undefined;
  try {
    const file = prepareDatabase(options.folder, newestVersion, options.onNotice, options.exclusive);
    const notice = await reconcileIds(file).catch((error) => {
      throw asStartError(error, options.folder);
    });
    if (notice !== undefined) options.onNotice?.(notice);
    const start = (role: WorkerRole): Promise<Thread> => startThread(options, role, file);
    const [writer, reader] = await Promise.all([start('writer'), start('reader')]).catch((error) => {
      throw asStartError(error, options.folder);
    });
    return new SqliteStore(writer, reader, () => start('reader'), options.now, lock);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

class SqliteStore implements Store {
  readonly kind = 'sqlite';
  readonly #writer: Thread;
  readonly #quickReader: Thread;
  readonly #startReader: () => Promise<Thread>;
  readonly #now: () => Instant;
  readonly #lock: FolderLock | undefined;
  #reads = 0;
  #secondReader: Thread | undefined;
  #isStarting = false;
  #lists = 0;
  #starting: Promise<void> = Promise.resolve();
  #closed: Promise<void> | undefined;

  constructor(
    writer: Thread,
    reader: Thread,
    startReader: () => Promise<Thread>,
    now: () => Instant,
    lock: FolderLock | undefined,
  ) {
    this.#writer = writer;
    this.#quickReader = reader;
    this.#startReader = startReader;
    this.#now = now;
    this.#lock = lock;
  }

  /** Not async: wrapping the promise would cost extra microtask turns. */
  write<I, O>(operation: Operation<I, O>, input: I): Promise<O> {
    const refusal = attempt(() => refuseWhenOverloaded(this.#writer.pending));
    if (refusal !== undefined) return Promise.reject(refusal);
    const { name, codec } = operation;
    const packed = codec === undefined ? input : codec.pack(input);
    return this.#writer.post(name, packed, this.#now(), weightOf(input)) as Promise<O>;
  }

  async read<A, R>(query: Query<A, R>, args: A): Promise<R> {
    this.#reads++;
    if (query.isQuick) return this.#quickReader.post(query.name, args, 0) as Promise<R>;
    refuseListWhenOverloaded(this.#lists);
    this.#lists++;
    try {
      const reader = await this.#listReader();
      return (await reader.post(query.name, args, 0)) as R;
    } finally {
      this.#lists--;
    }
  }

  /**
   * Starts a second reader thread when two lists run at once; until then lists share the reader of the quick queries.
   */
  async #listReader(): Promise<Thread> {
    if (this.#secondReader === undefined && this.#lists > 1) {
      this.#startSecondReader();
      await this.#starting;
    }
    return this.#secondReader ?? this.#quickReader;
  }

  #startSecondReader(): void {
    if (this.#isStarting || this.#secondReader !== undefined || this.#closed !== undefined) return;
    this.#isStarting = true;
    this.#starting = this.#startReader()
      .then(
        (reader) => {
          this.#secondReader = reader;
        },
        // Lists keep sharing the first reader; the next list that finds it busy tries again.
        () => {},
      )
      .finally(() => {
        this.#isStarting = false;
      });
  }

  onEvents(listener: (alarmsTo?: number) => void): () => void {
    this.#writer.commitListeners.add(listener);
    return () => this.#writer.commitListeners.delete(listener);
  }

  async check(): Promise<void> {
    if (this.#writer.brokenBecause !== undefined) throw brokenStore(this.#writer.brokenBecause);
  }

  stats(): StoreStats {
    return { writes: this.#writer.posted, commits: this.#writer.commits, reads: this.#reads };
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await this.#starting;
    await Promise.all([this.#quickReader.close(), this.#secondReader?.close()]);
    // Closed last, so that no reader prevents its final checkpoint from removing the -wal file.
    await this.#writer.close();
    this.#lock?.release();
  }
}

async function startThread(options: SqliteOptions, role: WorkerRole, file: string): Promise<Thread> {
  const thread = new Thread(options, role, file);
  await thread.ready;
  return thread;
}

type Pending = {
  readonly resolve: (outcome: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly weight: number;
};

/** One worker thread and the jobs it has not finished. */
class Thread {
  readonly ready: Promise<void>;
  readonly commitListeners = new Set<(alarmsTo?: number) => void>();
  readonly #worker: StoreWorker;
  readonly #pending = new Map<number, Pending>();
  readonly #exited: Promise<void>;
  #unsent: Job[] = [];
  #isClosing = false;
  brokenBecause: string | undefined;
  /** The number of inputs waiting for their result. */
  pending = 0;
  posted = 0;
  commits = 0;

  constructor(options: SqliteOptions, role: WorkerRole, file: string) {
    this.#worker = options.startWorker({ role, file, isServer: options.exclusive });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') resolve();
      else if (message.kind === 'results') this.#settle(message);
      else this.#break(message.reason, options.onBroken);
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
      if (isReady) this.#break(error instanceof Error ? error.message : String(error), options.onBroken);
    });
    this.#exited = new Promise((done) => this.#worker.once('exit', () => done()));
  }

  post(name: string, input: unknown, now: Instant, weight = 1): Promise<unknown> {
    if (this.brokenBecause !== undefined) return Promise.reject(brokenStore(this.brokenBecause));
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
    const { done, failed, committed, alarmsTo } = message;
    for (let index = 0; index < done.length; index += 2) this.#take(done[index] as number)?.resolve(done[index + 1]);
    for (const result of failed) this.#take(result.id)?.reject(thrownFrom(result));
    if (!committed) return;
    this.commits++;
    for (const listener of this.commitListeners) listener(alarmsTo);
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
    for (const { reject } of this.#pending.values()) reject(brokenStore(reason));
    this.#pending.clear();
    onBroken(reason);
  }
}

function brokenStore(reason: string): AppError {
  return new AppError('unavailable', 'Nothing was stored: the storage has failed, and Tocsin must be started again.', {
    cause: new Error(reason),
  });
}

function closedStore(): AppError {
  return new AppError('unavailable', 'Nothing was read or stored: Tocsin is stopping.');
}
