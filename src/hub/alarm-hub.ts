// The hub `alarmHub`: tells clients of new alarms after their commit, each once, and of what they missed since a position.

import { seesStation } from '../domain/access.ts';
import type { AlarmView } from '../domain/alarm-view.ts';
import { defineHub, type HubConnection, type HubDefinition } from '../signalr/hub.ts';
import type { LiveHub } from '../signalr/live-hub.ts';
import type { Principal } from '../signalr/principal.ts';
import type { EventFeed } from '../store/event-feed.ts';
import { readEvents, readLogStart, type StoredEvent } from '../store/events.ts';
import type { Store } from '../store/store.ts';
import { printAlarm } from '../wire/alarm.ts';
import { printPosition, readPosition } from './position.ts';
import { everything, type Heard, hears, readSubscription, type Subscription } from './subscription.ts';

/** Who is connected: a principal of the server, with what is theirs to see. */
export type HubCaller = Principal & { readonly stationIds: readonly number[] };

export type AlarmHubParts = {
  readonly store: Store;
  readonly feed: EventFeed;
  readonly timeZone: string;
  /** Signs positions; the same on every node. */
  readonly key: string;
  readonly onTrouble: (error: unknown) => void;
};

/** A client, and up to which position it has been told. Infinity while it catches up: then only that tells it. */
type Client = { subscription: Subscription; toldTo: number };

/** What an event says to clients. */
type News = Heard & {
  readonly position: number;
  readonly target: 'onAlarm' | 'onAlarmChanged';
  readonly args: readonly [unknown];
};

type Subscribed = { readonly position: string; readonly recovered: boolean };

const eventsAPage = 500;

export class AlarmHub {
  readonly definition: HubDefinition;
  readonly #parts: AlarmHubParts;
  readonly #clients = new Map<HubConnection, Client>();
  #live: LiveHub | undefined;
  #epoch = '';
  #stopListening: (() => void) | undefined;
  #isPositionDue = false;

  constructor(parts: AlarmHubParts) {
    this.#parts = parts;
    this.definition = defineHub({
      name: 'alarmHub',
      methods: { subscribe: ({ connection }, filter) => this.#subscribe(connection, readSubscription(filter)) },
      onConnected: (connection) => this.#welcome(connection),
      onDisconnected: (connection) => this.#forget(connection),
    });
  }

  /** The running hub that clients are told through. */
  attach(live: LiveHub): void {
    this.#live = live;
  }

  /** Connecting is subscribing: to every new alarm from now on that the caller may see. */
  async #welcome(connection: HubConnection): Promise<void> {
    const client: Client = { subscription: everything, toldTo: Number.POSITIVE_INFINITY };
    this.#clients.set(connection, client);
    this.#stopListening ??= this.#parts.feed.subscribe((event) => this.#tell(event));
    const { position } = await this.#logStart();
    await this.#catchUp(connection, client, position);
  }

  #forget(connection: HubConnection): void {
    this.#clients.delete(connection);
    if (this.#clients.size > 0) return;
    // Nobody listens, so alarms need not be read.
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  async #subscribe(connection: HubConnection, subscription: Subscription): Promise<Subscribed> {
    const client = this.#clients.get(connection);
    if (client === undefined) throw new Error('A client subscribes that is not connected');
    const start = await this.#logStart();
    const since = subscription.since === undefined ? undefined : readPosition(subscription.since, this.#parts.key);
    // Where the log was cut before that position, or begun anew, some may be missing.
    const recovered = since !== undefined && since.epoch === start.epoch && since.position >= start.oldest - 1;
    client.subscription = subscription;
    if (recovered) {
      client.toldTo = Number.POSITIVE_INFINITY;
      await this.#catchUp(connection, client, Math.min(since.position, start.position));
    }
    return { position: this.#printPosition(recovered ? client.toldTo : start.position), recovered };
  }

  async #logStart() {
    const start = await this.#parts.store.read(readLogStart, {});
    this.#epoch = start.epoch;
    return start;
  }

  /** Tells what came after `from`, straight from the log, until the feed is level with it and goes on from there. */
  async #catchUp(connection: HubConnection, client: Client, from: number): Promise<void> {
    let position = from;
    for (;;) {
      const events = await this.#parts.store.read(readEvents, { after: position, limit: eventsAPage });
      for (const event of events) {
        position = event.position;
        const news = this.#newsOf(event);
        if (news !== undefined && isFor(connection, client, news)) connection.send(news.target, news.args);
      }
      if (connection.closed.aborted) return;
      if (events.length < eventsAPage && position >= this.#parts.feed.position) break;
    }
    client.toldTo = position;
  }

  #tell(event: StoredEvent): void {
    const news = this.#newsOf(event);
    if (news === undefined || this.#live === undefined) return;
    const filter = (connection: HubConnection): boolean => {
      const client = this.#clients.get(connection);
      return client !== undefined && news.position > client.toldTo && isFor(connection, client, news);
    };
    this.#live.broadcast(news.target, news.args, filter).catch(this.#parts.onTrouble);
    this.#tellPositionSoon();
  }

  /** Once for all that one turn brought: to those who asked, so that they can say where to go on. */
  #tellPositionSoon(): void {
    if (this.#isPositionDue) return;
    this.#isPositionDue = true;
    setImmediate(() => {
      this.#isPositionDue = false;
      const { position } = this.#parts.feed;
      const wants = (connection: HubConnection): boolean => {
        const client = this.#clients.get(connection);
        return client?.subscription.positions === true && client.toldTo < position;
      };
      this.#live?.broadcast('onPosition', [this.#printPosition(position)], wants).catch(this.#parts.onTrouble);
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
      args: [printAlarm(alarm, { timeZone: this.#parts.timeZone })],
    };
  }

  #printPosition(position: number): string {
    return printPosition({ epoch: this.#epoch, position }, this.#parts.key);
  }
}

function isFor(connection: HubConnection, { subscription }: Client, news: News): boolean {
  if (news.target === 'onAlarmChanged' && !subscription.changes) return false;
  return seesStation(connection.principal as HubCaller, news.stationId) && hears(subscription, news);
}
