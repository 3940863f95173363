// Keeps the high-water mark above every id SQLite gives out, without a sync per write.
//
// The ids of a transaction are known before it commits. The mark is written ahead, and a commit that would pass it
// raises it first: it is an upper bound at every instant, whatever dies when, however many rows a transaction inserts.
// The file is read, raised and written only inside a write transaction, so that a command beside the server takes turns.

import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import {
  ahead,
  boundsOf,
  hasPassed,
  type Ids,
  raiseHighWater,
  readHighWater,
  setBackNotice,
  tablesSetBack,
} from '../backup/high-water.ts';
import { openWritable } from './database-file.ts';
import { idReader, raiseIds, readIds } from './issued-ids.ts';

/** Ids between two raises: at full rate one sync in some seconds, and the most that a restore leaves out. */
const margin = 10_000;

/**
 * Brings the database in `file` and the mark beside it together before anyone writes. Answers a sentence when the
 * database was older than the mark, and its ids were raised.
 */
export async function settleIds(file: string): Promise<string | undefined> {
  const folder = dirname(file);
  const db = openWritable(file);
  try {
    db.exec('BEGIN IMMEDIATE');
    const mark = readHighWater(folder);
    const setBack = tablesSetBack(readIds(db), mark);
    if (setBack.length > 0) raiseIds(db, boundsOf(mark));
    const ids = readIds(db);
    await raiseHighWater(folder, 'sqlite', ids, ahead(ids, margin));
    db.exec('COMMIT');
    return setBack.length > 0 ? setBackNotice(setBack) : undefined;
  } finally {
    db.close();
  }
}

/** Commits for the writer, and notes now and then how far ids have come. */
export class HighWaterWriter {
  readonly #db: DatabaseSync;
  readonly #folder: string;
  readonly #readIds: () => Ids;
  #bounds: Ids;
  /** As of the last commit of this connection: on stable storage. */
  #committed: Ids;
  #noted: Ids;

  constructor(db: DatabaseSync, file: string) {
    this.#db = db;
    this.#folder = dirname(file);
    this.#bounds = boundsOf(readHighWater(this.#folder));
    this.#readIds = idReader(db);
    this.#committed = this.#readIds();
    this.#noted = this.#committed;
  }

  async commit(): Promise<void> {
    const ids = this.#readIds();
    if (hasPassed(ids, this.#bounds)) await this.#raise(this.#committed, ids);
    this.#db.exec('COMMIT');
    this.#committed = ids;
  }

  /** Notes the ids given out, so that a database set back since is told apart from one that was merely killed. */
  async note(): Promise<void> {
    const ids = this.#readIds();
    if (!hasPassed(ids, this.#noted)) return;
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      await this.#raise(ids, ids);
    } finally {
      this.#db.exec('COMMIT');
    }
  }

  async #raise(issued: Ids, reached: Ids): Promise<void> {
    const bounds = Object.fromEntries(
      Object.entries(reached).map(([table, id]) => [table, Math.max(id, (issued[table] ?? 0) + margin)]),
    );
    this.#bounds = boundsOf(await raiseHighWater(this.#folder, 'sqlite', issued, bounds));
    this.#noted = issued;
  }
}
