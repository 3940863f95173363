// The memory of messages that clients have not taken yet: shared by all connections, counted once, and bounded.

import type { Payload } from './payload.ts';

/** Memory of a message besides its bytes: the objects around them. */
const messageOverhead = 256;
/** Memory of one place in a queue. */
const placeBytes = 16;

/**
 * The messages that wait on all connections of a server. Queues refer to a message and do not copy it, so its bytes count
 * once however many clients wait for it. Beyond the limit, the connections with the least progress are given up.
 */
export class Backlog {
  readonly #maxBytes: number;
  readonly #now: () => number;
  /** The connections that something waits on. */
  readonly #shares = new Set<BacklogShare>();
  #bytes = 0;
  #isShrinking = false;

  constructor(maxBytes: number, now: () => number) {
    this.#maxBytes = maxBytes;
    this.#now = now;
  }

  /** The memory of everything that waits. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Opens the share of a connection; `giveUp` has to drop all that waits on it at once. */
  share(giveUp: () => void): BacklogShare {
    return new BacklogShare(this, giveUp);
  }

  add(share: BacklogShare, payload: Payload): void {
    if (share.messages === 1) {
      share.progressAt = this.#now();
      this.#shares.add(share);
    }
    if (payload.waitsFor++ === 0) this.#bytes += payload.bytes.length + messageOverhead;
    this.#bytes += placeBytes;
    if (this.#bytes > this.#maxBytes) this.#shrinkSoon();
  }

  remove(share: BacklogShare, payload: Payload): void {
    if (share.messages === 0) this.#shares.delete(share);
    if (--payload.waitsFor === 0) this.#bytes -= payload.bytes.length + messageOverhead;
    this.#bytes -= placeBytes;
  }

  /** Not at once: a broadcast may be under way, and the rest of it may be for the connections to be given up. */
  #shrinkSoon(): void {
    if (this.#isShrinking) return;
    this.#isShrinking = true;
    setImmediate(() => {
      this.#isShrinking = false;
      const leastProgressFirst = [...this.#shares].sort(
        (a, b) => a.progressAt - b.progressAt || b.bytes - a.bytes || b.messages - a.messages,
      );
      for (const share of leastProgressFirst) {
        if (this.#bytes <= this.#maxBytes) return;
        share.giveUp();
      }
    });
  }
}

/** The payloads of one connection that wait to be sent, as its part of the server's backlog. */
export class BacklogShare {
  readonly #backlog: Backlog;
  readonly giveUp: () => void;
  /** When the client last took something or, if it has not, when something began to wait. */
  progressAt = 0;
  #messages = 0;
  #bytes = 0;

  constructor(backlog: Backlog, giveUp: () => void) {
    this.#backlog = backlog;
    this.giveUp = giveUp;
  }

  get messages(): number {
    return this.#messages;
  }

  /** The bytes of all messages that wait, shared ones included. */
  get bytes(): number {
    return this.#bytes;
  }

  add(payload: Payload): void {
    this.#messages += 1;
    this.#bytes += payload.bytes.length;
    this.#backlog.add(this, payload);
  }

  remove(payload: Payload): void {
    this.#messages -= 1;
    this.#bytes -= payload.bytes.length;
    this.#backlog.remove(this, payload);
  }
}
