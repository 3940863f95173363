// Many operations to a commit: how a batch is run so that one that fails undoes only itself. Shared by both databases.

import { AppError } from '../errors.ts';
import type { JobResult, Operation, Tx } from './store.ts';

/** A connection that one batch at a time has to itself. */
export type WriteConnection = {
  readonly tx: Tx;
  /** Set by every statement that changes something. */
  hasWritten: boolean;
  /** Begins a transaction, or a part of one; a failure may show only in what follows. */
  begin(text: string): void;
  rollBack(text: string): void | Promise<void>;
  /** Waits until all that was written is known to have succeeded. */
  settle(): void | Promise<void>;
  /** Throws Undone when something written before had failed. */
  commit(): Promise<void>;
  /** Whether an error is the whole batch's, not the operation's that met it: the disk, the connection, a lost race. */
  isTrouble(error: unknown): boolean;
};

/** A commit that was none, for a statement before it had failed by a fault of its own: to be run again by commitApart. */
export class Undone extends Error {}

export type WriteJob = {
  readonly operation: Operation<never, unknown>;
  readonly now: number;
  readonly command: unknown;
};

export type WriteResult = JobResult<unknown>;

/** How many commands a job is for: a list counts as many as it holds. */
export function weightOf(command: unknown): number {
  return Array.isArray(command) ? command.length : 1;
}

export function weightOfAll(batch: readonly WriteJob[]): number {
  let weight = 0;
  for (const { command } of batch) weight += weightOf(command);
  return weight;
}

/** More than the store works off in a second or two: who comes then had better come back than wait. */
const mostWaiting = 5_000;

/** Refuses a write when too many commands wait already, before it costs anything. */
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

/** Commands in a batch: bounds how long the first one waits for the commit it shares. */
export const largestBatch = 256;

/** A job that has arrived. When the batch is `done` all it holds, it may be worth a moment's wait for one. */
type Take<J> = (batchIs: 'at-work' | 'done') => J | undefined;

/**
 * Runs the jobs of `batch` one after another and commits; neighbours of one kind that can be run together are. `take`
 * gives jobs that arrived meanwhile: they join the batch. Answers a result per job. Throws when the batch as a whole
 * could not be committed; whoever owns the connection undoes it.
 */
export async function commitBatch<J extends WriteJob>(
  connection: WriteConnection,
  begin: string,
  batch: J[],
  take: Take<J> = () => undefined,
): Promise<readonly WriteResult[]> {
  const results = await runPlainly(connection, begin, batch, take);
  if (results === undefined) return commitApart(connection, begin, batch);
  await connection.commit();
  return results;
}

/** The same with savepoints: slower, and a job that fails undoes only itself. */
export async function commitApart(
  connection: WriteConnection,
  begin: string,
  batch: readonly WriteJob[],
): Promise<readonly WriteResult[]> {
  const results = await runWithSavepoints(connection, begin, batch);
  await connection.commit();
  return results;
}

/**
 * The fast way, without savepoints. Answers undefined, with all of it undone, when a job failed in a way that leaves
 * something to take back. A refusal before the first write, the usual one, leaves nothing. What a job wrote may still turn
 * out to have failed, in the job after it or in the commit: whose it was shows when they are run with savepoints.
 */
async function runPlainly<J extends WriteJob>(
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
    const neighbours = neighboursFrom(batch, results.length);
    const [first, ...others] = neighbours;
    if (first === undefined) break;
    const settled = others.length === 0 ? [await run(connection, first)] : await runTogether(connection, neighbours);
    if (settled === undefined || settled.some((result) => leavesTraces(connection, result, others.length > 0))) {
      await connection.rollBack('ROLLBACK');
      return undefined;
    }
    results.push(...settled);
    fill(batch, () => take(results.length === batch.length ? 'done' : 'at-work'));
  }
  return results;
}

/** Takes all that has arrived. */
function fill<J extends WriteJob>(batch: J[], take: () => J | undefined): void {
  for (let job = next(batch, take); job !== undefined; job = next(batch, take)) batch.push(job);
}

function next<J extends WriteJob>(batch: readonly J[], take: () => J | undefined): J | undefined {
  return weightOfAll(batch) < largestBatch ? take() : undefined;
}

/** The job at `start` and those after it that can be run with it. */
function neighboursFrom<J extends WriteJob>(batch: readonly J[], start: number): readonly J[] {
  const operation = batch[start]?.operation;
  let end = start + 1;
  while (operation?.runAll !== undefined && batch[end]?.operation === operation) end++;
  return batch.slice(start, end);
}

/** Undefined when one of them failed by a bug or a broken key: run apart, the others are not harmed. */
async function runTogether(
  connection: WriteConnection,
  jobs: readonly WriteJob[],
): Promise<readonly WriteResult[] | undefined> {
  try {
    return await jobs[0]?.operation.runAll?.(connection.tx, jobs as never);
  } catch (error) {
    if (connection.isTrouble(error)) throw error;
    return undefined;
  }
}

/** One of several that was refused has written nothing, whatever the others wrote. */
function leavesTraces(connection: WriteConnection, result: WriteResult, isOneOfSeveral: boolean): boolean {
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
  { operation, now, command }: WriteJob,
  writes: 'settled' | 'sent' = 'sent',
): Promise<WriteResult> {
  try {
    const outcome = await operation.run(connection.tx, now, command as never);
    if (writes === 'settled') await connection.settle();
    return { kind: 'done', outcome };
  } catch (error) {
    if (connection.isTrouble(error)) throw error;
    return { kind: 'failed', error };
  }
}
