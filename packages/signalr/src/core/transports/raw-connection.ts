// An ASP.NET Core connection below hubs: bytes in and out over a transport, which it may lose and replace.

import { ConditionVariable } from '../../condition-variable.ts';
import type { TransportName } from '../../options.ts';
import type { Payload } from '../../payload.ts';
import type { Principal } from '../../principal.ts';
import { type Transport, type TransportOwner, transferFormats } from './transport.ts';

/** With a backlog of this many messages, senders wait. */
const maxComfortableBacklog = 16;

/** The hub session or raw-connections handler that uses the connection. */
export interface RawListener {
  /** The connection has its first transport. */
  onStarted?(): void;
  onData(bytes: Buffer): void;
  /** The client is back on a new transport; messages that were sent and not acknowledged may be lost. */
  onResumed?(): void;
  /** The send queue is full. */
  onOverflow(): void;
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
  /** Milliseconds that the connection waits for a client that may resume. */
  readonly disconnectTimeout: number;
  /** Called when the connection has ended and its last transport has closed. */
  readonly onGone: () => void;
  readonly now: () => number;
};

export class RawConnection implements TransportOwner {
  readonly id: string;
  readonly isStateful: boolean;
  principal: Principal;
  /** Whether the client may continue the connection on another WebSocket after it lost one. */
  canResume = false;
  readonly #options: RawConnectionOptions;
  readonly #condition = new ConditionVariable();
  #listener: RawListener | undefined;
  #transport: Transport | undefined;
  #transportName: TransportName | undefined;
  #lostAt: number | undefined;
  #isPaused = false;
  #isClosed = false;
  /** Created when the signal is first used. */
  #closed: AbortController | undefined;

  constructor(options: RawConnectionOptions) {
    this.#options = options;
    this.id = options.id;
    this.isStateful = options.isStateful;
    this.principal = options.principal;
  }

  /** The name of the current transport, or of the last one. */
  get transportName(): TransportName | undefined {
    return this.#transportName;
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
    return transferFormats[this.#transportName ?? 'WebSockets'].includes('Binary');
  }

  /** Whether the send queue is short; false without a transport, whose backlog is unknown. */
  get hasRoom(): boolean {
    return this.#transport !== undefined && this.#transport.backlog < maxComfortableBacklog;
  }

  /** Sets the first transport and the listener. */
  start(transport: Transport, listener: RawListener): void {
    this.#listener = listener;
    this.#transport = transport;
    this.#transportName = transport.name;
    listener.onStarted?.();
  }

  /** Replaces the transport that was lost, or is about to be. */
  resume(transport: Transport): void {
    const previous = this.#transport;
    this.#transport = transport;
    this.#lostAt = undefined;
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
    if (this.#isClosed || this.#transport === undefined) return;
    if (this.#transport.isFull) this.#listener?.onOverflow();
    else this.#transport.send(payload);
  }

  /** Ends after everything sent so far and a final message, which is sent even when the queue is full. */
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
    if (!this.#isClosed) this.#listener?.onData(bytes);
  }

  onProgress(): void {
    this.#condition.notifyAll();
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

  #markClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#listener?.onClosed();
    this.#closed?.abort();
    this.onProgress();
  }
}
