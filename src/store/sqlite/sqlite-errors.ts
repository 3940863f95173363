// Classifies SQLite's errors; no SQLITE_ code is used outside this folder.

import { AppError } from '../../errors.ts';

const primaryCodes: Record<number, string> = {
  5: 'SQLITE_BUSY',
  6: 'SQLITE_LOCKED',
  7: 'SQLITE_NOMEM',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  18: 'SQLITE_TOOBIG',
  19: 'SQLITE_CONSTRAINT',
  26: 'SQLITE_NOTADB',
};

/** Returns the name of a SQLite error's primary result code, or '' for any other error. */
export function sqliteCode(error: unknown): string {
  if (!(error instanceof Error) || !('errcode' in error)) return '';
  return primaryCodes[Number(error.errcode) & 0xff] ?? 'SQLITE_ERROR';
}

/** Returns the code of a file system error, which writing the high-water mark can cause, or ''. */
function systemCode(error: unknown): string {
  return error instanceof Error && 'syscall' in error && 'code' in error ? String(error.code) : '';
}

export function isFull(error: unknown): boolean {
  return sqliteCode(error) === 'SQLITE_FULL' || ['ENOSPC', 'EDQUOT'].includes(systemCode(error));
}

/** A full disk, a locked file or too many open files may pass; the caller may retry. */
export function isTransient(error: unknown): boolean {
  if (['SQLITE_BUSY', 'SQLITE_LOCKED'].includes(sqliteCode(error))) return true;
  return isFull(error) || ['EMFILE', 'ENFILE'].includes(systemCode(error));
}

/** Whether the content of the file makes no sense; a failed read or write may be that of a temporary file. */
export function isDamage(error: unknown): boolean {
  return ['SQLITE_CORRUPT', 'SQLITE_NOTADB'].includes(sqliteCode(error));
}

/** Whether a row that is read from a damaged file, or from a disk that fails, cannot be had: lengths that make no sense are too large. */
export function isUnreadable(error: unknown): boolean {
  return isDamage(error) || ['SQLITE_IOERR', 'SQLITE_TOOBIG', 'SQLITE_NOMEM'].includes(sqliteCode(error));
}

/** The refusal of what cannot be read, or must not be stored, because the file is damaged. */
export function damagedStore(reason: string): AppError {
  return new AppError(
    'unavailable',
    'The database is damaged: stop Tocsin, take out what can be read with "tocsin rescue FILE", and restore that or a backup.',
    { cause: new Error(reason) },
  );
}

/** After these errors the handle cannot be trusted: a failed sync may have dropped pages that look written. */
export function isFatal(error: unknown): boolean {
  const fatal = ['SQLITE_IOERR', 'SQLITE_CORRUPT', 'SQLITE_NOTADB', 'SQLITE_READONLY', 'SQLITE_CANTOPEN'];
  return fatal.includes(sqliteCode(error)) || (systemCode(error) !== '' && !isTransient(error));
}

/** The refusal for writes that could not be committed. */
export function unavailable(error: unknown): AppError {
  const why = isFull(error) ? 'the disk is full' : 'the database cannot be written';
  return new AppError('unavailable', `Nothing was stored: ${why}. Try again shortly.`, {
    retryAfterSeconds: 5,
    cause: error,
  });
}
