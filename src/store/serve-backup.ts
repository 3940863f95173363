// A thread that writes a backup beside the server and reads it again, so that neither holds up the event loop.

import { rm } from 'node:fs/promises';
import type { MessagePort } from 'node:worker_threads';
import { version } from '../version.ts';
import { type Snapshot, verifyBackup } from './backup/format.ts';
import { writeBackup } from './backup/write-backup.ts';
import { withPostgresSnapshot } from './postgres/export-rows.ts';
import type { Schema } from './schema.ts';
import { withSqliteSnapshot } from './sqlite/export-rows.ts';
import type { FromWorker } from './threads/thread-messages.ts';
import type { BackupOrder } from './threads/worker-thread.ts';

/** Tells over `port` what went wrong; a message to it breaks the backup off. */
export function serveBackup(port: MessagePort, order: BackupOrder, schema: Schema): void {
  const send = (message: FromWorker): void => port.postMessage(message);
  const stopping = new AbortController();
  port.on('message', () => stopping.abort(new Error('it was broken off')));
  void make(order, schema, stopping.signal)
    .then(
      () => send({ kind: 'checked', problem: undefined }),
      (error) => send({ kind: 'checked', problem: error instanceof Error ? error.message : String(error) }),
    )
    .finally(() => port.close());
}

async function make({ file, folder, url }: BackupOrder, schema: Schema, signal: AbortSignal): Promise<void> {
  const write = async ({ batches, ...facts }: Snapshot): Promise<void> => {
    const header = { ...facts, createdAt: new Date().toISOString(), tocsin: version };
    await writeBackup(file, { header, batches }, signal);
  };
  if (url === undefined) await withSqliteSnapshot(folder, schema, write, () => {});
  else await withPostgresSnapshot(url, schema, write);
  await verifyBackup(file, schema, () => signal.throwIfAborted()).catch(async (error) => {
    await rm(file, { force: true });
    throw error;
  });
}
