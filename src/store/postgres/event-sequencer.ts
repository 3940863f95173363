// Assigns positions to committed events so that no event appears later with a lower position than one already readable.
//
// Ids are assigned before commits, so "id > last" would miss a transaction that commits late, and waiting for the
// oldest open transaction would delay every event behind it. Instead one node, the holder of a session lock, numbers
// the events it sees committed; readers see only numbered events. A late commit gets a later number.
//
// The lock is a lease: PostgreSQL ends the session of a node that asks nothing for `silentSessionMs`, whether it is
// frozen, has lost its power or is cut off, and another node goes on.

import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { byKeyOnly, clientConfig, lostPeerSettings } from './prepared-connection.ts';
import { advisoryLocks } from './schema.ts';

const newEvents = 'tocsin_new_events';
const numberedEvents = 'tocsin_numbered_events';

/**
 * Pause between turns, so that under load several commits are numbered together and readers poll once for all of them.
 */
const pauseMs = 5;
const busyPauseMs = 20;
/** A turn that numbered at least this many events is followed by the longer pause. */
const busyFrom = 20;

/** The longest delay after a lost nudge, and the pause after which every node asks for the lock again. */
const turnEveryMs = 1_000;
/** After so long without a question PostgreSQL ends the session and frees its locks. */
const silentSessionMs = 10_000;
/** At the start of a machine everything is slow, and a server that gives up is only started again. */
const firstConnectionMs = 30_000;
const batchSize = 5_000;
/** More ids than the concurrently open transactions take. */
const openIds = 2_000;

const selectWaiting = 'select min(id) as waiting from events where position is null';

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
  readonly #onConnected: (client: Client) => Promise<void>;
  #client: Client | undefined;
  #isHolder = false;
  #isStopped = false;
  #wake: () => void = () => {};
  #hasNews = false;
  #isNotifying = false;
  #highestNumbered = 0;
  #lastFullScan = Number.NEGATIVE_INFINITY;
  #lastTurnAt = performance.now();
  /** The oldest event without a position, and since when this node has known it. */
  #waiting: { readonly id: number; readonly since: number } | undefined;
  #loop: Promise<void> = Promise.resolve();

  /** `onConnected` is awaited with each connection, once it holds the lock under which nobody changes the schema. */
  constructor(
    url: string,
    onTrouble: (error: unknown) => void,
    onConnected: (client: Client) => Promise<void> = async () => {},
  ) {
    this.#url = url;
    this.#onTrouble = onTrouble;
    this.#onConnected = onConnected;
  }

  async start(): Promise<void> {
    const connected = this.#connect(firstConnectionMs);
    // Set before it is connected, so that a stop meanwhile waits for the connection and ends it.
    this.#loop = connected.then(
      () => this.#run(),
      () => {},
    );
    await connected;
  }

  onEvents(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Returns for how long events may have been committed that this node has not heard of; about a second at rest. */
  delayMs(): number {
    return performance.now() - (this.#waiting?.since ?? this.#lastTurnAt);
  }

  /** Returns for how long the database has not answered; it is asked once a second at least. */
  silentMs(): number {
    return performance.now() - this.#lastTurnAt;
  }

  /** Reports that this node committed events. Never waits; concurrent calls are merged. */
  nudge(): void {
    if (this.#isHolder) this.#awake();
    else void this.#notifyHolder();
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

  async #connect(withinMs?: number): Promise<void> {
    const limit = withinMs === undefined ? {} : { connectionTimeoutMillis: withinMs };
    const client = new Client({ ...clientConfig(this.#url), query_timeout: 5_000, ...limit });
    client.on('error', () => {
      if (this.#client === client) void this.#disconnect();
    });
    client.on('notification', ({ channel }) => (channel === newEvents ? this.#awake() : this.#notifyListeners()));
    try {
      await client.connect();
      const lease = `set idle_session_timeout = ${silentSessionMs}`;
      await client.query(`listen ${newEvents}; listen ${numberedEvents}; ${byKeyOnly}; ${lostPeerSettings}; ${lease}`);
      // Held as long as the node runs: a restore requires that no node holds it.
      await client.query('select pg_advisory_lock_shared($1)', [advisoryLocks.serving]);
      await this.#onConnected(client);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    this.#notifyListeners();
  }

  async #disconnect(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#isHolder = false;
    await client?.end().catch(() => {});
  }

  /**
   * Numbers events on the connection that holds the lock, so that a node that lost the lock cannot number. Returns how
   * many events were numbered.
   */
  async #turn(): Promise<number> {
    const client = this.#client;
    if (client === undefined) return 0;
    if (!this.#isHolder) {
      const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [advisoryLocks.sequencing]);
      this.#isHolder = rows[0]?.held === true;
      if (!this.#isHolder) await this.#lookForWaiting(client);
    }
    if (!this.#isHolder) return 0;
    const from = this.#lowestId();
    for (let total = 0; ; ) {
      const { rows } = await client.query({ name: 'number-events', text: numberBatch, values: [from] });
      const numbered = Number(rows[0]?.numbered);
      this.#highestNumbered = Math.max(this.#highestNumbered, Number(rows[0]?.highest));
      total += numbered;
      this.#noteTurn(undefined);
      if (numbered < batchSize) return total;
    }
  }

  /** Once a second: until it is vacuumed, the index that is read also holds numbered events. */
  async #lookForWaiting(client: Client): Promise<void> {
    if (performance.now() - this.#lastTurnAt < turnEveryMs / 2) return;
    const { rows } = await client.query(selectWaiting);
    this.#noteTurn(rows[0]?.waiting ?? undefined);
  }

  #noteTurn(waiting: number | undefined): void {
    const now = performance.now();
    this.#lastTurnAt = now;
    if (waiting === undefined) this.#waiting = undefined;
    else if (this.#waiting?.id !== waiting) this.#waiting = { id: waiting, since: now };
  }

  /**
   * Returns the lowest id to scan. Until it is vacuumed, the index of unnumbered events also holds numbered ones, and
   * skipping those costs more than the numbering. So usually only the newest ids are scanned; events of a transaction
   * that was open for long are found once a second.
   */
  #lowestId(): number {
    if (performance.now() - this.#lastFullScan < turnEveryMs) return Math.max(0, this.#highestNumbered - openIds);
    this.#lastFullScan = performance.now();
    return 0;
  }

  async #notifyHolder(): Promise<void> {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    try {
      await this.#client?.query(`notify ${newEvents}`);
    } catch {
      // The holder polls every second anyway.
    } finally {
      this.#isNotifying = false;
    }
  }

  #notifyListeners(): void {
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
