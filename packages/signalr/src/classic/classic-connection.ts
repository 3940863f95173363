// A classic ASP.NET SignalR 2 client: the connection outlives its transports, and the client resumes at a cursor.

import type { IncomingMessage } from 'node:http';
import { ConditionVariable } from '../condition-variable.ts';
import { type Guard, guardOf } from '../guard.ts';
import { type CloseOptions, type Cursor, HubException } from '../hub.ts';
import type { Endpoint } from '../live/endpoint.ts';
import { type OpeningRequest, StoredRequest } from '../opening-request.ts';
import type { Settings } from '../options.ts';
import { isExpired, type Principal } from '../principal.ts';
import type { BacklogShare } from '../sending/backlog.ts';
import { type Carrier, type Channel, joinParts, type Service, splitParts, versionOf } from './channel.ts';
import type { HubPush } from './messages.ts';
import { keepAliveEvery } from './negotiate.ts';
import type { ClassicTransport, TransportOwner } from './transports/transport.ts';

type ConnectionOptions = {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly principal: Principal;
  /** Makes the service of the client: its hubs, or its persistent connection. */
  readonly serve: (carrier: Carrier) => Service;
  readonly settings: Settings;
  /** `onEnded` is called when the connection has ended, `onGone` when its last transport is gone as well. */
  readonly onEnded: () => void;
  readonly onGone: () => void;
};

export class ClassicConnection implements Carrier, TransportOwner {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly share: BacklogShare;
  readonly guard: Guard;
  principal: Principal;
  readonly #options: ConnectionOptions;
  readonly #settings: Settings;
  readonly #service: Service;
  readonly #closed = new AbortController();
  readonly #condition = new ConditionVariable();
  #transport: ClassicTransport | undefined;
  #request: OpeningRequest | undefined;
  /** The time at which the connection lost its transport; undefined while it has one. */
  #lostAt: number | undefined;
  #lastSentAt: number;

  constructor(options: ConnectionOptions) {
    this.id = options.id;
    this.endpoint = options.endpoint;
    this.principal = options.principal;
    this.#options = options;
    this.#settings = options.settings;
    this.guard = guardOf(options.settings.onError, () => this.destroy());
    this.share = options.settings.backlog.share(() => this.guard(() => this.#transport?.giveUp()));
    this.#lostAt = this.#lastSentAt = options.settings.now();
    this.#service = options.serve(this);
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  get transport() {
    return this.#transport;
  }

  get request(): OpeningRequest {
    if (this.#request === undefined) throw new Error('The connection has had no transport yet');
    return this.#request;
  }

  /** Replaces the transport before it. */
  attach(transport: ClassicTransport, request: IncomingMessage): void {
    const previous = this.#transport;
    this.#transport = transport;
    this.#request = new StoredRequest(request, transport.name);
    this.#lostAt = undefined;
    this.#lastSentAt = this.#settings.now();
    if (previous !== transport) previous?.destroy();
    this.onProgress();
  }

  /** Sends the init message, with the current cursor, to a client that has just connected over this transport. */
  async initialize(transport: ClassicTransport): Promise<void> {
    await this.attempt(async () => {
      const cursors = await Promise.all(this.#channels.map((channel) => channel.currentCursor()));
      if (transport !== this.#transport) return;
      for (const [index, channel] of this.#channels.entries()) channel.beginAt(cursors[index] ?? '');
      transport.sendInit(this.#cursor);
    });
  }

  async start(): Promise<boolean> {
    if (this.#closed.signal.aborted) return false;
    const accepted = await Promise.all(this.#channels.map((channel) => channel.start()));
    return accepted.every((isAccepted) => isAccepted);
  }

  /**
   * Resumes after the cursor on a transport that was just attached; `received` is the state that the client sent back.
   */
  resume(cursor: Cursor | undefined, received = ''): void {
    const cursors = cursor === undefined ? undefined : splitParts(cursor, this.#channels.length);
    if (cursors === undefined) {
      void this.start();
      return;
    }
    const states = this.#statesIn(received);
    // All channels are rewound before any of them sends, because each message carries the cursors of all.
    for (const [index, channel] of this.#channels.entries()) channel.rewind(cursors[index] ?? '', states[index] ?? '');
    this.refreshClientState(received);
    for (const channel of this.#channels) channel.resume();
  }

  /** Sends the client its state again if the one it sent back is older. */
  refreshClientState(received = ''): void {
    const states = this.#statesIn(received);
    const isOlder = (channel: Channel, index: number) =>
      versionOf(states[index] ?? '') < versionOf(channel.clientState);
    if (this.#channels.some(isOlder)) this.sendClientState();
  }

  /** Resolves to the response to a message of the client, if there is one. */
  handle(text: string): Promise<string | undefined> {
    return this.#service.handle(text);
  }

  push(push: HubPush): void {
    if (this.#transport === undefined) return;
    this.#lastSentAt = this.#settings.now();
    this.#transport.push(push, this.#cursor);
  }

  pushAll(pushes: readonly HubPush[]): void {
    this.#transport?.pushAll(pushes, this.#cursor);
  }

  sendCursor(): void {
    this.#transport?.advance(this.#cursor);
  }

  sendClientState(): void {
    const states = this.#channels.map(({ clientState }) => clientState);
    this.#transport?.setClientState(joinParts(states), this.#cursor);
  }

  untilSent(): Promise<void> {
    return this.#condition.until(() => this.#closed.signal.aborted || this.#transport?.hasRoom === true);
  }

  close({ allowReconnect = false, error = 'The server has closed the connection.' }: CloseOptions = {}): void {
    this.endpoint.scheduler.post(() => {
      this.#transport?.end(this.#cursor, allowReconnect ? undefined : error);
      this.end();
      return true;
    });
  }

  async attempt(work: () => unknown): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof HubException)) this.#settings.onError(error);
      this.destroy();
      return false;
    }
  }

  onProgress(): void {
    this.#condition.notifyAll();
  }

  onGone(transport: ClassicTransport): void {
    if (transport !== this.#transport) return;
    this.#transport = undefined;
    this.#lostAt = this.#settings.now();
    if (this.#closed.signal.aborted) this.#options.onGone();
  }

  tick(now: number): void {
    const { intervals } = this.#settings;
    const isLost = this.#lostAt !== undefined && now - this.#lostAt > intervals.disconnect;
    this.#transport?.tick(now);
    if (this.#closed.signal.aborted) return;
    if (isLost || this.#transport?.isAbandoned(now)) this.destroy();
    else if (isExpired(this.principal, this.#settings.wallClock())) this.close({ allowReconnect: true });
    else if (now - this.#lastSentAt >= keepAliveEvery(intervals)) {
      this.#lastSentAt = now;
      this.#transport?.keepAlive();
    }
  }

  /** Ends the connection; its transport may still be sending the last message. */
  end(): void {
    if (this.#closed.signal.aborted) return;
    this.#closed.abort();
    for (const channel of this.#channels) channel.end();
    this.onProgress();
    this.#options.onEnded();
    if (this.#transport === undefined) this.#options.onGone();
  }

  destroy(): void {
    this.#transport?.destroy();
    this.end();
  }

  get #channels(): readonly Channel[] {
    return this.#service.channels;
  }

  /** The cursor of a client that has received everything sent so far. */
  get #cursor(): Cursor {
    // Makes no list in the usual case, because it runs for each connection of each broadcast.
    if (this.#channels.length === 1) return this.#channels[0]?.cursor ?? '';
    return joinParts(this.#channels.map(({ cursor }) => cursor));
  }

  #statesIn(received: string): readonly string[] {
    return splitParts(received, this.#channels.length) ?? [];
  }
}
