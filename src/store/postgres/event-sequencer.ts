// Numbers committed events so that a position, once readable, is never passed by an earlier one still to come.
//
// Ids are given out before commits, so "id > last" would miss a transaction that commits late, and waiting for the
// oldest open transaction would stall everyone behind it. Instead one node, holding a session lock, numbers what it
// sees committed; readers see numbered events only. A late commit is simply numbered later.

import { Client } from 'pg';
import { clientConfig } from './connection.ts';
import { advisoryLocks } from './schema.ts';

const newEvents = 'tocsin_new_events';
const numberedEvents = 'tocsin_numbered_events';

/** A lost nudge, or a lost holder, costs at most this long. */
const turnEveryMs = 1_000;
const batchSize = 5_000;

const numberBatch = `
  with fresh as materialized (
    select id, row_number() over (order by id) as nth from events where position is null order by id limit ${batchSize}
  ), counter as (
    update event_counter set last = last + (select count(*) from fresh) returning last
  )
  update events set position = counter.last - (select count(*) from fresh) + fresh.nth
  from fresh, counter where events.id = fresh.id`;

export class EventSequencer {
  readonly #url: string;
  readonly #listeners = new Set<() => void>();
  readonly #onTrouble: (error: unknown) => void;
  #client: Client | undefined;
  #isHolder = false;
  #isStopped = false;
  #wake: () => void = () => {};
  #hasNews = false;
  #isTelling = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(url: string, onTrouble: (error: unknown) => void) {
    this.#url = url;
    this.#onTrouble = onTrouble;
  }

  async start(): Promise<void> {
    await this.#connect();
    this.#loop = this.#run();
  }

  onEvents(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Says that this node committed events. Never waits; several at once become one. */
  nudge(): void {
    if (this.#isHolder) this.#awake();
    else void this.#tellHolder();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#awake();
    await this.#loop;
    await this.#client?.end().catch(() => {});
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      try {
        if (this.#client === undefined) await this.#connect();
        await this.#turn();
      } catch (error) {
        if (!this.#isStopped) this.#onTrouble(error);
        await this.#disconnect();
      }
      await this.#sleep();
    }
  }

  async #connect(): Promise<void> {
    const client = new Client({ ...clientConfig(this.#url), query_timeout: 5_000 });
    client.on('error', () => {
      if (this.#client === client) void this.#disconnect();
    });
    client.on('notification', ({ channel }) => (channel === newEvents ? this.#awake() : this.#tellListeners()));
    try {
      await client.connect();
      await client.query(`listen ${newEvents}; listen ${numberedEvents}`);
      // Held as long as the node lives: restore waits until no node serves.
      await client.query('select pg_advisory_lock_shared($1)', [advisoryLocks.serving]);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    this.#tellListeners();
  }

  async #disconnect(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#isHolder = false;
    await client?.end().catch(() => {});
  }

  /** The numbering runs on the very connection that holds the lock: a node that lost the lock cannot number. */
  async #turn(): Promise<void> {
    const client = this.#client;
    if (client === undefined) return;
    if (!this.#isHolder) {
      const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [advisoryLocks.sequencing]);
      this.#isHolder = rows[0]?.held === true;
    }
    if (!this.#isHolder) return;
    for (let numbered = batchSize; numbered >= batchSize; ) {
      numbered = (await client.query(numberBatch)).rowCount ?? 0;
      if (numbered > 0) await client.query(`notify ${numberedEvents}`);
    }
  }

  async #tellHolder(): Promise<void> {
    if (this.#isTelling) return;
    this.#isTelling = true;
    try {
      await this.#client?.query(`notify ${newEvents}`);
    } catch {
      // The holder looks by itself every second.
    } finally {
      this.#isTelling = false;
    }
  }

  #tellListeners(): void {
    for (const listener of this.#listeners) listener();
  }

  #awake(): void {
    this.#hasNews = true;
    this.#wake();
  }

  async #sleep(): Promise<void> {
    if (!this.#hasNews) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, turnEveryMs);
      });
      clearTimeout(timer);
    }
    this.#hasNews = false;
  }
}
