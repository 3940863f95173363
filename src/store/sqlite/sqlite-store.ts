// The Store on SQLite: one thread writes with group commit, other threads read, the event loop only waits for messages.

import { AppError, attempt } from '../../errors.ts';
import { refuseWhenOverloaded, weightOf } from '../group-commit.ts';
import { narrowFiles } from '../private-file.ts';
import type { Schema, SchemaChange } from '../schema.ts';
import type { Instant, Operation, Query, Store, StoreStats } from '../store.ts';
import { FileChecks } from '../threads/file-checks.ts';
import { computationLimit, listLimit, QueryThread } from '../threads/query-thread.ts';
import { type StartWorker, type ThreadOptions, WorkerThread } from '../threads/worker-thread.ts';
import { asStartError, makeFolder, prepareDatabase } from './database-file.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { reconcileIds } from './high-water-writer.ts';
import { damagedStore } from './sqlite-errors.ts';

type SqliteOptions = {
  readonly folder: string;
  readonly schema: Schema;
  readonly startWorker: StartWorker;
  readonly now: () => Instant;
  /** Called once when storage failed under the writer: this process can store nothing any more. */
  readonly onBroken: (reason: string) => void;
  /** Called with what a look at the file, by a reader or a check, found wrong; undefined: a check of the whole file found nothing. */
  readonly onChecked?: (problem: string | undefined) => void;
  /** Called with notices to the administrator about the data. */
  readonly onNotice?: (sentence: string) => void;
  /** Whether to lock the folder: a server does, a CLI command works beside a server. */
  readonly exclusive: boolean;
  readonly schemaChange: SchemaChange;
};

type ThreadFailure = Pick<ThreadOptions, 'onBroken' | 'refusal'>;
type Role = 'writer' | 'reader';

export async function openSqliteStore(options: SqliteOptions): Promise<Store> {
  makeFolder(options.folder);
  narrowFiles(options.folder, options.onNotice);
  const lock = options.exclusive ? lockFolder(options.folder) : undefined;
  try {
    const { file, isChecked } = await prepareDatabase(options.folder, options.schema, {
      onNotice: options.onNotice,
      hasLock: options.exclusive,
      schemaChange: options.schemaChange,
    });
    const notice = await reconcileIds(file).catch((error) => {
      throw asStartError(error, options.folder);
    });
    if (notice !== undefined) options.onNotice?.(notice);
    const damage = new Damage(options.onChecked);
    const start = (role: Role, on: ThreadFailure): Promise<WorkerThread> =>
      WorkerThread.start({
        worker: options.startWorker({ role, file, isServer: options.exclusive }),
        onChecked: (problem) => damage.note(problem),
        ...on,
      });
    const whole = { onBroken: options.onBroken, refusal: brokenStore };
    const [writer, reader] = await Promise.all([start('writer', whole), start('reader', whole)]).catch((error) => {
      throw asStartError(error, options.folder);
    });
    if (isChecked) damage.note(undefined);
    const checks = new FileChecks(
      () => options.startWorker({ role: 'checker', file, isServer: options.exclusive }),
      (problem) => damage.note(problem),
    );
    if (!isChecked && options.exclusive) checks.begin();
    return new SqliteStore({ writer, reader, checks, damage, lock }, (on) => start('reader', on), options.now);
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/** What was found wrong with the file: alarms are not taken any more, which nobody might get out again. */
class Damage {
  readonly #onChecked: SqliteOptions['onChecked'];
  problem: string | undefined;

  constructor(onChecked: SqliteOptions['onChecked']) {
    this.#onChecked = onChecked;
  }

  note(problem: string | undefined): void {
    if (this.problem !== undefined) return;
    this.problem = problem;
    this.#onChecked?.(problem);
  }
}

type Parts = {
  readonly writer: WorkerThread;
  readonly reader: WorkerThread;
  readonly checks: FileChecks;
  readonly damage: Damage;
  readonly lock: FolderLock | undefined;
};

class SqliteStore implements Store {
  readonly kind = 'sqlite';
  readonly #checks: FileChecks;
  readonly #damage: Damage;
  readonly #writer: WorkerThread;
  readonly #quickReader: WorkerThread;
  readonly #lists: QueryThread;
  readonly #longLists: QueryThread;
  readonly #computations: QueryThread;
  readonly #decisions: QueryThread;
  readonly #now: () => Instant;
  readonly #lock: FolderLock | undefined;
  #reads = 0;
  #closed: Promise<void> | undefined;

  constructor(
    { writer, reader, checks, damage, lock }: Parts,
    startReader: (on: ThreadFailure) => Promise<WorkerThread>,
    now: () => Instant,
  ) {
    this.#writer = writer;
    this.#quickReader = reader;
    this.#checks = checks;
    this.#damage = damage;
    this.#lists = new QueryThread(startReader, listLimit);
    this.#longLists = new QueryThread(startReader, listLimit);
    this.#computations = new QueryThread(startReader, computationLimit);
    this.#decisions = new QueryThread(startReader, computationLimit);
    this.#now = now;
    this.#lock = lock;
  }

  /** Not async: wrapping the promise would cost extra microtask turns. */
  write<I, O>(operation: Operation<I, O>, input: I): Promise<O> {
    const { problem } = this.#damage;
    if (problem !== undefined && operation.isIntake) return Promise.reject(damagedStore(problem));
    const refusal = attempt(() => refuseWhenOverloaded(this.#writer.pending));
    if (refusal !== undefined) return Promise.reject(refusal);
    const { name, codec } = operation;
    const packed = codec === undefined ? input : codec.pack(input);
    return this.#writer.post(name, packed, this.#now(), weightOf(input)) as Promise<O>;
  }

  async read<A, R>(query: Query<A, R>, args: A): Promise<R> {
    this.#reads++;
    if (query.isQuick) return this.#quickReader.post(query.name, args, 0) as Promise<R>;
    if (query.isComputation) return this.#computations.read(query, args);
    if (query.isDecision) return this.#decisions.read(query, args);
    return (query.isLong ? this.#longLists : this.#lists).read(query, args);
  }

  onEvents(listener: (frequentTo?: number) => void): () => void {
    this.#writer.commitListeners.add(listener);
    return () => this.#writer.commitListeners.delete(listener);
  }

  /** The listeners are told by the thread that commits. */
  eventDelayMs(): number {
    return 0;
  }

  /** The database is a file, which a thread of this process reads. */
  silentMs(): number {
    return 0;
  }

  async check(): Promise<void> {
    if (this.#writer.brokenBecause !== undefined) throw brokenStore(this.#writer.brokenBecause);
    if (this.#damage.problem !== undefined) throw damagedStore(this.#damage.problem);
  }

  recheck(): void {
    this.#checks.begin();
  }

  stats(): StoreStats {
    return { writes: this.#writer.posted, commits: this.#writer.commits, reads: this.#reads };
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const readers = [this.#quickReader, this.#lists, this.#longLists, this.#computations, this.#decisions];
    await Promise.all([...readers, this.#checks].map((reader) => reader.close()));
    // Closed last, so that no reader prevents its final checkpoint from removing the -wal file.
    await this.#writer.close();
    this.#lock?.release();
  }
}

function brokenStore(reason: string): AppError {
  return new AppError('unavailable', 'Nothing was stored: the storage has failed, and Tocsin must be started again.', {
    cause: new Error(reason),
  });
}
