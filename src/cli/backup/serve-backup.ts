// A thread that writes a backup beside the server and reads it again, so that neither holds up the event loop.

import { rm } from 'node:fs/promises';
import type { MessagePort } from 'node:worker_threads';
import { exitCodes, StartError } from '../../errors.ts';
import { schema } from '../../migrations/schema.ts';
import { type Snapshot, verifyBackup } from '../../store/backup/format.ts';
import { writeBackup } from '../../store/backup/write-backup.ts';
import type { BackupEnd, FromWorker } from '../../store/threads/thread-messages.ts';
import type { BackupOrder } from '../../store/threads/worker-thread.ts';
import { version } from '../../version.ts';
import { withSnapshot } from './with-snapshot.ts';

/** Tells over `port` what went wrong; a message to it breaks the backup off. */
export function serveBackup(port: MessagePort, order: BackupOrder): void {
  const send = (message: FromWorker): void => port.postMessage(message);
  const stopping = new AbortController();
  port.on('message', () => stopping.abort(new Error('it was broken off')));
  void make(order, stopping.signal)
    .then((end) => send({ kind: 'backed-up', ...end }))
    .finally(() => port.close());
}

async function make({ file, folder, url }: BackupOrder, signal: AbortSignal): Promise<BackupEnd> {
  let isWritten = false;
  const write = async ({ batches, ...facts }: Snapshot): Promise<void> => {
    const header = { ...facts, createdAt: new Date().toISOString(), tocsin: version };
    await writeBackup(file, { header, batches }, signal);
    isWritten = true;
  };
  try {
    await withSnapshot({ dataDir: folder, databaseUrl: url }, write, () => {});
    await verifyBackup(file, schema, () => signal.throwIfAborted()).catch(async (error) => {
      await rm(file, { force: true });
      throw error;
    });
    return { problem: undefined, isDatabase: false };
  } catch (error) {
    const isDatabase = !isWritten && error instanceof StartError && error.exitCode === exitCodes['data-unusable'];
    return { problem: error instanceof Error ? error.message : String(error), isDatabase };
  }
}
