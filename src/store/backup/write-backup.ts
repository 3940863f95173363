// Writes a backup under a temporary name and renames it when it is complete and on stable storage.

import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { StartError } from '../../errors.ts';
import { syncFolder } from './durable-file.ts';
import { type BackupHeader, backupLines, type RowBatch, type RowCounts } from './format.ts';

/** Never replaces a file. The backup is readable only by its owner, because it holds password hashes. */
export async function writeBackup(
  file: string,
  header: BackupHeader,
  batches: AsyncIterable<RowBatch>,
): Promise<RowCounts> {
  const partial = `${file}.partial`;
  const counts: Record<string, number> = {};
  refuseExisting(file);
  const handle = await open(partial, 'wx', 0o600).catch((error) => {
    throw cannotWrite(partial, error);
  });
  try {
    // One batch ahead: by default sixteen would wait in memory.
    const lines = Readable.from(backupLines(header, batches, counts), { highWaterMark: 1 });
    // The fastest level: the database is three times as large, and a server on the same machine needs the processor
    // more.
    await pipeline(lines, createGzip({ level: constants.Z_BEST_SPEED }), handle.createWriteStream({ flush: true }));
    refuseExisting(file);
    await rename(partial, file);
    await syncFolder(dirname(file));
    return counts;
  } catch (error) {
    await rm(partial, { force: true });
    throw cannotWrite(file, error);
  }
}

function refuseExisting(file: string): void {
  if (existsSync(file)) throw new StartError(`${file} exists already: choose another name.`, 'bad-usage');
}

function cannotWrite(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EEXIST') {
    return new StartError(
      `${file} exists: another backup is writing it, or one was broken off. Remove it and try again.`,
      'bad-usage',
    );
  }
  const isFiles = ['EACCES', 'EPERM', 'EROFS', 'ENOENT', 'ENOTDIR', 'EISDIR', 'ENOSPC', 'EDQUOT', 'EIO'].includes(code);
  return isFiles ? new StartError(`${file} cannot be written (${code}).`, 'cannot-write', error) : error;
}
