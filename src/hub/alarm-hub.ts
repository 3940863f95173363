// The hub `alarmHub`: tells clients of new alarms after their commit, each once, and of what they missed since a position.

import {
  type Cursor,
  defineHub,
  type HubConnection,
  type HubContext,
  type HubDefinition,
  type Principal,
} from '@tocsin/signalr';
import { seesStation } from '../domain/access/access.ts';
import type { AlarmView } from '../domain/alarms/view.ts';
import type { EventFeed } from '../store/event-feed.ts';
import { type LogPosition, readAlarmEvents, readLogStart, type StoredEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { type AlarmPrinting, printAlarm } from '../wire/alarms/alarm.ts';
import { type ConsoleEvents, consoleEventsOf, type Listener } from './console-events.ts';
import { printPosition, readPosition } from './cursor.ts';
import { Semaphore } from './semaphore.ts';
import {
  everything,
  type Heard,
  hears,
  printSubscription,
  readPrintedSubscription,
  readSubscription,
  type Subscription,
} from './subscription.ts';

/** Who is connected: a principal of the server, with what is theirs to see. */
export type HubCaller = Principal & Listener;

export type AlarmHubParts = {
  readonly store: Store;
  readonly feed: EventFeed;
  /** In the zone and the language of the server: what is sent to all is printed once. */
  readonly printing: AlarmPrinting;
  /** Signs positions; the same on every node. */
  readonly key: string;
  readonly onTrouble: (error: unknown) => void;
};

/**
 * A client, and up to which position it has been told. Infinity while it catches up: then only that tells it. Whoever
 * starts over while it still does is told by the newest `round` alone.
 */
type Client = { subscription: Subscription; toldTo: number; round: number; stretches: Stretch[] };

/** What came after `from` and up to `to` was told, as far as the subscription of that time asked for it. */
type Stretch = { readonly from: number; to: number; readonly subscription: Subscription };

/** A client that asks for other things over and over is told something twice rather than remembered at any length. */
const mostStretches = 16;

/** What an event says to clients. */
type News = Heard & {
  readonly position: number;
  readonly target: 'onAlarm' | 'onAlarmChanged';
  readonly args: readonly [unknown];
};

type LogStart = LogPosition & { readonly oldest: number };

type Subscribed = { readonly position: string; readonly recovered: boolean };

/** Few, for an event may have long texts. */
const eventsAPage = 100;

/** Clients that all come back at once must not keep alarms out of the store. */
const readersAtATime = 2;

/** How many a client that catches up is sent before it is waited for: it would be cut for what it has had no time to read. */
const sentAtATime = 64;

export class AlarmHub {
  readonly definition: HubDefinition;
  readonly #parts: AlarmHubParts;
  readonly #clients = new Map<HubConnection, Client>();
  /** Those who want to know how far they have been told. */
  readonly #placed = new Set<HubConnection>();
  #live: HubContext | undefined;
  #epoch = '';
  #stopListening: (() => void) | undefined;
  #isPositionDue = false;
  readonly #readers = new Semaphore(readersAtATime);

  constructor(parts: AlarmHubParts) {
    this.#parts = parts;
    this.definition = defineHub({
      name: 'alarmHub',
      methods: { subscribe: ({ connection }, filter) => this.#subscribe(connection, readSubscription(filter)) },
      onConnected: (connection, cursor) => this.#welcome(connection, cursor),
      recovery: {
        currentCursor: async () => this.#printPosition((await this.#logStart()).position),
        onResumed: (connection, cursor, filter) => this.#welcome(connection, cursor, filter),
      },
      onDisconnected: (connection) => this.#forget(connection),
    });
  }

  /** The running hub that clients are told through. */
  attach(live: HubContext): void {
    this.#live = live;
  }

  /**
   * Connecting is subscribing: to every new alarm after the cursor, or from now on, that the caller may see. Who has
   * subscribed to less before a restart brings the filter along.
   */
  async #welcome(connection: HubConnection, cursor: Cursor | undefined, filter?: string): Promise<void> {
    const client = this.#clients.get(connection) ?? { subscription: everything, toldTo: 0, round: 0, stretches: [] };
    if (filter !== undefined) {
      client.subscription = readPrintedSubscription(filter);
      this.#placed.add(connection);
    }
    this.#clients.set(connection, client);
    this.#stopListening ??= this.#parts.feed.subscribe((event) => this.#hear(event));
    const round = startRound(client);
    // What a client that comes back with a cursor was sent after it never arrived.
    client.stretches = [];
    try {
      const start = await this.#logStart();
      await this.#catchUp(connection, client, round, this.#sinceIn(start, cursor) ?? start.position);
    } catch (error) {
      this.#forget(connection);
      throw error;
    }
  }

  #forget(connection: HubConnection): void {
    this.#clients.delete(connection);
    this.#placed.delete(connection);
    if (this.#clients.size > 0) return;
    // Nobody listens, so alarms need not be read.
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  async #subscribe(connection: HubConnection, subscription: Subscription): Promise<Subscribed> {
    const client = this.#clients.get(connection);
    if (client === undefined) throw new Error('A client subscribes that is not connected');
    const printed = connection.setClientState && printSubscription(subscription);
    const since = this.#sinceIn(await this.#logStart(), subscription.since);
    const goesOnFrom = client.stretches.at(-1)?.to ?? 0;
    client.subscription = subscription;
    if (printed !== undefined) connection.setClientState?.(printed);
    this.#placed.add(connection);
    connection.announceCursors?.('onPosition');
    if (since !== undefined) await this.#catchUp(connection, client, startRound(client), since);
    else beginStretch(client, goesOnFrom, goesOnFrom);
    return { position: this.#printPosition(client.stretches.at(-1)?.to ?? 0), recovered: since !== undefined };
  }

  /** The position that the text stands for; undefined where the log was cut before it, or begun anew. */
  #sinceIn(start: LogStart, text: string | undefined): number | undefined {
    const since = text === undefined ? undefined : readPosition(text, this.#parts.key);
    const isThere = since !== undefined && since.epoch === start.epoch && since.position >= start.oldest - 1;
    return isThere ? Math.min(since.position, start.position) : undefined;
  }

  async #logStart(): Promise<LogStart> {
    const start = await this.#parts.store.read(readLogStart, {});
    this.#epoch = start.epoch;
    return start;
  }

  /** Tells what came after `from`, straight from the log, until the feed is level with it and goes on from there. */
  async #catchUp(connection: HubConnection, client: Client, round: number, from: number): Promise<void> {
    const { stationIds } = connection.principal as HubCaller;
    const isOver = () => connection.closed.aborted || client.round !== round;
    let position = from;
    let sent = 0;
    while (position < this.#parts.feed.position) {
      const page = { after: position, limit: eventsAPage, stationIds };
      const read = await this.#readers.pass(() => this.#parts.store.read(readAlarmEvents, page));
      for (const event of read.events) {
        if (isOver()) return;
        const news = this.#newsOf(event);
        if (news === undefined || !isFor(connection, client.subscription, news)) continue;
        if (wasTold(connection, client, news)) continue;
        connection.send(news.target, news.args, this.#printPosition(news.position));
        sent += 1;
        if (sent % sentAtATime === 0) await connection.untilSent();
      }
      if (isOver()) return;
      position = read.position;
    }
    client.toldTo = position;
    beginStretch(client, from, position);
    connection.advance(this.#printPosition(position));
  }

  #hear(event: StoredEvent): void {
    this.#tell(event);
    for (const news of consoleEventsOf(event, this.#parts.printing.timeZone)) this.#tellBeside(news);
  }

  /** Without a cursor: who missed it goes on without it. */
  #tellBeside({ target, args, isFor: isForListener }: ConsoleEvents): void {
    const filter = (connection: HubConnection): boolean => {
      const client = this.#clients.get(connection);
      return client !== undefined && isForListener(connection.principal as HubCaller, client.subscription);
    };
    this.#live?.broadcast(target, args, filter).catch(this.#parts.onTrouble);
  }

  #tell(event: StoredEvent): void {
    const news = this.#newsOf(event);
    if (news === undefined || this.#live === undefined) return;
    const filter = (connection: HubConnection): boolean => {
      const client = this.#clients.get(connection);
      if (client === undefined || news.position <= client.toldTo) return false;
      const stretch = client.stretches.at(-1);
      if (stretch !== undefined) stretch.to = news.position;
      return isFor(connection, client.subscription, news);
    };
    const cursor = this.#printPosition(news.position);
    this.#live.broadcast(news.target, news.args, filter, cursor).catch(this.#parts.onTrouble);
    this.#tellPositionSoon();
  }

  /** Once for all that one turn brought: to those who asked, so that they can say where to go on. */
  #tellPositionSoon(): void {
    if (this.#isPositionDue || this.#placed.size === 0) return;
    this.#isPositionDue = true;
    setImmediate(() => {
      this.#isPositionDue = false;
      const { position } = this.#parts.feed;
      const wants = (connection: HubConnection): boolean => {
        const client = this.#clients.get(connection);
        return client !== undefined && this.#placed.has(connection) && client.toldTo < position;
      };
      const cursor = this.#printPosition(position);
      this.#live?.broadcast('onPosition', [cursor], wants, cursor).catch(this.#parts.onTrouble);
    });
  }

  #newsOf({ position, kind, stationId = 0, data }: StoredEvent): News | undefined {
    if (!kind.startsWith('alarm.') || data.alarm === undefined) return undefined;
    const alarm = data.alarm as AlarmView;
    return {
      position,
      stationId,
      tagGroupId: data.tagGroupId as number | undefined,
      priority: alarm.priority,
      target: data.isAnnounced === true ? 'onAlarm' : 'onAlarmChanged',
      args: [printAlarm(alarm, this.#parts.printing)],
    };
  }

  #printPosition(position: number): string {
    return printPosition({ epoch: this.#epoch, position }, this.#parts.key);
  }
}

/** From here on the client is told by nothing but its catching up. */
function startRound(client: Client): number {
  client.toldTo = Number.POSITIVE_INFINITY;
  client.round += 1;
  return client.round;
}

function beginStretch(client: Client, from: number, to: number): void {
  client.stretches = [...client.stretches, { from, to, subscription: client.subscription }].slice(-mostStretches);
}

/** Whether this very connection has heard of it before it asked for what it missed. */
function wasTold(connection: HubConnection, { stretches }: Client, news: News): boolean {
  return stretches.some(
    ({ from, to, subscription }) =>
      news.position > from && news.position <= to && isFor(connection, subscription, news),
  );
}

function isFor(connection: HubConnection, subscription: Subscription, news: News): boolean {
  if (news.target === 'onAlarmChanged' && !subscription.changes) return false;
  return seesStation(connection.principal as HubCaller, news.stationId) && hears(subscription, news);
}
