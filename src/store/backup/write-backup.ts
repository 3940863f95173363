// Writes a backup under a temporary name and renames it when it is complete and on stable storage, or to an open stream.

import { existsSync, statSync } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { StartError } from '../../errors.ts';
import { syncFolder } from './durable-file.ts';
import { type BackupHeader, backupLines, type RowBatch, type RowCounts } from './format.ts';
import { plainHeader } from './gzip-envelope.ts';

type Content = { readonly header: BackupHeader; readonly batches: AsyncIterable<RowBatch> };

/** Never replaces a file. The backup is readable only by its owner, because it holds password hashes. */
export async function writeBackup(
  file: string,
  { header, batches }: Content,
  signal?: AbortSignal,
): Promise<RowCounts> {
  const partial = `${file}.partial`;
  refuseExisting(file);
  await removeBrokenOff(partial);
  const handle = await open(partial, 'wx', 0o600).catch((error) => {
    throw cannotWrite(partial, error);
  });
  try {
    const counts = await streamBackup(header, batches, handle.createWriteStream({ flush: true }), signal);
    refuseExisting(file);
    await rename(partial, file);
    await syncFolder(dirname(file));
    return counts;
  } catch (error) {
    await rm(partial, { force: true });
    throw cannotWrite(file, error);
  }
}

type Sink = ReturnType<FileHandle['createWriteStream']> | NodeJS.WritableStream;

/** Ends `out`, unless it is the output of the program. */
export async function streamBackup(
  header: BackupHeader,
  batches: AsyncIterable<RowBatch>,
  out: Sink,
  signal?: AbortSignal,
): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  // One batch ahead: by default sixteen would wait in memory.
  const lines = Readable.from(backupLines(header, batches, counts), { highWaterMark: 1 });
  const options = { end: out !== process.stdout, ...(signal === undefined ? {} : { signal }) };
  await pipeline(lines, createGzip({ level: constants.Z_BEST_SPEED }), plainHeader(), out, options);
  return counts;
}

/** One that is being written changes all the time. */
const brokenOffAfterMs = 60_000;

/** Removes what a backup left that was killed: it would keep its name from being used for ever. */
async function removeBrokenOff(partial: string): Promise<void> {
  const changedAt = statSync(partial, { throwIfNoEntry: false })?.mtimeMs;
  if (changedAt === undefined || (await fileTime(`${partial}.time`)) - changedAt <= brokenOffAfterMs) return;
  await rm(partial, { force: true });
}

/** Returns the time by the clock of the file system, which may be that of another machine. */
async function fileTime(probe: string): Promise<number> {
  const handle = await open(probe, 'w', 0o600).catch((error) => {
    throw cannotWrite(probe, error);
  });
  try {
    return (await handle.stat()).mtimeMs;
  } finally {
    await handle.close();
    await rm(probe, { force: true });
  }
}

function refuseExisting(file: string): void {
  if (existsSync(file)) throw new StartError(`${file} exists already: choose another name.`, 'bad-usage');
}

function cannotWrite(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EEXIST') {
    return new StartError(
      `${file} exists: another backup is writing it. If that was broken off, try again in a minute.`,
      'bad-usage',
    );
  }
  const why = writeFailures[code];
  return why === undefined
    ? error
    : new StartError(`${file} cannot be written: ${why} (${code}).`, 'cannot-write', error);
}

const writeFailures: Readonly<Record<string, string>> = {
  EACCES: 'give the user of Tocsin the right to, or choose another folder',
  EPERM: 'give the user of Tocsin the right to, or choose another folder',
  EROFS: 'its disk is read-only',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'what should be its folder is a file',
  EISDIR: 'it is a folder',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EIO: 'the disk reports an error',
};

/** Returns the error of a backup that is written to the output of the program. */
export function cannotWriteOutput(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // Not the data folder, whose disk may have room.
  const why = code === 'EPIPE' ? 'the program that read it has ended' : writeFailures[code];
  if (why === undefined) return error;
  return new StartError(
    `The backup is not complete: its output cannot be written, ${why} (${code}).`,
    'cannot-write',
    error,
  );
}
