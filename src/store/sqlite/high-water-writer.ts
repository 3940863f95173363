// Keeps the high-water mark above every id SQLite assigns, without a sync per write.
//
// The ids of a transaction are known before it commits. The mark is written ahead, and a commit that would exceed it
// raises it first, so it is an upper bound at every instant, whatever process dies and however many rows a transaction
// inserts. The file is read, raised and written only inside a write transaction, so that a CLI command beside the
// server takes turns with it.

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

/** Ids between two raises: at full rate one sync every few seconds, and the largest gap a restore leaves in the ids. */
const margin = 10_000;

/**
 * Raises the ids of the database in `file` above the mark beside it before anyone writes. Returns a sentence when the
 * database was older than the mark and its ids were raised.
 */
export async function reconcileIds(file: string): Promise<string | undefined> {
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

/** Commits for the writer, and records from time to time the ids assigned so far. */
export class HighWaterWriter {
  readonly #db: DatabaseSync;
  readonly #folder: string;
  readonly #readIds: () => Ids;
  #bounds: Ids;
  /** The ids as of this connection's last commit, which are on stable storage. */
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

  /**
   * Records the ids assigned, so that a database that was set back later can be told from one whose process was killed.
   */
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
