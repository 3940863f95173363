// `tocsin backup FILE` and `tocsin backup verify FILE`: writes the whole store to one file, also while a server runs, and checks such a
// file.

import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Config, type Environment, readConfig } from '../../config.ts';
import { StartError } from '../../errors.ts';
import type { BackupHeader, RowBatch, RowCounts, Snapshot } from '../../store/backup/format.ts';
import { cannotWriteOutput, streamBackup, writeBackup } from '../../store/backup/write-backup.ts';
import { version } from '../../version.ts';
import { readArguments } from '../arguments.ts';
import { Interrupted } from '../ask-password.ts';
import { counted, number, secondsSince, showProgress } from '../progress.ts';
import { contentLines, countsOf, readBackup } from './backup-content.ts';
import { withSnapshot } from './with-snapshot.ts';

export const backupUsage = 'backup FILE';
export const verifyBackupUsage = 'backup verify FILE';

type Writing = (header: BackupHeader, batches: AsyncIterable<RowBatch>) => Promise<RowCounts>;

/** `-` is the output of the program; what else is said then goes to stderr. */
export async function backUp(words: readonly string[], environment: Environment): Promise<void> {
  const { positionals } = readArguments(words, 1, backupUsage, {});
  const config = readConfig(environment);
  const begin = performance.now();
  if (positionals[0] === '-') return backUpToOutput(config, begin);
  const file = resolve(positionals[0] ?? '');
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new Interrupted('The backup was broken off.'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  try {
    const counts = await backUpBy(config, (header, batches) => writeBackup(file, { header, batches }, stopping.signal));
    console.log(`Backed up to ${file} (${number(statSync(file).size)} bytes) ${summaryOf(counts, begin)}`);
  } catch (error) {
    throw stopping.signal.aborted ? stopping.signal.reason : error;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
  }
}

async function backUpToOutput(config: Config, begin: number): Promise<void> {
  if (process.stdout.isTTY)
    throw new StartError('A backup is no text for a terminal: direct the output to a file or a program.', 'bad-usage');
  const counts = await backUpBy(config, (header, batches) =>
    streamBackup(header, batches, process.stdout).catch((error) => {
      throw cannotWriteOutput(error);
    }),
  );
  console.error(`Backed up ${summaryOf(counts, begin)}`);
}

function summaryOf(counts: RowCounts, begin: number): string {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `${number(rows)} rows in ${secondsSince(begin)}: ${countsOf(counts)}.`;
}

function backUpBy(config: Config, write: Writing): Promise<RowCounts> {
  const back = async ({ batches, ...facts }: Snapshot): Promise<RowCounts> => {
    const progress = showProgress('Backing up');
    const header = { ...facts, createdAt: new Date().toISOString(), tocsin: version };
    const counts = await write(header, counted(batches, progress));
    progress.end();
    return counts;
  };
  return withSnapshot(config, back, (sentence) => console.error(sentence));
}

export async function verifyBackupFile(words: readonly string[]): Promise<void> {
  const { positionals } = readArguments(words, 1, verifyBackupUsage, {});
  const begin = performance.now();
  const content = await readBackup(resolve(positionals[0] ?? ''));
  for (const line of contentLines(content)) console.log(line);
  console.log(`Every row can be read, and the file is as it was written (checked in ${secondsSince(begin)}).`);
}
