// What SQLite's errors mean to us; no SQLITE_ code leaves this folder.

import { AppError } from '../../errors.ts';

const primaryCodes: Record<number, string> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
};

/** The primary result code of an error of SQLite by name, or '' for any other error. */
export function sqliteCode(error: unknown): string {
  if (!(error instanceof Error) || !('errcode' in error)) return '';
  return primaryCodes[Number(error.errcode) & 0xff] ?? 'SQLITE_ERROR';
}

/** A disk that is full or a file that is locked passes; the caller may come back. */
export function isPassing(error: unknown): boolean {
  return ['SQLITE_FULL', 'SQLITE_BUSY', 'SQLITE_LOCKED'].includes(sqliteCode(error));
}

/** After these the handle is not to be trusted: a failed sync may have dropped pages that look written. */
export function isFatal(error: unknown): boolean {
  return ['SQLITE_IOERR', 'SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_READONLY', 'SQLITE_CANTOPEN'].includes(
    sqliteCode(error),
  );
}

/** The refusal for writes that could not be committed. */
export function unavailable(error: unknown): AppError {
  const why = sqliteCode(error) === 'SQLITE_FULL' ? 'the disk is full' : 'the database cannot be written';
  return new AppError('unavailable', `Nothing was stored: ${why}. Try again shortly.`, {
    retryAfterSeconds: 5,
    cause: error,
  });
}
