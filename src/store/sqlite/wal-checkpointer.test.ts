// The log of SQLite stays short under constant writing, also when the thread that moves it is gone.

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
import { openWritable } from './database-file.ts';
import { WalCheckpointer } from './wal-checkpointer.ts';

/** More than one commit below writes. */
const mostPagesOfCommit = 4;

const bytesOfPageInLog = 4096 + 24;

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

test('the log begins anew again and again while writing never pauses, and no COMMIT moves it', async (t) => {
  const { db, file, write } = freshDatabase(t);
  const keeper = new WalCheckpointer(db, file, { long: 128, few: 64, longest: 1_000_000 });
  const measure = db.prepare('PRAGMA wal_checkpoint(NOOP)');
  let written = 0;
  let log = 0;
  try {
    for (let beginnings = 0; beginnings < 5; written++) {
      assert.ok(written < 50_000, `the log has ${log} pages after ${written} commits`);
      write();
      keeper.look();
      const before = log;
      log = Number(measure.get()?.log);
      if (log < before) beginnings++;
    }
  } finally {
    await keeper.close();
  }
  assertAllThere(file, written);
});

const writer = fileURLToPath(new URL('../../../test/harness/log-writer.ts', import.meta.url));

/** Writes until the log has begun anew `times`, and is killed in the midst; answers the last note that was committed. */
async function writeAndKill(file: string, times: number): Promise<number> {
  const child = spawn(process.execPath, [writer, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let committed = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const [id = 0, beginnings = 0] = line.split(' ').map(Number);
    committed = id;
    if (beginnings >= times) child.kill('SIGKILL');
  }
  const [, signal] = await ended;
  assert.equal(signal, 'SIGKILL');
  return committed;
}

test('killed again and again while the log is moved, nothing that was committed is lost', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'log.db');
  for (let kill = 1; kill <= 12; kill++) {
    const committed = await writeAndKill(file, kill);
    const db = openWritable(file);
    const notes = Number(db.prepare('SELECT max(id) AS notes FROM notes').get()?.notes);
    assert.equal(db.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
    db.close();
    // The last one may have been committed and not told.
    assert.ok(notes === committed || notes === committed + 1, `${committed} were committed, ${notes} are there`);
  }
});

const failing = {
  'cannot start': 'throw new Error("no memory")',
  'ends when it is to move': `require('node:worker_threads').parentPort.once('message', () => process.exit());`,
  'says it has moved, and has not': `const { parentPort, workerData } = require('node:worker_threads');
    parentPort.on('message', (message) => message === 'move' ? Atomics.store(workerData.isMoving, 0, 0) : parentPort.close());`,
};

for (const [what, text] of Object.entries(failing)) {
  test(`the log stays bounded when the thread that moves it ${what}`, async (t) => {
    const { db, file, write } = freshDatabase(t);
    const lengths = { long: 64, few: 0, longest: 256 };
    const keeper = new WalCheckpointer(db, file, lengths, text);
    const commits = 2_000;
    for (let written = 0; written < commits; written++) {
      write();
      keeper.look();
    }
    const most = (lengths.longest + mostPagesOfCommit) * bytesOfPageInLog;
    const { size } = statSync(`${file}-wal`);
    assert.ok(size > lengths.long * bytesOfPageInLog && size < most, `${size} bytes of log`);
    await keeper.close();
    assertAllThere(file, commits);
  });
}
