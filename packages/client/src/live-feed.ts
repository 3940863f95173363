// Follows the hub of Tocsin: reconnects by itself, and continues at the position where it was cut, so that no event is
// missed and none comes twice.

import {
  type HubConnection,
  HubConnectionBuilder,
  type IHubProtocol,
  JsonHubProtocol,
  LogLevel,
} from '@microsoft/signalr';
import type { Alarm, OpenCall } from './api.ts';
import { type Moment, momentNow, passedSince } from './moment.ts';

export type SoundEvent = { readonly alarmId: number; readonly media: string; readonly list: 'alarm' | 'reset' | 'ack' };
export type PhoneEvent = {
  readonly userId: number;
  readonly event: 'ringing' | 'text' | 'answered' | 'said' | 'ended';
  readonly callId: number;
  readonly text: string;
  readonly address: string;
  readonly time: string;
};

/** The message `onHealth`: whether the node takes alarms, reads them and can call. */
export type ServerHealth = {
  /** Whether it stores alarms that are sent to it. */
  readonly takesAlarms: boolean;
  /** Whether it can say which alarms there are. */
  readonly readsAlarms: boolean;
  /** Codes of what keeps people from being called, as in `GET /health/calling`; empty: they can be called. */
  readonly calling: readonly string[];
  /** Since when something of it has been so. */
  readonly since: string;
  /** Likewise each of the three; absent from a server of the version before. */
  readonly takesSince?: string;
  readonly readsSince?: string;
  readonly callingSince?: string;
};

/** The filter of `subscribe`; an absent list means all. */
export type FeedFilter = {
  readonly stations?: readonly number[];
  readonly tagGroups?: readonly number[];
  readonly priorities?: readonly number[];
  readonly changes?: boolean;
  readonly sounds?: boolean;
  readonly phones?: boolean;
  readonly calls?: boolean;
  readonly health?: boolean;
};

export type FeedState =
  | { readonly kind: 'connecting' }
  | { readonly kind: 'live' }
  /** Not connected; `attempt` counts from 1, the next one is made at `retryAt` (milliseconds since 1970). */
  | { readonly kind: 'lost'; readonly attempt: number; readonly retryAt: number; readonly error: unknown }
  | { readonly kind: 'stopped' };

export type FeedListener = {
  readonly onAlarm?: (alarm: Alarm) => void;
  readonly onAlarmChanged?: (alarm: Alarm) => void;
  readonly onAlarmRemoved?: (id: number) => void;
  readonly onSound?: (sound: SoundEvent) => void;
  readonly onPhone?: (event: PhoneEvent) => void;
  readonly onCall?: (call: OpenCall) => void;
  readonly onHealth?: (health: ServerHealth) => void;
  /**
   * Events were or may have been missed, also on the first connection: the owner reads everything anew. The feed is live
   * once this is done; if it fails, it is called again with the next connection.
   */
  readonly onRestart?: () => unknown;
  /**
   * Each subscription has begun, also one that continues at the position of the last: calls, phone events and sounds that were
   * missed are not sent, so the owner reads the calls.
   */
  readonly onSubscribed?: () => void;
  readonly onState?: (state: FeedState) => void;
};

export type FeedOptions = {
  /** The address of the hub, such as `http://localhost:8080/alarmHub`. */
  readonly url: string;
  readonly token: () => string;
  /** `en`, `fr` or `de`: the language of names and of system alarms, from the next connection on; absent: that of the server. */
  readonly language?: () => string;
  readonly filter?: FeedFilter;
  readonly listener: FeedListener;
  /** The pauses before each further attempt to connect; the last one repeats. */
  readonly pausesMs?: readonly number[];
};

type Subscribed = { readonly position: string; readonly recovered: boolean };

const defaultPausesMs = [0, 1_000, 2_000, 5_000, 10_000];
/** A hub that has not answered by then is left: a network that swallowed the request would hold the feed for ever. */
const answerMs = 20_000;
/** A hub of which nothing has come for so long is asked whether it is there. */
const askAfterMs = 3_000;
const askEveryMs = 1_000;

export class LiveFeed {
  readonly #options: FeedOptions;
  #connection: HubConnection | undefined;
  /** The position of the last event that was handed out; undefined before the first subscription. */
  #position: string | undefined;
  /** Events were or may have been missed, and `onRestart` has not succeeded since. */
  #mustRestart = true;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: FeedState = { kind: 'stopped' };
  #lastNews: Moment | undefined;
  #begun = momentNow();
  /** Since when the hub has been asked whether it is there, and nothing has come. */
  #askedSince: Moment | undefined;
  #asking: ReturnType<typeof setInterval> | undefined;
  /** The connection whose subscription the hub has answered. */
  #subscribed: HubConnection | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  get state(): FeedState {
    return this.#state;
  }

  /**
   * When anything came from the hub, keep-alives of a subscription included; milliseconds since 1970, 0 before the first. A hub
   * that is there and answers no subscription tells nothing.
   */
  get lastNews(): number {
    return this.#lastNews?.wall ?? 0;
  }

  /** For how many milliseconds nothing has come; undefined before the first news. */
  get quietMs(): number | undefined {
    return this.#lastNews === undefined ? undefined : passedSince(this.#lastNews, momentNow());
  }

  /** For how many milliseconds nothing has come, since the start if nothing ever came. */
  get silentMs(): number {
    return passedSince(this.#lastNews ?? this.#begun, momentNow());
  }

  /**
   * For how many milliseconds the hub has not answered whether it is there; 0 if it has. Tells a network that swallows everything
   * sooner than the keep-alives do that stay away.
   */
  get unansweredMs(): number {
    return this.#askedSince === undefined ? 0 : passedSince(this.#askedSince, momentNow());
  }

  start(): void {
    if (this.#state.kind !== 'stopped') return;
    this.#begun = momentNow();
    void this.#connect();
  }

  /** Connects at once in place of waiting for the next attempt. */
  retryNow(): void {
    if (this.#state.kind === 'lost') void this.#connect();
  }

  async stop(): Promise<void> {
    this.#become({ kind: 'stopped' });
    clearTimeout(this.#timer);
    this.#stopAsking();
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.stop();
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#timer);
    this.#become({ kind: 'connecting' });
    const connection = this.#newConnection();
    this.#connection = connection;
    try {
      await within(answerMs, connection.start());
      await this.#subscribe(connection);
    } catch (error) {
      if (this.#connection !== connection) return;
      this.#connection = undefined;
      void connection.stop();
      this.#retryLater(error);
    }
  }

  #newConnection(): HubConnection {
    const { url, token, language, listener } = this.#options;
    const connection = new HubConnectionBuilder()
      .withUrl(quiet(url, language?.()), { accessTokenFactory: token })
      .withHubProtocol(
        observed(new JsonHubProtocol(), () => {
          if (this.#subscribed === connection) this.#noteNews();
        }),
      )
      .configureLogging(LogLevel.None)
      .build();
    connection.on('onAlarm', (alarm: Alarm) => listener.onAlarm?.(alarm));
    connection.on('onAlarmChanged', (alarm: Alarm) => listener.onAlarmChanged?.(alarm));
    connection.on('onAlarmRemoved', (id: number) => listener.onAlarmRemoved?.(id));
    connection.on('onSound', (sound: SoundEvent) => listener.onSound?.(sound));
    connection.on('onPhone', (event: PhoneEvent) => listener.onPhone?.(event));
    connection.on('onCall', (call: OpenCall) => listener.onCall?.(call));
    connection.on('onHealth', (health: ServerHealth) => listener.onHealth?.(health));
    // The hub sends an event and its position in one message, so that a cut comes before or after both.
    connection.on('onPosition', (position: string) => {
      this.#position = position;
      this.#noteNews();
    });
    connection.onclose((error) => {
      if (this.#connection !== connection) return;
      this.#connection = undefined;
      this.#retryLater(error);
    });
    return connection;
  }

  async #subscribe(connection: HubConnection): Promise<void> {
    const { filter, listener } = this.#options;
    const since = this.#mustRestart ? undefined : this.#position;
    const asked = { ...filter, ...(since === undefined ? {} : { since }) };
    const { position, recovered } = await within(answerMs, askFor(connection, asked));
    if (this.#connection !== connection) return;
    this.#subscribed = connection;
    this.#noteNews();
    if (since === undefined || !recovered) {
      this.#position = position;
      this.#mustRestart = true;
      await listener.onRestart?.();
      if (this.#connection !== connection) return;
      this.#mustRestart = false;
    }
    this.#attempt = 0;
    listener.onSubscribed?.();
    this.#become({ kind: 'live' });
    this.#asking ??= setInterval(() => this.#ask(), askEveryMs);
  }

  /** Whatever comes is an answer, also the refusal of a hub that is older than this client. */
  #ask(): void {
    const isQuiet = this.#askedSince === undefined && (this.quietMs ?? 0) >= askAfterMs;
    if (!isQuiet || this.#connection === undefined) return;
    this.#askedSince = momentNow();
    this.#connection.invoke('ping').catch(() => undefined);
  }

  #stopAsking(): void {
    clearInterval(this.#asking);
    this.#asking = undefined;
    this.#askedSince = undefined;
  }

  #retryLater(error: unknown): void {
    if (this.#state.kind === 'stopped') return;
    this.#stopAsking();
    const pauses = this.#options.pausesMs ?? defaultPausesMs;
    const pauseMs = pauses[Math.min(this.#attempt, pauses.length - 1)] ?? 0;
    this.#attempt++;
    this.#become({ kind: 'lost', attempt: this.#attempt, retryAt: Date.now() + pauseMs, error });
    this.#timer = setTimeout(() => void this.#connect(), pauseMs);
  }

  #become(state: FeedState): void {
    this.#state = state;
    this.#options.listener.onState?.(state);
  }

  #noteNews(): void {
    this.#lastNews = momentNow();
    this.#askedSince = undefined;
  }
}

async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('The hub does not answer.')), ms);
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A hub that is older than this client refuses a subscription with `health`: it is asked for all the rest. */
async function askFor(connection: HubConnection, asked: FeedFilter & { readonly since?: string }): Promise<Subscribed> {
  try {
    return await connection.invoke<Subscribed>('subscribe', asked);
  } catch (error) {
    if (asked.health === undefined || !String(error).includes('has no field health')) throw error;
    const { health: _, ...known } = asked;
    return connection.invoke<Subscribed>('subscribe', known);
  }
}

/** Asks for no event before `subscribe`: those would come without a position, and again after a cut. */
function quiet(url: string, language: string | undefined): string {
  const asked = language === undefined ? '' : `&language=${encodeURIComponent(language)}`;
  return `${url}${url.includes('?') ? '&' : '?'}quiet=true${asked}`;
}

/** Wraps a protocol, because the SignalR client tells nobody of keep-alives. */
function observed(protocol: IHubProtocol, onMessage: () => void): IHubProtocol {
  return {
    name: protocol.name,
    version: protocol.version,
    transferFormat: protocol.transferFormat,
    writeMessage: (message) => protocol.writeMessage(message),
    parseMessages: (input, logger) => {
      onMessage();
      return protocol.parseMessages(input, logger);
    },
  };
}
