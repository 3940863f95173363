// The write queue of a node: runs batches of operations as serializable transactions and retries those that conflicted
// with another node.
//
// A batch begins on the same connection as soon as the COMMIT of the previous one has been sent, so that its reads are
// already in the database's input when that commit is done. It sends its own COMMIT only after the previous one is
// known to have succeeded; if that failed, both are rolled back and run again in order. So operations of one node never
// conflict with each other.

import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import {
  CommitRolledBack,
  commitBatch,
  commitWithSavepoints,
  largestBatch,
  type WriteJob,
  type WriteResult,
  weightOf,
  weightOfAll,
} from '../group-commit.ts';
import {
  brokeKey,
  contended,
  hasOutdatedPlan,
  isInFailedTransaction,
  isUnreachable,
  lostRace,
  unavailable,
} from './postgres-errors.ts';
import { PreparedConnection } from './prepared-connection.ts';

/** A batch that conflicts with other nodes is tried for so long. */
const triedForMs = 10_000;
/** The longest pause between two tries, long enough for the other nodes' batches to end meanwhile. */
const longestPauseMs = 50;
const begin = 'BEGIN ISOLATION LEVEL SERIALIZABLE';

type Queued = WriteJob & {
  readonly resolve: (outcome: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** A pool connection borrowed for a batch and for the batches that begin behind it. */
type SharedConnection = {
  readonly client: PoolClient;
  readonly returned: PromiseWithResolvers<void>;
  users: number;
  newest: BatchConnection | undefined;
  failure: { readonly error: unknown } | undefined;
};

/** A batch from its start until its jobs are resolved. */
class PendingBatch {
  readonly batch: readonly Queued[];
  /** The batch before this one; undefined once that is over. */
  before: PendingBatch | undefined;
  /** Whether its COMMIT has been sent, or it is over: the next batch may begin. */
  isSent = false;
  #sending = Promise.withResolvers<void>();
  finished: Promise<void> = Promise.resolve();

  constructor(batch: readonly Queued[], before: PendingBatch | undefined) {
    this.batch = batch;
    this.before = before;
  }

  send(): void {
    this.isSent = true;
    this.#sending.resolve();
  }

  /** Marks the batch as not sent, because it has to run again. */
  markUnsent(): void {
    // Unsent: callers may already wait for the current promise.
    if (!this.isSent) return;
    this.isSent = false;
    this.#sending = Promise.withResolvers();
  }

  sent(): Promise<void> {
    return this.#sending.promise;
  }
}

export class WriteQueue {
  readonly #pool: Pool;
  readonly #onCommit: () => void;
  readonly #waiting: Queued[] = [];
  #weightWaiting = 0;
  #draining: Promise<void> | undefined;
  #newest: PendingBatch | undefined;
  #shared: SharedConnection | undefined;

  constructor(pool: Pool, onCommit: () => void) {
    this.#pool = pool;
    this.#onCommit = onCommit;
  }

  get weightWaiting(): number {
    return this.#weightWaiting;
  }

  add(job: Queued): void {
    this.#waiting.push(job);
    this.#weightWaiting += weightOf(job.input);
    this.#draining ??= this.#drain();
  }

  /** Waits until all jobs added so far are resolved. */
  async drained(): Promise<void> {
    while (this.#draining !== undefined || this.#newest !== undefined) {
      await this.#draining;
      await this.#newest?.finished;
    }
  }

  async #drain(): Promise<void> {
    for (;;) {
      while (this.#newest !== undefined && !this.#mayBeginBehind(this.#newest))
        await (this.#newest.isSent ? this.#newest.finished : this.#newest.sent());
      const batch = this.#takeBatch();
      if (batch.length === 0) break;
      const pending = new PendingBatch(batch, this.#newest);
      this.#newest = pending;
      pending.finished = this.#finish(pending);
    }
    // Reset in the same event-loop turn as the last check of the queue, so that a later job starts a new drain.
    this.#draining = undefined;
  }

  /**
   * Whether a batch may begin behind this one. A small batch waits for a large one to finish: the callers of that one
   * will soon be back, and their jobs join the batch.
   */
  #mayBeginBehind({ isSent, batch }: PendingBatch): boolean {
    return isSent && this.#weightWaiting * 2 >= weightOfAll(batch);
  }

  /**
   * Takes the queued jobs, up to the size of a batch. Jobs that arrive while it runs go into the next batch, which is
   * then larger. When they joined the running transaction instead, they ran in sets of one or two, and at 167 alarms a
   * second some calls started 5.6 s late instead of 0.2 s.
   */
  #takeBatch(): readonly Queued[] {
    const batch: Queued[] = [];
    for (let weight = 0; weight < largestBatch; ) {
      const job = this.#waiting.shift();
      if (job === undefined) break;
      batch.push(job);
      weight += weightOf(job.input);
    }
    this.#weightWaiting -= weightOfAll(batch);
    return batch;
  }

  async #finish(pending: PendingBatch): Promise<void> {
    try {
      const results = await this.#commit(pending);
      this.#onCommit();
      for (const [index, result] of results.entries()) {
        if (result.kind === 'done') pending.batch[index]?.resolve(result.outcome);
        else pending.batch[index]?.reject(result.error);
      }
    } catch (error) {
      const failure = isUnreachable(error) ? unavailable(error) : error;
      for (const { reject } of pending.batch) reject(failure);
    }
    pending.before = undefined;
    pending.send();
    if (this.#newest === pending) this.#newest = undefined;
  }

  async #commit(pending: PendingBatch): Promise<readonly WriteResult[]> {
    let run = commitBatch;
    let giveUpAt: number | undefined;
    for (let attempt = 1; ; ) {
      const shared = this.#shared ?? (await this.#borrow());
      const connection = new BatchConnection(shared, () => pending.send());
      connection.retriesBrokenKeys = attempt < 3;
      try {
        return await this.#use(shared, pending, connection, () => run(connection, begin, [...pending.batch]));
      } catch (error) {
        // Batches that began behind this one must end before it is run again; they then run after it.
        await shared.returned.promise;
        const isUndoneWithOther = !(await connection.isBeforeCommitted());
        await pending.before?.finished;
        if (isUndoneWithOther) continue;
        if (error instanceof CommitRolledBack || isInFailedTransaction(error)) run = commitWithSavepoints;
        else if (!(lostRace(error) || brokeKey(error) || hasOutdatedPlan(error))) throw error;
        // From its own first failure on: it may have waited for the batch before.
        giveUpAt ??= performance.now() + triedForMs;
        if (performance.now() > giveUpAt) throw lostRace(error) ? contended(error) : error;
        attempt++;
        // A random pause, so that conflicting nodes do not conflict again at once.
        await delay(Math.random() * Math.min(attempt, longestPauseMs));
      }
    }
  }

  async #borrow(): Promise<SharedConnection> {
    const client = await this.#pool.connect();
    const shared = { client, returned: Promise.withResolvers<void>(), users: 0, newest: undefined, failure: undefined };
    this.#shared = shared;
    return shared;
  }

  async #use<T>(
    shared: SharedConnection,
    pending: PendingBatch,
    connection: BatchConnection,
    work: () => Promise<T>,
  ): Promise<T> {
    shared.users++;
    shared.newest = connection;
    try {
      return await work();
    } catch (error) {
      shared.failure ??= { error };
      // No other batch may begin on this connection or behind this batch.
      pending.markUnsent();
      if (this.#shared === shared) this.#shared = undefined;
      throw error;
    } finally {
      connection.end();
      if (--shared.users === 0) await this.#release(shared);
    }
  }

  async #release(shared: SharedConnection): Promise<void> {
    if (this.#shared === shared) this.#shared = undefined;
    await releaseConnection(shared.client, shared.failure?.error);
    shared.returned.resolve();
  }
}

/** A borrowed connection as one batch sees it. */
class BatchConnection extends PreparedConnection {
  /** The previous batch on the connection; undefined once this one is committed. */
  #before: BatchConnection | undefined;
  readonly #onCommitSent: () => void;
  readonly #committed = Promise.withResolvers<boolean>();

  constructor({ client, newest }: SharedConnection, onCommitSent: () => void) {
    super(client);
    this.#before = newest;
    this.#onCommitSent = onCommitSent;
  }

  /** Whether the previous batch on the same connection is committed. */
  async isBeforeCommitted(): Promise<boolean> {
    return this.#before === undefined || (await this.#before.#committed.promise);
  }

  override async commit(): Promise<void> {
    if (!(await this.isBeforeCommitted())) throw new CommitRolledBack('The batch before was not committed');
    const committed = super.commit();
    this.#onCommitSent();
    await committed;
    this.#committed.resolve(true);
    this.#before = undefined;
  }

  override failsBatch(error: unknown): boolean {
    return super.failsBatch(error) || isInFailedTransaction(error);
  }

  override end(): void {
    super.end();
    this.#committed.resolve(false);
  }
}

/**
 * Returns a connection to its pool, after a rollback when something failed. Closes a dead one, one that cannot roll
 * back, and one whose prepared statements are outdated.
 */
export async function releaseConnection(client: PoolClient, error: unknown): Promise<void> {
  if (error === undefined) return client.release();
  if (isUnreachable(error) || hasOutdatedPlan(error)) return client.release(true);
  try {
    await new PreparedConnection(client).rollBack('ROLLBACK');
    client.release();
  } catch {
    client.release(true);
  }
}
