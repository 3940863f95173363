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

/** The code of an error of the file system, which keeping the high-water mark can meet, or ''. */
function systemCode(error: unknown): string {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : '';
}

function isFull(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_FULL' || ['ENOSPC', 'EDQUOT'].includes(systemCode(error));
}

/** A disk that is full or a file that is locked passes; the caller may come back. */
export function isPassing(error: unknown): boolean {
  if (['SQLITE_BUSY', 'SQLITE_LOCKED'].includes(sqliteCode(error))) return true;
  return isFull(error) || ['EMFILE', 'ENFILE'].includes(systemCode(error));
}

/** After these the handle is not to be trusted: a failed sync may have dropped pages that look written. */
export function isFatal(error: unknown): boolean {
  const fatal = ['SQLITE_IOERR', 'SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_READONLY', 'SQLITE_CANTOPEN'];
  return fatal.includes(sqliteCode(error)) || (systemCode(error) !== '' && !isPassing(error));
}

/** The refusal for writes that could not be committed. */
export function unavailable(error: unknown): AppError {
  const why = isFull(error) ? 'the disk is full' : 'the database cannot be written';
  return new AppError('unavailable', `Nothing was stored: ${why}. Try again shortly.`, {
    retryAfterSeconds: 5,
    cause: error,
  });
}
