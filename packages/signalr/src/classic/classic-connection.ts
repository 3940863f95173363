// A classic ASP.NET SignalR 2 client of a hub: the connection outlives its transports, and the client resumes at a
// cursor.

import { ConditionVariable } from '../condition-variable.ts';
import { type CloseOptions, type Cursor, HubException } from '../hub.ts';
import type { LiveHub, Member, SharedCall } from '../live-hub.ts';
import type { Settings } from '../options.ts';
import { isExpired, type Principal } from '../principal.ts';
import { readCall, runCall } from './hub-calls.ts';
import type { HubPush, HubPushEncoding } from './messages.ts';
import { keepAliveEvery } from './negotiate.ts';
import { RecentPushes } from './recent-pushes.ts';
import type { ClassicTransport, TransportOwner } from './transport.ts';

/** With a backlog of this many messages, `untilSent` waits. */
const maxComfortableBacklog = 16;

type ConnectionOptions = {
  readonly id: string;
  readonly hub: LiveHub;
  readonly principal: Principal;
  /** Whether the client subscribed to the hub; a client that did not can only call methods. */
  readonly isListening: boolean;
  readonly encoding: HubPushEncoding;
  readonly settings: Settings;
  /** `onEnded` is called when the connection has ended, `onGone` when its last transport is gone as well. */
  readonly onEnded: () => void;
  readonly onGone: () => void;
};

export class ClassicConnection implements Member, TransportOwner {
  readonly id: string;
  readonly hub: LiveHub;
  principal: Principal;
  readonly #options: ConnectionOptions;
  readonly #settings: Settings;
  /** Undefined when the hub itself can resend the messages a client missed. */
  readonly #recent: RecentPushes | undefined;
  readonly #closed = new AbortController();
  readonly #condition = new ConditionVariable();
  #transport: ClassicTransport | undefined;
  /** The time at which the connection lost its transport; undefined while it has one. */
  #lostAt: number | undefined;
  #lastSentAt: number;
  /** The cursor of a client that has received everything sent so far. */
  #cursor: Cursor = '';
  /** The state stored in the client, or on its way there, after its version number. */
  #clientState = '';
  /** Counts how often the client resumed at a cursor: messages queued before a resumption must not be sent after it. */
  #resumeCount = 0;
  /** Resolves to whether the hub accepted the connection; undefined before the hub was asked. */
  #admitted: Promise<boolean> | undefined;

  constructor(options: ConnectionOptions) {
    this.id = options.id;
    this.hub = options.hub;
    this.principal = options.principal;
    this.#options = options;
    this.#settings = options.settings;
    this.#recent = options.hub.definition.recovery === undefined ? new RecentPushes() : undefined;
    this.#lostAt = this.#lastSentAt = options.settings.now();
  }

  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  get transport() {
    return this.#transport;
  }

  /** Replaces the transport before it. */
  attach(transport: ClassicTransport): void {
    const previous = this.#transport;
    this.#transport = transport;
    this.#lostAt = undefined;
    this.#lastSentAt = this.#settings.now();
    if (previous !== transport) previous?.destroy();
    this.onProgress();
  }

  /** Sends the init message, with the current cursor, to a client that has just connected over this transport. */
  async initialize(transport: ClassicTransport): Promise<void> {
    await this.#attempt(async () => {
      const cursor = this.#recent?.cursor ?? (await this.hub.definition.recovery?.currentCursor()) ?? '';
      if (transport !== this.#transport) return;
      this.#cursor = cursor;
      transport.sendInit(cursor);
    });
  }

  /** Adds the connection to the hub, once; resolves to false when the hub refused it. */
  start(): Promise<boolean> {
    const cursor = this.#recent === undefined ? this.#cursor : undefined;
    this.#admitted ??= this.#join(() => this.hub.definition.onConnected?.(this, cursor));
    return this.#admitted;
  }

  /**
   * Resumes after the cursor on a transport that was just attached; `received` is the state that the client sent back.
   */
  resume(cursor: Cursor | undefined, received = ''): void {
    const { recovery } = this.hub.definition;
    if (cursor === undefined || recovery === undefined) {
      void this.start();
      if (cursor !== undefined) this.#resendAfter(cursor);
      return;
    }
    this.#resumeCount += 1;
    this.#cursor = cursor;
    // The client received it before a restart of this server, or from another node meanwhile.
    if (versionOf(received) > versionOf(this.#clientState)) this.#clientState = received;
    this.refreshClientState(received);
    const resume = () => recovery.onResumed(this, cursor, textOf(this.#clientState));
    if (this.#admitted === undefined) this.#admitted = this.#join(resume);
    else if (this.#options.isListening) void this.#attempt(resume);
  }

  /** Sends the client its state again if the one it sent back is older. */
  refreshClientState(received = ''): void {
    if (versionOf(received) < versionOf(this.#clientState))
      this.#transport?.setClientState(this.#clientState, this.#cursor);
  }

  /** Resolves to the response to a message of the client; undefined when the message is no call. */
  async handleCall(text: string): Promise<string | undefined> {
    const call = readCall(text);
    if (call === undefined || !(await this.start())) return undefined;
    return runCall(call, this.hub, this, this.#settings.onError);
  }

  send(target: string, args: readonly unknown[], cursor?: Cursor): void {
    const push = this.#options.encoding.encodeCall(target, args);
    this.#post(() => this.#push(push, cursor));
  }

  advance(cursor: Cursor): void {
    this.#post(() => {
      if (this.#recent !== undefined || cursor === this.#cursor) return;
      this.#cursor = cursor;
      this.#transport?.advance(cursor);
    });
  }

  setClientState(text: string): void {
    if (text === textOf(this.#clientState)) return;
    this.#clientState = `${versionOf(this.#clientState) + 1}.${text}`;
    this.#post(() => this.#transport?.setClientState(this.#clientState, this.#cursor));
  }

  untilSent(): Promise<void> {
    return this.#condition.until(() => {
      const backlog = this.#transport?.backlog ?? Number.POSITIVE_INFINITY;
      return this.#closed.signal.aborted || backlog < maxComfortableBacklog;
    });
  }

  async invoke(): Promise<never> {
    throw new Error('Functions of classic SignalR clients return nothing');
  }

  close({ allowReconnect = false, error = 'The server has closed the connection.' }: CloseOptions = {}): void {
    this.hub.scheduler.post(() => {
      this.#transport?.end(this.#cursor, allowReconnect ? undefined : error);
      this.end();
      return true;
    });
  }

  joinGroup(name: string): void {
    this.hub.join(this, name);
  }

  leaveGroup(name: string): void {
    this.hub.leave(this, name);
  }

  deliver(call: SharedCall): void {
    this.#push(call.payloadFor(this.#options.encoding), call.cursor);
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
    this.hub.remove(this);
    this.onProgress();
    this.#options.onEnded();
    if (this.#transport === undefined) this.#options.onGone();
    void this.#callDisconnected();
  }

  destroy(): void {
    this.#transport?.destroy();
    this.end();
  }

  async #callDisconnected(): Promise<void> {
    if (this.#options.isListening && (await this.#admitted)) await this.hub.callDisconnected(this, undefined);
  }

  #join(begin: () => unknown): Promise<boolean> {
    // The client may have left before the init message was sent.
    if (this.#closed.signal.aborted) return Promise.resolve(false);
    if (!this.#options.isListening) return Promise.resolve(true);
    this.hub.add(this);
    return this.#attempt(begin);
  }

  /** Runs the work; if it throws, destroys the connection and resolves to false. */
  async #attempt(work: () => unknown): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof HubException)) this.#settings.onError(error);
      this.destroy();
      return false;
    }
  }

  /** Queues the work in the hub's scheduler, so that no message overtakes a broadcast. */
  #post(work: () => void): void {
    const resumeCount = this.#resumeCount;
    this.hub.scheduler.post(() => {
      if (resumeCount === this.#resumeCount && !this.#closed.signal.aborted) work();
      return true;
    });
  }

  #push(push: HubPush, given: Cursor | undefined): void {
    this.#cursor = this.#recent?.add(push) ?? given ?? this.#cursor;
    if (this.#transport === undefined) return;
    this.#lastSentAt = this.#settings.now();
    // The client reconnects and sends the cursor it got to.
    if (this.#transport.isFull) this.#transport.destroy();
    else this.#transport.push(push, this.#cursor);
  }

  #resendAfter(cursor: Cursor): void {
    const missed = this.#recent?.after(cursor) ?? [];
    this.#cursor = this.#recent?.cursor ?? '';
    if (missed.length > 0) this.#transport?.pushAll(missed, this.#cursor);
    else if (cursor !== this.#cursor) this.#transport?.advance(this.#cursor);
  }
}

/** Returns the version of a stored state: how often the state was set; 0 for none. */
function versionOf(clientState: string): number {
  return Number.parseInt(clientState, 10) || 0;
}

function textOf(clientState: string): string | undefined {
  return clientState === '' ? undefined : clientState.slice(clientState.indexOf('.') + 1);
}
