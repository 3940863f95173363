// The messages that wait for a client's next poll, and the poll that it has open.

import type { ServerResponse } from 'node:http';
import type { Guard } from '../guard.ts';
import type { BacklogShare } from './backlog.ts';
import { Fifo } from './fifo.ts';
import type { Payload } from './payload.ts';

/** Bytes of one response, if a single message is not larger: a client that reads a larger one slowly would not poll. */
const responseBytes = 64 * 1024;

type Entry<P> = { readonly payloads: readonly P[]; readonly cursor: string };

/** Queues messages until polls take them. */
export class PollQueue<P extends Payload = Payload> {
  readonly #share: BacklogShare;
  readonly #entries = new Fifo<Entry<P>>();

  constructor(share: BacklogShare) {
    this.#share = share;
  }

  get length(): number {
    return this.#entries.length;
  }

  /** Whether one response has room for everything. */
  get hasRoom(): boolean {
    return this.#share.bytes < responseBytes;
  }

  /** Adds messages that one response has to carry together, and the cursor of a client that has received them. */
  add(payloads: readonly P[], cursor = ''): void {
    this.#entries.push({ payloads, cursor });
    for (const payload of payloads) this.#share.add(payload);
  }

  /** Takes the messages of one response, and the cursor after the last of them. */
  take(): Entry<P> {
    const payloads: P[] = [];
    let cursor = '';
    let length = 0;
    while (length < responseBytes) {
      const entry = this.#entries.shift();
      if (entry === undefined) break;
      for (const payload of entry.payloads) {
        this.#share.remove(payload);
        payloads.push(payload);
        length += payload.bytes.length;
      }
      cursor = entry.cursor;
    }
    return { payloads, cursor };
  }

  clear(): void {
    while (this.#entries.length > 0) this.take();
  }
}

/** The poll that a client has open, if any, and since when. */
export class HeldPoll {
  readonly #now: () => number;
  readonly #owner: { readonly share: BacklogShare; readonly guard: Guard };
  #response: ServerResponse | undefined;
  /** When the current poll began, or when the last one ended. */
  #since: number;

  constructor(now: () => number, owner: { readonly share: BacklogShare; readonly guard: Guard }) {
    this.#now = now;
    this.#owner = owner;
    this.#since = now();
  }

  /** The response to the poll; undefined between polls. */
  get response(): ServerResponse | undefined {
    return this.#response;
  }

  /** Returns how long the current poll has been open or, between polls, how long there has been none. */
  age(now: number): number {
    return now - this.#since;
  }

  hold(response: ServerResponse): void {
    this.#set(response);
    this.#owner.share.progressAt = this.#since;
    response.on('close', () =>
      this.#owner.guard(() => {
        if (this.#response === response) this.#set(undefined);
      }),
    );
  }

  /** Returns the response to the poll for the caller to end; the client has no open poll then. */
  take(): ServerResponse | undefined {
    const response = this.#response;
    if (response !== undefined) this.#set(undefined);
    return response;
  }

  #set(response: ServerResponse | undefined): void {
    this.#response = response;
    this.#since = this.#now();
  }
}
