// Messages between the main thread and the threads of a store: jobs one way, batches of results the other.

import { AppError, type ErrorCode, type FieldError } from '../../errors.ts';
import type { Instant } from '../store.ts';

export type Job = {
  readonly id: number;
  /** The operation's or query's name in the catalogue of src/store-worker.ts. */
  readonly name: string;
  readonly input: unknown;
  readonly now: Instant;
};

/** Jobs in the order they are to run, flattened into one array: fewer objects are faster to send. */
export type ToWorker = readonly unknown[] | 'close';

export function packJobs(jobs: readonly Job[]): ToWorker {
  return jobs.flatMap(({ id, name, input, now }) => [id, name, input, now]);
}

export function unpackJobs(packed: Exclude<ToWorker, 'close'>): Job[] {
  const jobs: Job[] = [];
  for (let index = 0; index < packed.length; index += 4) {
    const [id, name, input, now] = packed.slice(index, index + 4) as [number, string, unknown, Instant];
    jobs.push({ id, name, input, now });
  }
  return jobs;
}

export type JobResult =
  | { readonly id: number; readonly kind: 'done'; readonly outcome: unknown }
  | { readonly id: number; readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly id: number; readonly kind: 'fault'; readonly error: unknown };

type Refusal = {
  readonly code: ErrorCode;
  readonly sentence: string;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;
};

/** What went wrong with a backup, and whether the database could not be read. */
export type BackupEnd = { readonly problem: string | undefined; readonly isDatabase: boolean };

export type FromWorker =
  | { readonly kind: 'ready' }
  | Results
  /** What a look at the file found; undefined: nothing is wrong. */
  | { readonly kind: 'checked'; readonly problem: string | undefined }
  | ({ readonly kind: 'backed-up' } & BackupEnd)
  /** Storage failed; the thread cannot continue. */
  | { readonly kind: 'broken'; readonly reason: string };

/** `done` holds the id and the outcome of each finished job, flattened. */
type Results = {
  readonly kind: 'results';
  readonly done: readonly unknown[];
  readonly failed: readonly FailedResult[];
  readonly committed: boolean;
  /** The last position, when all committed events are frequent ones. */
  readonly frequentTo: number | undefined;
};

type FailedResult = Exclude<JobResult, { kind: 'done' }>;

export function packResults(results: readonly JobResult[], committed: boolean, frequentTo?: number): Results {
  const done: unknown[] = [];
  const failed: FailedResult[] = [];
  for (const result of results) {
    if (result.kind === 'done') done.push(result.id, result.outcome);
    else failed.push(result);
  }
  return { kind: 'results', done, failed, committed, frequentTo };
}

/** Turns a thrown value into a result. Classes are lost between threads, so a refusal is sent as its parts. */
export function failedResult(id: number, error: unknown): FailedResult {
  if (!(error instanceof AppError)) return { id, kind: 'fault', error };
  const { code, message: sentence, errors, retryAfterSeconds } = error;
  return { id, kind: 'refused', refusal: { code, sentence, errors, retryAfterSeconds } };
}

export function thrownFrom(result: FailedResult): unknown {
  if (result.kind === 'fault') return result.error;
  const { code, sentence, errors, retryAfterSeconds } = result.refusal;
  return new AppError(code, sentence, { errors, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });
}
