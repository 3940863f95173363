// Tests that SQLite's WAL stays short under constant writing, also when the checkpoint thread fails.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { soak } from '../../../test/harness/soak.ts';
import { openWritable } from './database-file.ts';
import { WalCheckpointer } from './wal-checkpointer.ts';

/** More pages than one commit below writes. */
const maxPagesPerCommit = 4;

const walBytesPerPage = 4096 + 24;

function freshDatabase(t: TestContext): { db: DatabaseSync; file: string; write: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'log.db');
  const db = openWritable(file);
  db.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = db.prepare(`INSERT INTO notes (text) VALUES ('a note')`);
  return { db, file, write: () => insert.run() };
}

function assertAllThere(file: string, notes: number): void {
  assert.equal(existsSync(`${file}-wal`), false, 'the log is gone when the database is closed');
  const db = openWritable(file);
  assert.equal(db.prepare('SELECT count(*) AS notes FROM notes').get()?.notes, notes);
  assert.equal(db.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
  db.close();
}

test('the WAL restarts repeatedly under constant writing, without a checkpoint inside COMMIT', async (t) => {
  const { db, file, write } = freshDatabase(t);
  const checkpointer = new WalCheckpointer(db, file, { checkpointFrom: 128, finishBelow: 64, writerFrom: 1_000_000 });
  const measure = db.prepare('PRAGMA wal_checkpoint(NOOP)');
  let written = 0;
  let log = 0;
  try {
    for (let restarts = 0; restarts < 5; written++) {
      assert.ok(written < 50_000, `the log has ${log} pages after ${written} commits`);
      write();
      checkpointer.afterCommit();
      const before = log;
      log = Number(measure.get()?.log);
      if (log < before) restarts++;
    }
  } finally {
    await checkpointer.close();
  }
  assertAllThere(file, written);
});

const writer = fileURLToPath(new URL('../../../test/harness/stores/log-writer.ts', import.meta.url));

/** Writes until the WAL has restarted `times`, kills the process, and returns the last committed note. */
async function writeAndKill(file: string, times: number): Promise<number> {
  const child = spawn(process.execPath, [writer, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let committed = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [id = 0, restarts = 0] = line.split(' ').map(Number);
    committed = id;
    if (restarts >= times) child.kill('SIGKILL');
  }
  const [, signal] = await ended;
  assert.equal(signal, 'SIGKILL');
  return committed;
}

test('no committed row is lost when the process is killed repeatedly during checkpoints', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'log.db');
  for (let kill = 1; kill <= soak(50); kill++) {
    const committed = await writeAndKill(file, kill);
    const db = openWritable(file);
    const notes = Number(db.prepare('SELECT max(id) AS notes FROM notes').get()?.notes);
    assert.equal(db.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
    db.close();
    // The last commit may not have been reported before the kill.
    assert.ok(notes === committed || notes === committed + 1, `${committed} were committed, ${notes} are there`);
  }
});

const failing = {
  'cannot start': 'throw new Error("no memory")',
  'exits when a checkpoint is requested': `require('node:worker_threads').parentPort.once('message', () => process.exit());`,
  'reports a checkpoint it has not made': `const { parentPort, workerData } = require('node:worker_threads');
    parentPort.on('message', (message) => message === 'checkpoint' ? Atomics.store(workerData.isCheckpointing, 0, 0) : parentPort.close());`,
};

for (const [what, text] of Object.entries(failing)) {
  test(`the WAL stays bounded when the checkpoint thread ${what}`, async (t) => {
    const { db, file, write } = freshDatabase(t);
    const lengths = { checkpointFrom: 64, finishBelow: 0, writerFrom: 256 };
    const checkpointer = new WalCheckpointer(db, file, lengths, text);
    const commits = 2_000;
    for (let written = 0; written < commits; written++) {
      write();
      checkpointer.afterCommit();
    }
    const maxBytes = (lengths.writerFrom + maxPagesPerCommit) * walBytesPerPage;
    const { size } = statSync(`${file}-wal`);
    assert.ok(size > lengths.checkpointFrom * walBytesPerPage && size < maxBytes, `${size} bytes of log`);
    await checkpointer.close();
    assertAllThere(file, commits);
  });
}
