// Copies a SQLite database before its schema is changed, so that the version before can be started again on the copy.

import { readdirSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../../errors.ts';
import { syncFolder } from '../backup/durable-file.ts';
import { createPrivate } from '../private-file.ts';
import { isFull } from './sqlite-errors.ts';

const keptCopies = 3;

/** `from` is the version of the schema. The copy is on stable storage when this returns. */
export async function copyBeforeUpgrade(
  file: string,
  from: number,
  onNotice: (sentence: string) => void,
): Promise<void> {
  const copy = `${file}.before-upgrade-from-${from}`;
  onNotice(`The database is copied to ${copy} before it is changed; the newest ${keptCopies} such copies are kept.`);
  // That of an upgrade which failed: each start would add another one.
  rmSync(copy, { force: true });
  createPrivate(copy);
  try {
    copyInto(file, copy);
    const handle = await open(copy, 'r+');
    await handle.sync().finally(() => handle.close());
    removeOldCopies(file);
    await syncFolder(dirname(copy));
  } catch (error) {
    rmSync(copy, { force: true });
    if (!isFull(error)) throw error;
    const megabytes = Math.ceil(statSync(file).size / 1e6);
    throw new StartError(
      `There is no room in ${dirname(file)} for a copy of the database, which is made before its schema is changed: make room for ${megabytes} MB and start again. Nothing was changed.`,
      'cannot-write',
      error,
    );
  }
}

/** Keeps the newest by their time: a database that was put back may have an older schema than the copies beside it. */
function removeOldCopies(file: string): void {
  const folder = dirname(file);
  const prefix = `${basename(file)}.before-upgrade-from-`;
  const copies = readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => ({ path: join(folder, name), madeAt: statSync(join(folder, name)).mtimeMs }));
  for (const { path } of copies.toSorted((one, other) => other.madeAt - one.madeAt).slice(keptCopies))
    rmSync(path, { force: true });
}

/** Copies one consistent state, also while a command has the database open. */
function copyInto(file: string, copy: string): void {
  const db = new DatabaseSync(file, { timeout: 5_000 });
  try {
    db.prepare('VACUUM INTO ?').run(copy);
  } finally {
    db.close();
  }
}
