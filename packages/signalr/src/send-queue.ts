// The bounded send queues of one connection: one that writes to a stream, and one that polls empty; and those polls.

import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import type { Limits } from './options.ts';
import type { Payload } from './payload.ts';

type QueueLimits = Pick<Limits, 'queuedMessages' | 'queuedBytes'>;

/** Writes to a stream and tracks how much of it has not left the process yet. */
export class StreamWriter {
  readonly #stream: Writable;
  readonly #limits: QueueLimits;
  readonly #onProgress: () => void;
  #written = 0;
  /** The number of messages known to be sent: by their callbacks, or because the stream was empty. */
  #flushed = 0;
  #bytes = 0;
  /** The number of bytes sent at the last check that saw progress. */
  #bytesGone = 0;
  #progressAt = 0;

  /** `onProgress` is called whenever something was sent. */
  constructor(stream: Writable, limits: QueueLimits, onProgress: () => void) {
    this.#stream = stream;
    this.#limits = limits;
    this.#onProgress = onProgress;
  }

  /**
   * The number of messages not yet sent. A message written without a callback counts until a later one was sent or the
   * stream is empty.
   */
  get backlog(): number {
    if (this.#stream.writableLength === 0) this.#flushed = this.#written;
    return this.#written - this.#flushed;
  }

  /** Whether too much is queued. Checked before writing, so that one large message alone is never too much. */
  get isFull(): boolean {
    const { queuedMessages, queuedBytes } = this.#limits;
    return this.backlog >= queuedMessages || this.#stream.writableLength >= queuedBytes;
  }

  /** Writes the bytes of that many messages. */
  write(bytes: Buffer, messages = 1): void {
    const isAlone = this.backlog === 0 && messages === 1;
    this.#written += messages;
    this.#bytes += bytes.length;
    // Usually the queue is empty and the kernel takes the bytes at once; a callback would cost nearly as much as the
    // write.
    if (isAlone) {
      this.#stream.write(bytes);
      return;
    }
    const written = this.#written;
    this.#stream.write(bytes, () => {
      this.#flushed = Math.max(this.#flushed, written);
      this.#onProgress();
    });
  }

  /** Returns whether something is queued and nothing was sent for `timeout`; must be called regularly. */
  isStalled(now: number, timeout: number): boolean {
    const { writableLength } = this.#stream;
    const bytesGone = this.#bytes - writableLength;
    if (writableLength === 0 || bytesGone > this.#bytesGone || this.#progressAt === 0) {
      this.#progressAt = now;
      this.#bytesGone = bytesGone;
    }
    return now - this.#progressAt > timeout;
  }
}

/**
 * Queues messages until a poll takes them all. Only bytes are limited: a burst between two polls does not mean that the
 * client stopped reading.
 */
export class PollQueue<P extends Payload = Payload> {
  readonly #limits: QueueLimits;
  #payloads: P[] = [];
  #bytes = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get backlog(): number {
    return this.#payloads.length;
  }

  get isFull(): boolean {
    return this.#bytes >= this.#limits.queuedBytes;
  }

  add(payload: P): void {
    this.#payloads.push(payload);
    this.#bytes += payload.bytes.length;
  }

  takeAll(): Buffer {
    return Buffer.concat(this.takeEach().map(({ bytes }) => bytes));
  }

  takeEach(): P[] {
    const taken = this.#payloads;
    this.#payloads = [];
    this.#bytes = 0;
    return taken;
  }
}

/** The poll that a client has open, if any, and since when. */
export class HeldPoll {
  readonly #now: () => number;
  #response: ServerResponse | undefined;
  /** When the current poll began, or when the last one ended. */
  #since: number;

  constructor(now: () => number) {
    this.#now = now;
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
    response.on('close', () => {
      if (this.#response === response) this.#set(undefined);
    });
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
