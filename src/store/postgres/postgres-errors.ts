// What PostgreSQL's errors mean to us; no SQLSTATE leaves this folder.

import { AppError, StartError } from '../../errors.ts';

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Lost against another transaction: running the batch again from the start goes through sooner or later. */
export function lostRace(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error));
}

/**
 * A unique or foreign key was broken although the operation looked before it wrote: another node was in between. Run
 * again, it finds what the other one did and refuses with the right sentence.
 */
export function brokeKey(error: unknown): boolean {
  return ['23505', '23503'].includes(codeOf(error));
}

/** Something failed before in the same transaction: what meets this has done nothing wrong itself. */
export function isInFailedTransaction(error: unknown): boolean {
  return codeOf(error) === '25P02';
}

/** The database is out of reach, shutting down, full or too busy: the caller may come back. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof AppError) return false;
  const code = codeOf(error);
  if (/^(08|53|57P)/.test(code) || ['57014', '55P03', '25006', '58030'].includes(code)) return true;
  if (/^E(CONN|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|AI_AGAIN)/.test(code) || code === 'ENOTFOUND') return true;
  return (
    error instanceof Error &&
    /terminated|timeout (exceeded|expired)|Query read timeout|not queryable|Connection ended/i.test(error.message)
  );
}

export function unavailable(error: unknown): AppError {
  return new AppError('unavailable', 'The database cannot be reached. Try again shortly.', {
    retryAfterSeconds: 2,
    cause: error,
  });
}

/** For whoever started Tocsin or a command: a database that refuses us is told in a sentence, with its own words. */
export function asStartError(error: unknown): unknown {
  const isOfDatabase = isUnreachable(error) || /^[0-9A-Z]{5}$/.test(codeOf(error));
  if (error instanceof StartError || !isOfDatabase) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new StartError(`The database of TOCSIN_DATABASE_URL cannot be used: ${why}.`, 'database-unreachable', error);
}
