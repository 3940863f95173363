// The lock of a spool: one holder at a time, and one that is gone or silent is replaced by exactly one.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SpoolLock } from './spool-lock.ts';

/** A process number that Linux does not give. */
const gone = 2 ** 30;

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'tocsin-lock-'));
  t.after(() => rmSync(made, { recursive: true }));
  return made;
}

function lockedBy(t: TestContext, owner: string, minutesAgo: number): string {
  const made = folder(t);
  const file = join(made, '.lock');
  writeFileSync(file, owner);
  const at = new Date(Date.now() - minutesAgo * 60_000);
  utimesSync(file, at, at);
  return made;
}

/** Whether a sender that looks once gets the lock. */
const takes = (made: string): Promise<boolean> => new SpoolLock(made).take(() => false);

test('a lock is held until it is released', async (t) => {
  const made = folder(t);
  const lock = new SpoolLock(made);
  assert.ok(await lock.take(() => false));
  assert.ok(lock.keep());
  lock.release();
  assert.equal(existsSync(join(made, '.lock')), false);
  assert.equal(lock.keep(), false);
});

test('the lock of a process that runs, or of another machine, is respected until it is silent for two minutes', async (t) => {
  for (const owner of [`${hostname()} ${process.ppid}`, `elsewhere ${gone}`, '']) {
    assert.equal(await takes(lockedBy(t, owner, 1)), false, owner);
    assert.equal(await takes(lockedBy(t, owner, 3)), true, owner);
  }
});

test('the lock of a process that is gone is taken over at once', async (t) => {
  const made = lockedBy(t, `${hostname()} ${gone}`, 0);
  assert.equal(await takes(made), true);
  assert.deepEqual(readdirSync(made), ['.lock']);
});

test('a takeover under way is left alone, and one that was broken off is not in the way', async (t) => {
  const made = lockedBy(t, `${hostname()} ${gone}`, 0);
  const takeover = join(made, '.lock-takeover');
  mkdirSync(takeover);
  assert.equal(await takes(made), false);
  const long = new Date(Date.now() - 180_000);
  utimesSync(takeover, long, long);
  assert.equal(await takes(made), true);
});

test('a holder that was taken over sends nothing more and leaves the lock of the other', async (t) => {
  const made = folder(t);
  const lock = new SpoolLock(made);
  await lock.take(() => false);
  writeFileSync(join(made, '.lock'), `${hostname()} ${process.ppid}\n`);
  assert.equal(lock.keep(), false);
  lock.release();
  assert.ok(existsSync(join(made, '.lock')));
});
