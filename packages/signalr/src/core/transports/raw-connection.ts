// An ASP.NET Core connection below hubs: bytes in and out over a transport, which it may lose and replace.

import type { IncomingMessage } from 'node:http';
import { ConditionVariable } from '../../condition-variable.ts';
import { type Guard, guardOf } from '../../guard.ts';
import { type OpeningRequest, StoredRequest, type TransportName } from '../../opening-request.ts';
import type { Principal } from '../../principal.ts';
import type { Backlog, BacklogShare } from '../../sending/backlog.ts';
import type { Payload } from '../../sending/payload.ts';
import { type Transport, type TransportOwner, transferFormats } from './transport.ts';

/** The hub session or raw-connections handler that uses the connection. */
export interface RawListener {
  /** The connection has its first transport. */
  onStarted?(): void;
  onData(bytes: Buffer): void;
  /** The client is back on a new transport; messages that were sent and not acknowledged may be lost. */
  onResumed?(): void;
  /** The client does not read what it is sent: the listener has to end the connection by `giveUp`. */
  onTooSlow(): void;
  /** The connection has ended; called once. */
  onClosed(): void;
  tick(now: number): void;
  /** Ends the connection gracefully; the client may reconnect. */
  close(): void;
}

type RawConnectionOptions = {
  readonly id: string;
  readonly principal: Principal;
  /** Whether stateful reconnect was negotiated. */
  readonly isStateful: boolean;
  /** Milliseconds that the connection waits for its first transport, or for a client that may resume. */
  readonly disconnectTimeout: number;
  /** The messages that wait on all connections. */
  readonly backlog: Backlog;
  /** Called when the connection has ended and its last transport has closed. */
  readonly onGone: () => void;
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
};

export class RawConnection implements TransportOwner {
  readonly id: string;
  readonly isStateful: boolean;
  readonly share: BacklogShare;
  readonly guard: Guard;
  principal: Principal;
  /** Whether the client may continue the connection on another WebSocket after it lost one. */
  canResume = false;
  readonly #options: RawConnectionOptions;
  readonly #condition = new ConditionVariable();
  #listener: RawListener | undefined;
  #transport: Transport | undefined;
  #request: OpeningRequest | undefined;
  /** The bytes that the client sent before it opened a transport; undefined once it has opened one. */
  #early: Buffer[] | undefined = [];
  /** The time since which the connection has no transport; undefined while it has one. */
  #lostAt: number | undefined;
  #isPaused = false;
  #isClosed = false;
  /** Created when the signal is first used. */
  #closed: AbortController | undefined;

  constructor(options: RawConnectionOptions) {
    this.#options = options;
    this.id = options.id;
    this.isStateful = options.isStateful;
    this.guard = guardOf(options.onError, () => this.destroy());
    this.share = options.backlog.share(() => this.guard(() => this.#tooSlow()));
    this.principal = options.principal;
    this.#lostAt = options.now();
  }

  /** The request that opened the current transport, or the last one. */
  get request(): OpeningRequest {
    if (this.#request === undefined) throw new Error('The connection has had no transport yet');
    return this.#request;
  }

  /** The name of the current transport, or of the last one. */
  get transportName(): TransportName | undefined {
    return this.#request?.transport;
  }

  /** Whether the client has opened a transport. Before that it may send, and the connection keeps what it sent. */
  get isStarted(): boolean {
    return this.#early === undefined;
  }

  /** The number of bytes received before the first transport. */
  get earlyBytes(): number {
    return this.#early?.reduce((sum, { length }) => sum + length, 0) ?? 0;
  }

  get transport(): Transport | undefined {
    return this.#transport;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Aborted when the connection has ended. */
  get closed(): AbortSignal {
    this.#closed ??= new AbortController();
    if (this.#isClosed) this.#closed.abort();
    return this.#closed.signal;
  }

  get canBeBinary(): boolean {
    return transferFormats[this.transportName ?? 'WebSockets'].includes('Binary');
  }

  /** Whether senders need not wait; false without a transport, which senders wait for. */
  get hasRoom(): boolean {
    return this.#transport?.hasRoom ?? false;
  }

  /** Whether the client is connected and does not read what it was sent. */
  get isBehind(): boolean {
    return this.#transport?.hasRoom === false;
  }

  /** Sets the first transport and the listener, which gets what the client sent before. */
  start(transport: Transport, request: IncomingMessage, listener: RawListener): void {
    const early = this.#early ?? [];
    this.#early = undefined;
    this.#listener = listener;
    this.#attach(transport, request);
    listener.onStarted?.();
    for (const bytes of early) this.onData(bytes);
  }

  /** Replaces the transport that was lost, or is about to be. */
  resume(transport: Transport, request: IncomingMessage): void {
    const previous = this.#transport;
    this.#attach(transport, request);
    previous?.destroy();
    if (this.#isPaused) transport.pause();
    this.#listener?.onResumed?.();
    this.onProgress();
  }

  /**
   * Sends, or drops the payload when there is no transport: sessions that can resume buffer it until it is
   * acknowledged.
   */
  send(payload: Payload): void {
    if (!this.#isClosed) this.#transport?.send(payload);
  }

  /** Ends after a final message, without what still waits: the client does not read it. */
  giveUp(finalMessage?: Payload): void {
    this.#transport?.discard();
    this.close(finalMessage);
  }

  /** Ends after everything sent so far and a final message. */
  close(finalMessage?: Payload): void {
    if (this.#isClosed) return;
    if (finalMessage !== undefined) this.#transport?.send(finalMessage);
    this.#markClosed();
    if (this.#transport === undefined) this.#options.onGone();
    else this.#transport.end();
  }

  /** Ends at once. */
  destroy(): void {
    this.#markClosed();
    if (this.#transport === undefined) this.#options.onGone();
    else this.#transport.destroy();
  }

  pause(): void {
    this.#isPaused = true;
    this.#transport?.pause();
  }

  unpause(): void {
    this.#isPaused = false;
    this.#transport?.resume();
    this.onProgress();
  }

  /** Resolves when the condition holds or the connection has ended. Checked at every change. */
  until(isSo: () => boolean): Promise<void> {
    return this.#condition.until(() => this.#isClosed || isSo());
  }

  onData(bytes: Buffer): void {
    if (this.#isClosed) return;
    if (this.#early === undefined) this.#listener?.onData(bytes);
    else this.#early.push(bytes);
  }

  onProgress(): void {
    this.#condition.notifyAll();
  }

  onStalled(transport: Transport): void {
    // A client that may resume gets everything again, on its next transport.
    if (this.canResume) transport.destroy();
    else this.#tooSlow();
  }

  onGone(transport: Transport, wasLost: boolean): void {
    if (transport !== this.#transport) return;
    this.#transport = undefined;
    if (wasLost && this.canResume && !this.#isClosed) {
      this.#lostAt = this.#options.now();
      return;
    }
    this.#markClosed();
    this.#options.onGone();
  }

  tick(now: number): void {
    this.#transport?.tick(now);
    const isLate = this.#lostAt !== undefined && now - this.#lostAt > this.#options.disconnectTimeout;
    if (isLate) this.destroy();
    else if (!this.#isClosed) this.#listener?.tick(now);
  }

  /** Drops everything that waits. */
  #tooSlow(): void {
    if (this.#isClosed || this.#listener === undefined) this.destroy();
    else this.#listener.onTooSlow();
  }

  #attach(transport: Transport, request: IncomingMessage): void {
    this.#transport = transport;
    this.#request = new StoredRequest(request, transport.name);
    this.#lostAt = undefined;
  }

  #markClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#listener?.onClosed();
    this.#closed?.abort();
    this.onProgress();
  }
}
