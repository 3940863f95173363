// Classifies PostgreSQL's errors; no SQLSTATE is used outside this folder.

import { AppError, StartError } from '../../errors.ts';

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** A serialisation conflict or deadlock: running the batch again succeeds sooner or later. */
export function lostRace(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error));
}

/**
 * A unique or foreign key was violated although the operation checked first: another node wrote in between. Run again,
 * the operation sees that write and refuses with the right sentence.
 */
export function brokeKey(error: unknown): boolean {
  return ['23505', '23503'].includes(codeOf(error));
}

/**
 * A newer node changed the columns of a table under a prepared statement; PostgreSQL has no code of its own for it, and words
 * it in the language of the server. A new connection prepares it again.
 */
export function hasOutdatedPlan(error: unknown): boolean {
  const isOfCachedPlan = error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery';
  return isOfCachedPlan && codeOf(error) === '0A000';
}

/** Another transaction held a table or row for longer than `lock_timeout`. */
export function isLocked(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** An earlier statement of the transaction failed; this one is not at fault. */
export function isInFailedTransaction(error: unknown): boolean {
  return codeOf(error) === '25P02';
}

/** The database is unreachable, shutting down, full or too busy: the caller may retry. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof AppError) return false;
  const code = codeOf(error);
  if (/^(08|53|57P)/.test(code) || ['57014', '55P03', '25006', '25P03', '58030'].includes(code)) return true;
  if (/^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)/.test(code) || code === 'ENOTFOUND') return true;
  return (
    error instanceof Error &&
    /terminated|timeout (exceeded|expired)|Query read timeout|not queryable|Connection ended/i.test(error.message)
  );
}

/** For a write that lost to other nodes again and again. */
export function contended(error: unknown): AppError {
  return new AppError('unavailable', 'Other nodes keep changing the same rows. Try again shortly.', {
    retryAfterSeconds: 2,
    cause: error,
  });
}

export function unavailable(error: unknown): AppError {
  return new AppError('unavailable', 'The database cannot be reached. Try again shortly.', {
    retryAfterSeconds: 2,
    cause: error,
  });
}

/** Turns a database's refusal into a StartError with the database's own message; other errors pass unchanged. */
export function asStartError(error: unknown): unknown {
  const isOfDatabase = isUnreachable(error) || /^[0-9A-Z]{5}$/.test(codeOf(error));
  if (error instanceof StartError || !isOfDatabase) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new StartError(`The database of TOCSIN_DATABASE_URL cannot be used: ${why}.`, 'database-unreachable', error);
}
