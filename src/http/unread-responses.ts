// Gives up responses that nobody reads: after a time without progress, or when too many bytes of them wait.

import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

export type UnreadLimits = {
  /** How long a client may read nothing of what waits for it. */
  readonly quietMs: number;
  /** The bytes that may wait for one client; more than any list has. */
  readonly perConnection: number;
  readonly inAll: number;
};

export const unreadLimits: UnreadLimits = { quietMs: 30_000, perConnection: 128 * 2 ** 20, inAll: 256 * 2 ** 20 };

/** The periods that are watched one by one within `quietMs`. */
const periods = 6;

/** The response to the newest request of a connection, if there was one. */
type Answering = { readonly response: ServerResponse | undefined; queuedBytes(): number };

/** Bytes that wait, those of them that the operating system has not taken, and since when both numbers are the same. */
type Waiting = { readonly bytes: number; readonly queued: number; readonly since: number };

export class UnreadResponses {
  readonly #limits: UnreadLimits;
  readonly #onGivenUp: () => void;
  #waiting: ReadonlyMap<Socket, Waiting> = new Map();
  /** The connections that were quiet at the end of their last period, and when that was. */
  readonly #quiet = new WeakMap<Socket, Waiting & { readonly at: number }>();

  constructor(limits: UnreadLimits, onGivenUp: () => void) {
    this.#limits = limits;
    this.#onGivenUp = onGivenUp;
  }

  /** The timeout of a server whose connections are watched. */
  get periodMs(): number {
    return this.#limits.quietMs / periods;
  }

  /**
   * Node reports a connection on which nothing was sent or received for a period; over TLS it does not see how much of one long
   * write the client has read, so that this is looked at below TLS. A response without bytes that wait, such as a long poll, goes on.
   */
  noteTimeout(socket: Socket, connection: Answering | undefined): void {
    const { periodMs } = this;
    const response = connection?.response;
    // A pipelined response waits for the response before it, so its queued bytes do not show that the client has stopped reading.
    if (socket.writableLength > 0) this.#noteQuiet(socket, connection?.queuedBytes() ?? 0, periodMs);
    // Node closes connections that were kept alive long enough only where nobody listens for this.
    else if (response?.writableFinished && socket.timeout !== periodMs) socket.destroy();
  }

  #noteQuiet(socket: Socket, queued: number, periodMs: number): void {
    const now = performance.now();
    const bytes = socket.writableLength;
    const before = this.#quiet.get(socket);
    // A period that took longer had progress in it.
    const isSame = before !== undefined && isAlike(before, { bytes, queued }) && now - before.at < 1.5 * periodMs;
    const since = isSame ? before.since : now - periodMs;
    if (now - since >= this.#limits.quietMs - periodMs / 2) {
      this.#giveUp(socket);
      return;
    }
    this.#quiet.set(socket, { bytes, queued, since, at: now });
    socket.setTimeout(periodMs);
  }

  /** Closes connections for which too much waits, those first whose clients have read nothing for the longest time. */
  limit(connections: Iterable<readonly [Socket, Answering]>, now: number): void {
    const waiting = new Map<Socket, Waiting>();
    let inAll = 0;
    for (const [socket, connection] of connections) {
      const bytes = waitingBytes(socket, connection.response);
      if (bytes === 0) continue;
      const before = this.#waiting.get(socket);
      const state = { bytes, queued: connection.queuedBytes() };
      waiting.set(socket, before !== undefined && isAlike(before, state) ? before : { ...state, since: now });
      inAll += bytes;
    }
    this.#waiting = waiting;
    for (const [socket, { bytes }] of [...waiting].sort(([, one], [, other]) => one.since - other.since)) {
      if (inAll <= this.#limits.inAll && bytes <= this.#limits.perConnection) continue;
      inAll -= bytes;
      this.#giveUp(socket);
    }
  }

  #giveUp(socket: Socket): void {
    this.#onGivenUp();
    // A reset also frees what the operating system keeps for a client that does not read.
    if (socket instanceof TLSSocket) socket.destroy();
    else socket.resetAndDestroy();
  }
}

function isAlike(one: Omit<Waiting, 'since'>, other: Omit<Waiting, 'since'>): boolean {
  return one.bytes === other.bytes && one.queued === other.queued;
}

function waitingBytes(socket: Socket, response: ServerResponse | undefined): number {
  // What a response holds until it is its turn on a connection is not in the socket yet.
  return socket.writableLength + (response === undefined || response.socket === socket ? 0 : response.writableLength);
}
