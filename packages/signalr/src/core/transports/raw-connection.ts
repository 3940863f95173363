// A connection below hubs: bytes in and out over whatever transport it has, which it may lose and get back.

import type { TransportName } from '../../options.ts';
import type { Payload } from '../../payload.ts';
import type { Principal } from '../../principal.ts';
import { Progress } from '../../wait-until.ts';
import { type Transport, type TransportOwner, transferFormats } from './transport.ts';

/** From this backlog on, who can wait does. */
const comfortableBacklog = 16;

/** Whoever speaks over the connection. */
export interface RawListener {
  /** It has its first transport. */
  onStarted?(): void;
  onData(bytes: Buffer): void;
  /** The client is back on a new transport; what was sent and not acknowledged may be lost. */
  onResumed?(): void;
  /** More waits to be sent than is bearable. */
  onOverflow(): void;
  /** Nothing more will come; called once. */
  onClosed(): void;
  tick(now: number): void;
  /** Is to end the connection in good order; the client may come back. */
  close(): void;
}

type RawConnectionOptions = {
  readonly id: string;
  readonly principal: Principal;
  /** Whether stateful reconnect was negotiated. */
  readonly isStateful: boolean;
  /** How long it waits for a client that may resume. */
  readonly disconnectTimeout: number;
  /** Called when the last transport has gone too, so that nothing is left. */
  readonly onGone: () => void;
  readonly now: () => number;
};

export class RawConnection implements TransportOwner {
  readonly id: string;
  readonly isStateful: boolean;
  principal: Principal;
  /** Whether the client may come back with another WebSocket after it lost one. */
  canResume = false;
  readonly #options: RawConnectionOptions;
  readonly #progress = new Progress();
  #listener: RawListener | undefined;
  #transport: Transport | undefined;
  #transportName: TransportName | undefined;
  #lostAt: number | undefined;
  #isPaused = false;
  #isClosed = false;
  /** Only when somebody asks for its signal. */
  #closed: AbortController | undefined;

  constructor(options: RawConnectionOptions) {
    this.#options = options;
    this.id = options.id;
    this.isStateful = options.isStateful;
    this.principal = options.principal;
  }

  /** The kind of transport it has, or had last. */
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

  /** Aborted when it has ended. */
  get closed(): AbortSignal {
    this.#closed ??= new AbortController();
    if (this.#isClosed) this.#closed.abort();
    return this.#closed.signal;
  }

  get canBeBinary(): boolean {
    return transferFormats[this.#transportName ?? 'WebSockets'].includes('Binary');
  }

  /** Whether so little waits to be sent that more may come; without a transport nobody can say how much will. */
  get hasRoom(): boolean {
    return this.#transport !== undefined && this.#transport.backlog < comfortableBacklog;
  }

  /** Gives it its first transport and the one who speaks over it. */
  start(transport: Transport, listener: RawListener): void {
    this.#listener = listener;
    this.#transport = transport;
    this.#transportName = transport.name;
    listener.onStarted?.();
  }

  /** Gives it another transport in place of the one it lost, or is about to lose. */
  resume(transport: Transport): void {
    const previous = this.#transport;
    this.#transport = transport;
    this.#lostAt = undefined;
    previous?.destroy();
    if (this.#isPaused) transport.pause();
    this.#listener?.onResumed?.();
    this.onProgress();
  }

  /** Sends, or forgets when there is no transport: whoever can resume keeps what it sends until it is acknowledged. */
  send(payload: Payload): void {
    if (this.#isClosed || this.#transport === undefined) return;
    if (this.#transport.isFull) this.#listener?.onOverflow();
    else this.#transport.send(payload);
  }

  /** Ends after what was sent, with a last word that is sent however much waits. */
  close(lastWord?: Payload): void {
    if (this.#isClosed) return;
    if (lastWord !== undefined) this.#transport?.send(lastWord);
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

  /** Resolves when it is so, or the connection has ended. Looked at whenever something has changed. */
  until(isSo: () => boolean): Promise<void> {
    return this.#progress.until(() => this.#isClosed || isSo());
  }

  onData(bytes: Buffer): void {
    if (!this.#isClosed) this.#listener?.onData(bytes);
  }

  onProgress(): void {
    this.#progress.made();
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
