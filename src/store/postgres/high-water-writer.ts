// Keeps the high-water mark of this node above the ids that all nodes take from PostgreSQL.
//
// PostgreSQL gives ids out by itself, so the mark cannot be raised before each: it is read every two seconds and kept
// far ahead. That covers a database that is lost or set back while this node's folder stays, as long as all nodes
// together take fewer than `margin` ids between two looks and this node is not cut off from a database others reach.

import { mkdir } from 'node:fs/promises';
import type { Pool } from 'pg';
import {
  ahead,
  boundsOf,
  hasPassed,
  type Ids,
  raiseHighWater,
  readHighWater,
  setBackNotice,
  setHighWaterAside,
  tablesSetBack,
} from '../backup/high-water.ts';
import type { Instant } from '../store.ts';
import { raiseIds, readIds } from './issued-ids.ts';
import { isEmptyStore } from './schema.ts';

const lookEveryMs = 2_000;
/** Fifty thousand ids a second: many times what PostgreSQL can store of ours. */
const margin = 100_000;

export class HighWaterWriter {
  readonly #pool: Pool;
  readonly #folder: string;
  readonly #onTrouble: (error: unknown) => void;
  #noted: Ids = {};
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isTroubled = false;

  constructor(pool: Pool, folder: string, onTrouble: (error: unknown) => void) {
    this.#pool = pool;
    this.#folder = folder;
    this.#onTrouble = onTrouble;
  }

  /** Brings the database and the mark together. Answers a sentence when they were apart. */
  async start(now: Instant): Promise<string | undefined> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 }).catch(this.#onTrouble);
    const notice = await this.#settle(now);
    await this.#look();
    this.#timer = setInterval(() => {
      this.#looking = this.#looking.then(() => this.#look());
    }, lookEveryMs);
    return notice;
  }

  async #settle(now: Instant): Promise<string | undefined> {
    const mark = readHighWater(this.#folder);
    const setBack = tablesSetBack(await readIds(this.#pool), mark);
    if (setBack.length === 0) return undefined;
    if (await isEmptyStore(this.#pool)) {
      const aside = await setHighWaterAside(this.#folder, now);
      return `The database is empty although this data folder has served another: if that one was lost, stop and restore a backup. The ids given out there are kept in ${aside}.`;
    }
    await raiseIds(this.#pool, boundsOf(mark));
    return setBackNotice(setBack);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
    await this.#look();
  }

  /** Trouble is told once: a folder that cannot be written stays so, and the database is watched by others. */
  async #look(): Promise<void> {
    try {
      const ids = await readIds(this.#pool);
      if (!hasPassed(ids, this.#noted)) return;
      await raiseHighWater(this.#folder, 'postgres', ids, ahead(ids, margin));
      this.#noted = ids;
      this.#isTroubled = false;
    } catch (error) {
      if (!this.#isTroubled) this.#onTrouble(error);
      this.#isTroubled = true;
    }
  }
}
