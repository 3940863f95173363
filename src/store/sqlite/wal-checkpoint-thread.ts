// The thread that checkpoints SQLite's WAL into the file while the writer continues.

/** The thread's data; `isCheckpointing` is 1 from the request for a checkpoint until it is done. */
export type CheckpointThreadData = {
  readonly file: string;
  readonly descriptor: number;
  readonly isCheckpointing: Int32Array;
};

/**
 * Passed to the thread as text, so that it imports nothing: as a TypeScript module it would load the compiler, which
 * took 25 MB. The function therefore gets its modules itself.
 */
export const walCheckpointThread = `(${checkpointOnDemand})()`;

function checkpointOnDemand(): void {
  const { fsyncSync } = process.getBuiltinModule('node:fs');
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { file, descriptor, isCheckpointing } = workerData as CheckpointThreadData;
  const db = new DatabaseSync(file);
  db.exec('PRAGMA synchronous = FULL');

  parentPort?.on('message', (message: 'checkpoint' | 'close') => {
    if (message === 'checkpoint') return checkpoint();
    db.close();
    parentPort?.close();
  });

  function checkpoint(): void {
    try {
      db.exec('PRAGMA wal_checkpoint(PASSIVE)');
      // SQLite syncs the file only with the last page. The writer moves that page, and without this sync would wait for
      // all of them.
      fsyncSync(descriptor);
    } catch {
      // The writer moves the last page and syncs the file again, so it meets the same error and handles it.
    }
    Atomics.store(isCheckpointing, 0, 0);
  }
}
