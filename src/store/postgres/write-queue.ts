// The writes of a node: batches of operations, each a serializable transaction, run again when it lost against another node.
//
// A batch begins on the same connection when the COMMIT of the one before is on its way, so that the database has its reads
// at hand when it has committed. It sends its own COMMIT only when it knows that the one before was committed; if that was
// not, it is undone with it, and both are run again in their order. So operations of one node never race each other.

import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import {
  commitApart,
  commitBatch,
  largestBatch,
  Undone,
  type WriteJob,
  type WriteResult,
  weightOf,
  weightOfAll,
} from '../group-commit.ts';
import { brokeKey, isInFailedTransaction, isUnreachable, lostRace, unavailable } from './postgres-errors.ts';
import { PreparedConnection } from './prepared-connection.ts';

/** Far more than contention ever needs; a bound only so that a bug of ours cannot turn for ever. */
const mostTries = 50;
const begin = 'BEGIN ISOLATION LEVEL SERIALIZABLE';

type Queued = WriteJob & {
  readonly resolve: (outcome: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** A connection of the pool, lent to a batch and to those that began behind it. */
type Loan = {
  readonly client: PoolClient;
  readonly returned: PromiseWithResolvers<void>;
  users: number;
  newest: BatchConnection | undefined;
  failure: { readonly error: unknown } | undefined;
};

/** A batch from its start until it is answered. */
class Turn {
  readonly batch: readonly Queued[];
  /** Undefined when it is over. */
  before: Turn | undefined;
  /** Whether its COMMIT is on its way, or it is over: the next batch may begin. */
  isSent = false;
  #sending = Promise.withResolvers<void>();
  over: Promise<void> = Promise.resolve();

  constructor(batch: readonly Queued[], before: Turn | undefined) {
    this.batch = batch;
    this.before = before;
  }

  send(): void {
    this.isSent = true;
    this.#sending.resolve();
  }

  /** It has to be run again. */
  takeBack(): void {
    // Somebody may be waiting for the promise there is.
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
  #newest: Turn | undefined;
  #loan: Loan | undefined;

  constructor(pool: Pool, onCommit: () => void) {
    this.#pool = pool;
    this.#onCommit = onCommit;
  }

  get weightWaiting(): number {
    return this.#weightWaiting;
  }

  add(job: Queued): void {
    this.#waiting.push(job);
    this.#weightWaiting += weightOf(job.command);
    this.#draining ??= this.#drain();
  }

  /** Waits until all that was added is answered. */
  async drained(): Promise<void> {
    while (this.#draining !== undefined || this.#newest !== undefined) {
      await this.#draining;
      await this.#newest?.over;
    }
  }

  async #drain(): Promise<void> {
    for (;;) {
      while (this.#newest !== undefined && !this.#mayBeginBehind(this.#newest))
        await (this.#newest.isSent ? this.#newest.over : this.#newest.sent());
      const batch = this.#takeBatch();
      if (batch.length === 0) break;
      const turn = new Turn(batch, this.#newest);
      this.#newest = turn;
      turn.over = this.#see(turn);
    }
    // In the same turn as the last look into the queue: a job that comes later starts anew.
    this.#draining = undefined;
  }

  /** A few do not begin behind many: those who get their answers now will be back, and are then one batch with them. */
  #mayBeginBehind({ isSent, batch }: Turn): boolean {
    return isSent && this.#weightWaiting * 2 >= weightOfAll(batch);
  }

  /**
   * All that waits, up to a batch. What comes while it runs is for the next, which is then a larger set: taken into the
   * same transaction as it came, it ran in sets of one or two, and with 167 alarms a second some were called for 5.6 s late
   * instead of 0.2 s.
   */
  #takeBatch(): readonly Queued[] {
    const batch: Queued[] = [];
    for (let weight = 0; weight < largestBatch; ) {
      const job = this.#waiting.shift();
      if (job === undefined) break;
      batch.push(job);
      weight += weightOf(job.command);
    }
    this.#weightWaiting -= weightOfAll(batch);
    return batch;
  }

  async #see(turn: Turn): Promise<void> {
    try {
      const results = await this.#commit(turn);
      this.#onCommit();
      for (const [index, result] of results.entries()) {
        if (result.kind === 'done') turn.batch[index]?.resolve(result.outcome);
        else turn.batch[index]?.reject(result.error);
      }
    } catch (error) {
      const told = isUnreachable(error) ? unavailable(error) : error;
      for (const { reject } of turn.batch) reject(told);
    }
    turn.before = undefined;
    turn.send();
    if (this.#newest === turn) this.#newest = undefined;
  }

  async #commit(turn: Turn): Promise<readonly WriteResult[]> {
    let run = commitBatch;
    for (let attempt = 1; ; ) {
      const loan = this.#loan ?? (await this.#lend());
      const connection = new BatchConnection(loan, () => turn.send());
      connection.forgivesBrokenKeys = attempt < 3;
      try {
        return await this.#use(loan, turn, connection, () => run(connection, begin, [...turn.batch]));
      } catch (error) {
        // Whoever began behind ends as well before this is run again, and goes on after it.
        await loan.returned.promise;
        const isUndoneWithOther = !(await connection.isBeforeCommitted());
        await turn.before?.over;
        if (isUndoneWithOther) continue;
        if (error instanceof Undone || isInFailedTransaction(error)) run = commitApart;
        else if (!(lostRace(error) || brokeKey(error))) throw error;
        if (attempt++ >= mostTries) throw lostRace(error) ? unavailable(error) : error;
        // Nodes that lost against each other do not meet again at once.
        await delay(Math.random() * Math.min(attempt, 10));
      }
    }
  }

  async #lend(): Promise<Loan> {
    const client = await this.#pool.connect();
    const loan = { client, returned: Promise.withResolvers<void>(), users: 0, newest: undefined, failure: undefined };
    this.#loan = loan;
    return loan;
  }

  async #use<T>(loan: Loan, turn: Turn, connection: BatchConnection, work: () => Promise<T>): Promise<T> {
    loan.users++;
    loan.newest = connection;
    try {
      return await work();
    } catch (error) {
      loan.failure ??= { error };
      // Nobody else begins on it, or behind this batch.
      turn.takeBack();
      if (this.#loan === loan) this.#loan = undefined;
      throw error;
    } finally {
      connection.end();
      if (--loan.users === 0) await this.#giveBack(loan);
    }
  }

  async #giveBack(loan: Loan): Promise<void> {
    if (this.#loan === loan) this.#loan = undefined;
    await giveBack(loan.client, loan.failure?.error);
    loan.returned.resolve();
  }
}

/** The connection as one batch has it. */
class BatchConnection extends PreparedConnection {
  /** Undefined when this is committed. */
  #before: BatchConnection | undefined;
  readonly #onCommitSent: () => void;
  readonly #committed = Promise.withResolvers<boolean>();

  constructor({ client, newest }: Loan, onCommitSent: () => void) {
    super(client);
    this.#before = newest;
    this.#onCommitSent = onCommitSent;
  }

  /** Whether what was sent before on the same connection is stored. */
  async isBeforeCommitted(): Promise<boolean> {
    return this.#before === undefined || (await this.#before.#committed.promise);
  }

  override async commit(): Promise<void> {
    if (!(await this.isBeforeCommitted())) throw new Undone('The batch before was not committed');
    const answer = super.commit();
    this.#onCommitSent();
    await answer;
    this.#committed.resolve(true);
    this.#before = undefined;
  }

  override isTrouble(error: unknown): boolean {
    return super.isTrouble(error) || isInFailedTransaction(error);
  }

  override end(): void {
    super.end();
    this.#committed.resolve(false);
  }
}

/** Returns a connection to its pool, undone when something failed; one that is dead, or cannot even undo, is thrown away. */
export async function giveBack(client: PoolClient, error: unknown): Promise<void> {
  if (error === undefined) return client.release();
  if (isUnreachable(error)) return client.release(true);
  try {
    await new PreparedConnection(client).rollBack('ROLLBACK');
    client.release();
  } catch {
    client.release(true);
  }
}
