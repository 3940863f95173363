// The thread that moves SQLite's log into the file while the writer goes on; it loads nothing else, to start at once.

import { fsyncSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { MoverData } from './log-keeper.ts';

const { file, descriptor, isMoving } = workerData as MoverData;
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
