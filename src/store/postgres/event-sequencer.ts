// Numbers committed events so that a position, once readable, is never passed by an earlier one still to come.
//
// Ids are given out before commits, so "id > last" would miss a transaction that commits late, and waiting for the
// oldest open transaction would stall everyone behind it. Instead one node, holding a session lock, numbers what it
// sees committed; readers see numbered events only. A late commit is simply numbered later.

import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { byKeyOnly, clientConfig } from './prepared-connection.ts';
import { advisoryLocks } from './schema.ts';

const newEvents = 'tocsin_new_events';
const numberedEvents = 'tocsin_numbered_events';

/** When much is committed, several commits are numbered in one turn, and whoever follows looks once for all of them. */
const pauseMs = 5;
const busyPauseMs = 20;
/** So many in a turn that more are about to come. */
const busyFrom = 20;

/** A lost nudge, or a lost holder, costs at most this long. */
const turnEveryMs = 1_000;
const batchSize = 5_000;
/** More events than the transactions that are open at a time have. */
const openIds = 2_000;

const numberBatch = `
  with fresh as materialized (
    select ctid, row_number() over (order by id) as nth from events where position is null and id >= $1 order by id limit ${batchSize}
  ), counter as (
    update event_counter set last = last + (select count(*) from fresh) returning last
  ), numbered as (
    update events set position = counter.last - (select count(*) from fresh) + fresh.nth
    from fresh, counter where events.ctid = fresh.ctid returning events.id
  )
  select count(*)::int as numbered, coalesce(max(id), 0) as highest,
    case when count(*) > 0 then pg_notify('${numberedEvents}', '') end from numbered`;

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
  #highestNumbered = 0;
  #lookedAtAll = Number.NEGATIVE_INFINITY;
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
        const isBusy = (await this.#turn()) >= busyFrom;
        if ((isBusy || this.#hasNews) && !this.#isStopped) await delay(isBusy ? busyPauseMs : pauseMs);
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
      await client.query(`listen ${newEvents}; listen ${numberedEvents}; ${byKeyOnly}`);
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

  /**
   * The numbering runs on the very connection that holds the lock: a node that lost the lock cannot number. Answers how
   * many were numbered.
   */
  async #turn(): Promise<number> {
    const client = this.#client;
    if (client === undefined) return 0;
    if (!this.#isHolder) {
      const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [advisoryLocks.sequencing]);
      this.#isHolder = rows[0]?.held === true;
    }
    if (!this.#isHolder) return 0;
    const from = this.#lowestId();
    for (let total = 0; ; ) {
      const { rows } = await client.query({ name: 'number-events', text: numberBatch, values: [from] });
      const numbered = Number(rows[0]?.numbered);
      this.#highestNumbered = Math.max(this.#highestNumbered, Number(rows[0]?.highest));
      total += numbered;
      if (numbered < batchSize) return total;
    }
  }

  /**
   * The index of what is to be numbered keeps what was, until it is vacuumed, and walking past that costs more than the
   * numbering. So usually only the newest ids are looked at; a transaction that was open for long is found once a second.
   */
  #lowestId(): number {
    if (performance.now() - this.#lookedAtAll < turnEveryMs) return Math.max(0, this.#highestNumbered - openIds);
    this.#lookedAtAll = performance.now();
    return 0;
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
