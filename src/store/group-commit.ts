// Group commit: runs many operations in one transaction so that a failed one undoes only itself; used by both
// databases.

import { AppError } from '../errors.ts';
import type { JobResult, Operation, Tx } from './store.ts';

/** A connection used by one batch at a time. */
export type WriteConnection = {
  readonly tx: Tx;
  /** Set by every statement that changes something. */
  hasWritten: boolean;
  /** Begins a transaction or a savepoint; an error may surface only in a later statement. */
  begin(text: string): void;
  rollBack(text: string): void | Promise<void>;
  /** Waits until every statement sent is known to have succeeded. */
  settle(): void | Promise<void>;
  /** Throws CommitRolledBack when an earlier pipelined statement had failed. */
  commit(): Promise<void>;
  /** Whether the error fails the whole batch (disk, connection, serialisation conflict) instead of one operation. */
  failsBatch(error: unknown): boolean;
};

/**
 * PostgreSQL replied to COMMIT with ROLLBACK because an earlier pipelined statement failed; the batch is run again by
 * commitWithSavepoints.
 */
export class CommitRolledBack extends Error {}

export type WriteJob = {
  readonly operation: Operation<never, unknown>;
  readonly now: number;
  readonly input: unknown;
};

export type WriteResult = JobResult<unknown>;

/** The number of inputs in a job: a list counts as its length. */
export function weightOf(input: unknown): number {
  return Array.isArray(input) ? input.length : 1;
}

export function weightOfAll(batch: readonly WriteJob[]): number {
  let weight = 0;
  for (const { input } of batch) weight += weightOf(input);
  return weight;
}

/** More than the store writes in one or two seconds; beyond that, callers should retry instead of waiting. */
const maxWaiting = 5_000;

/** Refuses a write when too many inputs are queued, before any work is done for it. */
export function refuseWhenOverloaded(waiting: number): void {
  if (waiting < maxWaiting) return;
  throw new AppError('unavailable', 'Nothing was stored: more comes in than can be written. Try again shortly.', {
    retryAfterSeconds: 1,
  });
}

/** Limits the inputs in a batch, and so how long the first one waits for the commit it shares. */
export const largestBatch = 256;

/** Returns a job that has arrived. When the batch has run all it holds (`done`), it may wait a moment for one. */
type Take<J> = (batchIs: 'at-work' | 'done') => J | undefined;

/**
 * Runs the jobs of `batch` in order and commits; adjacent jobs of one operation run together when it has `runAll`. Jobs
 * from `take` that arrived meanwhile join the batch. Returns one result per job. Throws when the whole batch could not
 * be committed; the owner of the connection rolls back.
 */
export async function commitBatch<J extends WriteJob>(
  connection: WriteConnection,
  begin: string,
  batch: J[],
  take: Take<J> = () => undefined,
): Promise<readonly WriteResult[]> {
  const results = await runWithoutSavepoints(connection, begin, batch, take);
  if (results === undefined) return commitWithSavepoints(connection, begin, batch);
  await connection.commit();
  return results;
}

/** As commitBatch, with a savepoint per job: slower, but a failed job undoes only itself. */
export async function commitWithSavepoints(
  connection: WriteConnection,
  begin: string,
  batch: readonly WriteJob[],
): Promise<readonly WriteResult[]> {
  const results = await runWithSavepoints(connection, begin, batch);
  await connection.commit();
  return results;
}

/**
 * The fast path, without savepoints. Returns undefined, after a rollback, when a job failed and may have written
 * something. A refusal before the first write, the usual case, needs no rollback. A job's write may also fail later, in
 * the next job or in the commit; which job it was shows when the batch is run with savepoints.
 */
async function runWithoutSavepoints<J extends WriteJob>(
  connection: WriteConnection,
  begin: string,
  batch: J[],
  take: Take<J>,
): Promise<WriteResult[] | undefined> {
  const results: WriteResult[] = [];
  connection.begin(begin);
  fill(batch, () => take('at-work'));
  while (results.length < batch.length) {
    connection.hasWritten = false;
    const together = adjacentJobs(batch, results.length);
    const [first, ...others] = together;
    if (first === undefined) break;
    const settled = others.length === 0 ? [await run(connection, first)] : await runTogether(connection, together);
    if (settled === undefined || settled.some((result) => needsRollback(connection, result, others.length > 0))) {
      await connection.rollBack('ROLLBACK');
      return undefined;
    }
    results.push(...settled);
    fill(batch, () => take(results.length === batch.length ? 'done' : 'at-work'));
  }
  return results;
}

/** Adds the jobs that have arrived, up to the largest batch. */
function fill<J extends WriteJob>(batch: J[], take: () => J | undefined): void {
  for (let job = next(batch, take); job !== undefined; job = next(batch, take)) batch.push(job);
}

function next<J extends WriteJob>(batch: readonly J[], take: () => J | undefined): J | undefined {
  return weightOfAll(batch) < largestBatch ? take() : undefined;
}

/** Returns the job at `start` and the following ones that can run together with it. */
function adjacentJobs<J extends WriteJob>(batch: readonly J[], start: number): readonly J[] {
  const operation = batch[start]?.operation;
  let end = start + 1;
  while (operation?.runAll !== undefined && batch[end]?.operation === operation) end++;
  return batch.slice(start, end);
}

/** Returns undefined when one job failed by a bug or a broken key; run separately, the other jobs still succeed. */
async function runTogether(
  connection: WriteConnection,
  jobs: readonly WriteJob[],
): Promise<readonly WriteResult[] | undefined> {
  try {
    return await jobs[0]?.operation.runAll?.(connection.tx, jobs as never);
  } catch (error) {
    if (connection.failsBatch(error)) throw error;
    return undefined;
  }
}

/** A refused job has written nothing when it ran with others, even if those have. */
function needsRollback(connection: WriteConnection, result: WriteResult, isOneOfSeveral: boolean): boolean {
  if (result.kind === 'done') return false;
  return !(result.error instanceof AppError) || (connection.hasWritten && !isOneOfSeveral);
}

async function runWithSavepoints(
  connection: WriteConnection,
  begin: string,
  batch: readonly WriteJob[],
): Promise<WriteResult[]> {
  const results: WriteResult[] = [];
  connection.begin(begin);
  for (const job of batch) {
    connection.begin('SAVEPOINT job');
    const result = await run(connection, job, 'settled');
    if (result.kind === 'failed') await connection.rollBack('ROLLBACK TO SAVEPOINT job');
    connection.begin('RELEASE SAVEPOINT job');
    results.push(result);
  }
  return results;
}

async function run(
  connection: WriteConnection,
  { operation, now, input }: WriteJob,
  writes: 'settled' | 'sent' = 'sent',
): Promise<WriteResult> {
  try {
    const outcome = await operation.run(connection.tx, now, input as never);
    if (writes === 'settled') await connection.settle();
    return { kind: 'done', outcome };
  } catch (error) {
    if (connection.failsBatch(error)) throw error;
    return { kind: 'failed', error };
  }
}
