// The hub `alarmHub`: sends new alarms to clients after their commit, each once, and replays those missed since a
// position.

import {
  type Cursor,
  defineHub,
  type HubConnection,
  type HubContext,
  type HubDefinition,
  HubException,
  type Principal,
} from '@tocsin/signalr';
import type { Clock } from '../clock.ts';
import { languages, offeredLanguage } from '../domain/language.ts';
import { guard } from '../guard.ts';
import { readAlarmEvents } from '../operations/alarms/events.ts';
import type { CallReader } from '../operations/calls/views/shown-call.ts';
import type { EventFeed } from '../store/event-feed.ts';
import { type LogPosition, readLogStart, type StoredEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import type { AlarmPrinting } from '../wire/alarms/alarm.ts';
import { type AlarmMessage, type Delivery, deliveryFor, messageOf, type ReadIn } from './alarm-messages.ts';
import { CallPushes } from './call-pushes.ts';
import { type ConsoleEvent, consoleEventsOf, type Listener } from './console-events.ts';
import { printPosition, readPosition } from './cursor.ts';
import { type HealthMessage, HealthPushes } from './health-pushes.ts';
import { Semaphore } from './semaphore.ts';
import {
  defaultSubscription,
  printSubscription,
  readPrintedSubscription,
  readSubscription,
  type Subscription,
} from './subscription.ts';

/** A connected caller: a SignalR principal with the stations it may see. */
export type HubCaller = Principal & Listener;

export type AlarmHubParts = {
  readonly store: Store;
  readonly feed: EventFeed;
  readonly clock: Clock;
  /** Time zone and language of the server; what is the same in every language is printed once for all clients. */
  readonly printing: AlarmPrinting;
  /** The key that signs positions; the same on every node. */
  readonly key: string;
  readonly onTrouble: (error: unknown) => void;
};

/**
 * A client and the last position sent to it: Infinity during catch-up, so that live events are skipped. If catch-up
 * restarts, only the one with the newest `catchUpId` sends.
 */
type Client = {
  /** Undefined for a quiet client before its first `subscribe`: nothing is sent to it. */
  subscription: Subscription | undefined;
  /** Whether it asks what this node can do; known before its subscription, which needs the database. */
  isToldHealth: boolean;
  readonly language: ReadIn;
  sentUpTo: number;
  catchUpId: number;
  /** The newest catch-up while it runs: until its end the position of the client is not known. */
  catchingUp: Promise<void> | undefined;
  sentRanges: SentRange[];
};

/** The events after `from` up to `to` were sent, as far as they matched the subscription of that time. */
type SentRange = { readonly from: number; to: number; readonly subscription: Subscription | undefined };

/** Limit of remembered ranges: a client that changes its subscription more often may receive an alarm twice. */
const maxSentRanges = 16;

type LogStart = LogPosition & { readonly oldest: number };

type Subscribed = { readonly position: string; readonly recovered: boolean };

/** Small, because an event may have long texts. */
const pageSize = 100;

/** Limits concurrent reads, so that clients that all reconnect at once do not keep alarms out of the store. */
const maxReaders = 2;

/**
 * Messages sent during catch-up before waiting for the client: they are its own, so each client costs memory for them.
 */
const sendBatchSize = 64;

export class AlarmHub {
  readonly definition: HubDefinition;
  readonly #parts: AlarmHubParts;
  readonly #clients = new Map<HubConnection, Client>();
  /** Connections that receive position updates. */
  readonly #positionSubscribers = new Set<HubConnection>();
  #live: HubContext | undefined;
  #epoch = '';
  #stopListening: (() => void) | undefined;
  #isPositionDue = false;
  readonly #readers = new Semaphore(maxReaders);
  readonly #calls: CallPushes;
  readonly #health = new HealthPushes({
    push: (health) => {
      const wants = (connection: HubConnection) => this.#clients.get(connection)?.isToldHealth === true;
      this.#live?.broadcast('onHealth', [health], wants).catch(this.#parts.onTrouble);
    },
  });

  constructor(parts: AlarmHubParts) {
    this.#parts = parts;
    this.#calls = new CallPushes({
      ...parts,
      timeZone: parts.printing.timeZone,
      audiences: () => this.#callAudiences(),
      push: (audience, call) => this.#broadcastCall(audience, call),
    });
    this.definition = defineHub({
      name: 'alarmHub',
      methods: {
        subscribe: ({ connection }, filter) => this.#subscribe(connection, readSubscription(filter)),
        /** For clients that want to know sooner than by a keep-alive whether the hub is there. */
        ping: () => null,
      },
      onConnected: (connection, cursor) => this.#connect(connection, cursor),
      recovery: {
        currentCursor: async () => this.#printPosition((await this.#logStart()).position),
        onResumed: (connection, cursor, filter) => this.#connect(connection, cursor, filter),
      },
      onDisconnected: (connection) => this.#forget(connection),
    });
  }

  /** Sets the running hub that messages are sent through. */
  attach(live: HubContext): void {
    this.#live = live;
  }

  /** Whether a client asks what this node can do. */
  get isAskedForHealth(): boolean {
    return [...this.#clients.values()].some(({ isToldHealth }) => isToldHealth);
  }

  tellHealth(health: HealthMessage | undefined): void {
    this.#health.tell(health);
  }

  /**
   * Connecting subscribes to every new alarm the caller may see, after the cursor or from now on, unless the client asks
   * to be quiet. A client that had subscribed to less before a restart sends its filter.
   */
  async #connect(connection: HubConnection, cursor: Cursor | undefined, filter?: string): Promise<void> {
    const client = this.#clients.get(connection) ?? {
      subscription: isQuiet(connection) ? undefined : defaultSubscription,
      isToldHealth: false,
      language: languageAskedBy(connection),
      sentUpTo: 0,
      catchUpId: 0,
      catchingUp: undefined,
      sentRanges: [],
    };
    if (filter !== undefined) {
      client.subscription = readPrintedSubscription(filter);
      client.isToldHealth = client.subscription.health;
      this.#positionSubscribers.add(connection);
    }
    this.#clients.set(connection, client);
    this.#stopListening ??= this.#parts.feed.subscribe((event) => this.#onEvent(event));
    // Messages sent to a reconnecting client after its cursor never arrived.
    client.sentRanges = [];
    try {
      await startCatchUp(client, async (catchUpId) => {
        const start = await this.#logStart();
        await this.#catchUp(connection, client, catchUpId, this.#sinceIn(start, cursor) ?? start.position);
      });
    } catch (error) {
      this.#forget(connection);
      throw error;
    }
  }

  #forget(connection: HubConnection): void {
    this.#clients.delete(connection);
    this.#positionSubscribers.delete(connection);
    if (this.#clients.size > 0) return;
    // Without clients the event feed is not needed.
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  async #subscribe(connection: HubConnection, subscription: Subscription): Promise<Subscribed> {
    const client = this.#clients.get(connection);
    if (client === undefined) throw new Error('A client subscribes that is not connected');
    // At once: the database that stands still also holds up the rest of the subscription.
    client.isToldHealth = subscription.health;
    if (subscription.health) this.#health.greet(connection);
    const printed = connection.setClientState && printSubscription(subscription);
    const since = this.#sinceIn(await this.#logStart(), subscription.since);
    if (since === undefined) await untilCaughtUp(client);
    const continuesFrom = since ?? positionOf(client);
    client.subscription = subscription;
    if (printed !== undefined) connection.setClientState?.(printed);
    this.#positionSubscribers.add(connection);
    connection.announceCursors?.('onPosition');
    if (since === undefined) beginSentRange(client, continuesFrom, continuesFrom);
    else await this.#catchUpOrClose(connection, client, since);
    await untilCaughtUp(client);
    return { position: this.#printPosition(positionOf(client)), recovered: since !== undefined };
  }

  /** A client whose catch-up has failed would get nothing more: it is closed, and comes back with its position. */
  async #catchUpOrClose(connection: HubConnection, client: Client, since: number): Promise<void> {
    try {
      await startCatchUp(client, (catchUpId) => this.#catchUp(connection, client, catchUpId, since));
    } catch (error) {
      connection.close({ allowReconnect: true });
      throw error;
    }
  }

  /** Parses a position; undefined if the log was truncated after it, or belongs to another epoch. */
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

  /** Sends the events after `from`, read from the log, until the client has caught up with the live feed. */
  async #catchUp(connection: HubConnection, client: Client, catchUpId: number, from: number): Promise<void> {
    const { stationIds } = connection.principal as HubCaller;
    const isOver = () => connection.closed.aborted || client.catchUpId !== catchUpId;
    let position = from;
    let sent = 0;
    while (position < this.#parts.feed.position) {
      const page = { after: position, limit: pageSize, stationIds };
      const read = await this.#readers.run(() => this.#parts.store.read(readAlarmEvents, page));
      for (const event of read.events) {
        if (isOver()) return;
        const message = messageOf(event, this.#parts.printing, () => [client.language]);
        const delivery = message && deliveryFor(connection, client, message);
        if (message === undefined || delivery === undefined || wasSent(connection, client, message)) continue;
        connection.send(delivery.target, delivery.args, this.#printPosition(message.position));
        sent += 1;
        if (sent % sendBatchSize === 0) await connection.untilSent();
      }
      if (isOver()) return;
      position = read.position;
    }
    client.sentUpTo = position;
    beginSentRange(client, from, position);
    connection.advance(this.#printPosition(position));
  }

  /** Returns the stations and languages of those who ask for calls, each combination once. */
  #callAudiences(): readonly CallReader[] {
    const readers = [...this.#clients.keys()].filter((one) => this.#wantsCalls(one)).map((one) => this.#readerOf(one));
    return [...new Map(readers.map((reader) => [nameOf(reader), reader])).values()];
  }

  /** Calls are worded in English for who has not asked for a language. */
  #readerOf(connection: HubConnection): CallReader {
    const { stationIds } = connection.principal as HubCaller;
    return { stationIds, language: offeredLanguage([this.#clients.get(connection)?.language ?? '']) };
  }

  #wantsCalls(connection: HubConnection): boolean {
    const { readsCalls = false } = connection.principal as HubCaller;
    return readsCalls && this.#clients.get(connection)?.subscription?.calls === true;
  }

  /** Sent without a cursor, like other events of consoles. */
  #broadcastCall(audience: CallReader, call: unknown): void {
    const isTheirs = (connection: HubConnection): boolean =>
      this.#wantsCalls(connection) && nameOf(this.#readerOf(connection)) === nameOf(audience);
    this.#live?.broadcast('onCall', [call], isTheirs).catch(this.#parts.onTrouble);
  }

  #languages(): ReadonlySet<ReadIn> {
    return new Set([...this.#clients.values()].map(({ language }) => language));
  }

  #onEvent(event: StoredEvent): void {
    this.#broadcastAlarm(event);
    this.#calls.note(event);
    for (const message of consoleEventsOf(event, this.#parts.printing.timeZone)) this.#broadcastConsoleEvent(message);
  }

  /** Sent without a cursor: not replayed after a reconnect. */
  #broadcastConsoleEvent({ target, args, isFor: isForListener }: ConsoleEvent): void {
    const filter = (connection: HubConnection): boolean => {
      const subscription = this.#clients.get(connection)?.subscription;
      return subscription !== undefined && isForListener(connection.principal as HubCaller, subscription);
    };
    this.#live?.broadcast(target, args, filter).catch(this.#parts.onTrouble);
  }

  #broadcastAlarm(event: StoredEvent): void {
    const message = messageOf(event, this.#parts.printing, () => this.#languages());
    if (message === undefined || this.#live === undefined) return;
    const choose = (connection: HubConnection): Delivery | undefined => {
      const client = this.#clients.get(connection);
      if (client === undefined || message.position <= client.sentUpTo) return undefined;
      const range = client.sentRanges.at(-1);
      if (range !== undefined) range.to = message.position;
      return deliveryFor(connection, client, message);
    };
    const cursor = this.#printPosition(message.position);
    for (const delivery of message.deliveries) {
      const isTheirs = (connection: HubConnection) => choose(connection) === delivery;
      this.#live.broadcast(delivery.target, delivery.args, isTheirs, cursor).catch(this.#parts.onTrouble);
    }
    this.#schedulePosition();
  }

  /**
   * Sends the current position once per turn of the event loop to the clients that want it, so that they can resume
   * from there.
   */
  #schedulePosition(): void {
    if (this.#isPositionDue || this.#positionSubscribers.size === 0) return;
    this.#isPositionDue = true;
    setImmediate(() => guard(this.#parts.onTrouble, () => this.#sendPosition()));
  }

  async #sendPosition(): Promise<void> {
    this.#isPositionDue = false;
    const { position } = this.#parts.feed;
    const wants = (connection: HubConnection): boolean => {
      const client = this.#clients.get(connection);
      return client !== undefined && this.#positionSubscribers.has(connection) && client.sentUpTo < position;
    };
    const cursor = this.#printPosition(position);
    await this.#live?.broadcast('onPosition', [cursor], wants, cursor);
  }

  #printPosition(position: number): string {
    return printPosition({ epoch: this.#epoch, position }, this.#parts.key);
  }
}

/** Whether the client asked for no message before it has subscribed, so that none comes out of order or twice. */
function isQuiet(connection: HubConnection): boolean {
  return connection.request.query.get('quiet') === 'true';
}

function nameOf({ stationIds, language }: CallReader): string {
  return `${language} ${stationIds.join()}`;
}

/** Returns the language in the address of the hub; undefined for one that Tocsin does not speak. */
function languageAskedBy(connection: HubConnection): ReadIn {
  const asked = connection.request.query.get('language');
  return languages.find((language) => language === asked);
}

/** Runs a catch-up; live events are skipped for this client until it ends. */
async function startCatchUp(client: Client, run: (catchUpId: number) => Promise<void>): Promise<void> {
  client.sentUpTo = Number.POSITIVE_INFINITY;
  client.catchUpId += 1;
  const catchingUp = run(client.catchUpId);
  client.catchingUp = catchingUp;
  try {
    await catchingUp;
  } finally {
    if (client.catchingUp === catchingUp) client.catchingUp = undefined;
  }
}

/** Waits for a catch-up that runs beside a call, for instance because a poll resumes. */
async function untilCaughtUp(client: Client): Promise<void> {
  while (client.catchingUp !== undefined) await client.catchingUp;
}

/**
 * Returns the position up to which the client was sent everything. Before it has caught up there is none: another one
 * would let it recover alarms from before its first subscription.
 */
function positionOf({ sentRanges }: Client): number {
  const newest = sentRanges.at(-1);
  if (newest === undefined) throw new HubException('The connection has ended.');
  return newest.to;
}

function beginSentRange(client: Client, from: number, to: number): void {
  client.sentRanges = [...client.sentRanges, { from, to, subscription: client.subscription }].slice(-maxSentRanges);
}

/** Whether the message was already sent on this connection before the catch-up began. */
function wasSent(connection: HubConnection, { sentRanges, language }: Client, message: AlarmMessage): boolean {
  return sentRanges.some(
    ({ from, to, subscription }) =>
      message.position > from &&
      message.position <= to &&
      deliveryFor(connection, { subscription, language }, message) !== undefined,
  );
}
