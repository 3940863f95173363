// Many operations to a commit: how a batch is run so that one that fails undoes only itself. Shared by both databases.

import { AppError } from '../errors.ts';
import type { Tx } from './store.ts';

/** A connection that one batch at a time has to itself. */
export type WriteConnection = {
  readonly tx: Tx;
  /** Set by every statement that changes something. */
  hasWritten: boolean;
  exec(text: string): void | Promise<void>;
  commit(): Promise<void>;
  /** Whether an error is the whole batch's, not the operation's that met it: the disk, the connection, a lost race. */
  isTrouble(error: unknown): boolean;
};

export type WriteJob = { readonly run: (tx: Tx) => Promise<unknown> };

export type WriteResult =
  | { readonly kind: 'done'; readonly outcome: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

/** More than the store works off in a second or two: who comes then had better come back than wait. */
const mostWaiting = 5_000;

/** Refuses a write when too many wait already, before it costs anything. */
export function refuseWhenOverloaded(waiting: number): void {
  if (waiting < mostWaiting) return;
  throw new AppError('unavailable', 'Nothing was stored: more comes in than can be written. Try again shortly.', {
    retryAfterSeconds: 1,
  });
}

/** Lists may take long; who comes when this many wait had better come back. */
const mostListsWaiting = 100;

export function refuseList(waiting: number): void {
  if (waiting < mostListsWaiting) return;
  throw new AppError('unavailable', 'Too many lists are being read at once. Try again shortly.', {
    retryAfterSeconds: 1,
  });
}

/** Bounds how long the first job of a batch waits for the commit it shares. */
const largestBatch = 256;

/**
 * Runs the jobs of `batch` one after another and commits. `take` gives jobs that arrived meanwhile: they join the batch.
 * Answers a result per job. Throws when the batch as a whole could not be committed; whoever owns the connection undoes it.
 */
export async function commitBatch<J extends WriteJob>(
  connection: WriteConnection,
  begin: string,
  batch: J[],
  take: () => J | undefined,
): Promise<readonly WriteResult[]> {
  const results =
    (await runPlainly(connection, begin, batch, take)) ?? (await runWithSavepoints(connection, begin, batch));
  await connection.commit();
  return results;
}

/**
 * The fast way, without savepoints. Answers undefined, with all of it undone, when a job failed in a way that leaves
 * something to take back. A refusal before the first write, the usual one, leaves nothing.
 */
async function runPlainly<J extends WriteJob>(
  connection: WriteConnection,
  begin: string,
  batch: J[],
  take: () => J | undefined,
): Promise<WriteResult[] | undefined> {
  const results: WriteResult[] = [];
  await connection.exec(begin);
  for (const job of batch) {
    connection.hasWritten = false;
    const result = await run(connection, job);
    if (result.kind === 'failed' && (connection.hasWritten || !(result.error instanceof AppError))) {
      await connection.exec('ROLLBACK');
      return undefined;
    }
    results.push(result);
    const next = batch.length < largestBatch ? take() : undefined;
    if (next !== undefined) batch.push(next);
  }
  return results;
}

async function runWithSavepoints(
  connection: WriteConnection,
  begin: string,
  batch: readonly WriteJob[],
): Promise<WriteResult[]> {
  const results: WriteResult[] = [];
  await connection.exec(begin);
  for (const job of batch) {
    await connection.exec('SAVEPOINT job');
    const result = await run(connection, job);
    if (result.kind === 'failed') await connection.exec('ROLLBACK TO SAVEPOINT job');
    await connection.exec('RELEASE SAVEPOINT job');
    results.push(result);
  }
  return results;
}

async function run(connection: WriteConnection, job: WriteJob): Promise<WriteResult> {
  try {
    return { kind: 'done', outcome: await job.run(connection.tx) };
  } catch (error) {
    if (connection.isTrouble(error)) throw error;
    return { kind: 'failed', error };
  }
}
