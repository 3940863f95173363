// Keeps this node's high-water mark above the ids that all nodes take from PostgreSQL.
//
// PostgreSQL assigns ids by itself, so the mark cannot be raised before each one: the ids are read every two seconds
// and the mark is written far ahead of them. This covers a database that is lost or set back while the node's data
// folder remains, as long as all nodes together take fewer than `margin` ids between two polls and this node is not cut
// off from a database that other nodes reach.

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
import type { Schema } from '../schema.ts';
import type { Instant } from '../store.ts';
import { raiseIds, readIds } from './issued-ids.ts';
import { isEmptyStore } from './schema.ts';

const pollEveryMs = 2_000;
/** 50,000 ids a second, many times the rate at which PostgreSQL can store our rows. */
const margin = 100_000;

export class HighWaterWriter {
  readonly #pool: Pool;
  readonly #schema: Schema;
  readonly #folder: string;
  readonly #onTrouble: (error: unknown) => void;
  #noted: Ids = {};
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();
  #isTroubled = false;

  constructor(pool: Pool, schema: Schema, folder: string, onTrouble: (error: unknown) => void) {
    this.#pool = pool;
    this.#schema = schema;
    this.#folder = folder;
    this.#onTrouble = onTrouble;
  }

  /**
   * Raises the database's ids above the mark and starts polling. Returns a sentence for the administrator when the
   * database was behind the mark.
   */
  async start(now: Instant): Promise<string | undefined> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 }).catch(this.#onTrouble);
    const notice = await this.#reconcile(now);
    await this.#poll();
    this.#timer = setInterval(() => {
      this.#polling = this.#polling.then(() => this.#poll());
    }, pollEveryMs);
    return notice;
  }

  async #reconcile(now: Instant): Promise<string | undefined> {
    const mark = readHighWater(this.#folder);
    const setBack = tablesSetBack(await readIds(this.#pool), mark);
    if (setBack.length === 0) return undefined;
    if (await isEmptyStore(this.#pool, this.#schema)) {
      const aside = await setHighWaterAside(this.#folder, now);
      return `The database is empty although this data folder has served another: if that one was lost, stop and restore a backup. The ids given out there are kept in ${aside}.`;
    }
    await raiseIds(this.#pool, boundsOf(mark));
    return setBackNotice(setBack);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#polling;
    await this.#poll();
  }

  /**
   * Reports only the first of consecutive failures: a folder that cannot be written stays so, and an unreachable
   * database is reported elsewhere.
   */
  async #poll(): Promise<void> {
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
