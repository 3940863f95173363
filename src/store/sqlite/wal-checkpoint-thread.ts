// The thread that moves SQLite's log into the file while the writer goes on.

/** What the thread is given; `isMoving` is 1 from when it is told to until it is done. */
export type CheckpointThreadData = {
  readonly file: string;
  readonly descriptor: number;
  readonly isMoving: Int32Array;
};

/**
 * Handed to the thread as text, so that it loads nothing: as a module in TypeScript it would bring the compiler along, which
 * took 25 MB. So whatever it uses it gets by itself.
 */
export const walCheckpointThread = `(${moveOnDemand})()`;

function moveOnDemand(): void {
  const { fsyncSync } = process.getBuiltinModule('node:fs');
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const { parentPort, workerData } = process.getBuiltinModule('node:worker_threads');
  const { file, descriptor, isMoving } = workerData as CheckpointThreadData;
  const db = new DatabaseSync(file);
  db.exec('PRAGMA synchronous = FULL');

  parentPort?.on('message', (message: 'move' | 'close') => {
    if (message === 'move') return move();
    db.close();
    parentPort?.close();
  });

  function move(): void {
    try {
      db.exec('PRAGMA wal_checkpoint(PASSIVE)');
      // SQLite syncs the file only with the last page. That is the writer's, and it would wait for all of them.
      fsyncSync(descriptor);
    } catch {
      // The writer moves the last page and syncs the file again, so it meets what is the matter, and knows what to do.
    }
    Atomics.store(isMoving, 0, 0);
  }
}
