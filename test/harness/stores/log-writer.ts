// A program that writes without a pause, so that SQLite's write-ahead log is checkpointed all the time, until it is killed:
// `node log-writer.ts FILE`.

import { writeSync } from 'node:fs';
import { openWritable } from '../../../src/store/sqlite/database-file.ts';
import { WalCheckpointer } from '../../../src/store/sqlite/wal-checkpointer.ts';

const [, , file = ''] = process.argv;
const db = openWritable(file);
db.exec('CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT)');
const checkpointer = new WalCheckpointer(db, file, { checkpointFrom: 64, finishBelow: 32, writerFrom: 1_000_000 });
const insert = db.prepare('INSERT INTO notes (text) VALUES (?)');
// Changes an old row, so that pages are checkpointed that were checkpointed before.
const change = db.prepare('UPDATE notes SET text = ? WHERE id = 1 + ? % (SELECT max(id) FROM notes)');
const measure = db.prepare('PRAGMA wal_checkpoint(NOOP)');

const nap = new Int32Array(new SharedArrayBuffer(4));
let beginnings = 0;
let log = 0;
for (;;) {
  db.exec('BEGIN IMMEDIATE');
  const id = Number(insert.run('a note'.repeat(200)).lastInsertRowid);
  change.run('another'.repeat(200), id * 7_919);
  db.exec('COMMIT');
  checkpointer.afterCommit();
  const before = log;
  log = Number(measure.get()?.log);
  if (log < before) beginnings++;
  tell(`${id} ${beginnings}\n`);
}

/** Writes a line to standard output; waits while the pipe is full. */
function tell(line: string): void {
  for (;;) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(nap, 0, 0, 1);
    }
  }
}
