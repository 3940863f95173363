// What waits to be sent on one connection, bounded: on a stream that takes it when it can, or for polls that fetch it.

import type { Writable } from 'node:stream';
import type { Limits } from './options.ts';
import type { Payload } from './payload.ts';

type QueueLimits = Pick<Limits, 'queuedMessages' | 'queuedBytes'>;

/** Writes to a stream and knows how much of it has not left the process yet. */
export class StreamWriter {
  readonly #stream: Writable;
  readonly #limits: QueueLimits;
  readonly #onFlushed: () => void;
  #written = 0;
  /** How many writes are known to have left: by their callbacks, or because the stream was seen empty. */
  #flushed = 0;
  #callbacks = 0;
  #flushedAtLastLook = 0;
  #progressAt = 0;

  /** `onProgress` is told whenever something has left. */
  constructor(stream: Writable, limits: QueueLimits, onProgress: () => void) {
    this.#stream = stream;
    this.#limits = limits;
    this.#onFlushed = () => {
      this.#callbacks += 1;
      this.#flushed = Math.max(this.#flushed, this.#callbacks);
      onProgress();
    };
  }

  /** How many messages have not left yet. */
  get backlog(): number {
    // The callbacks of writes that the kernel took at once come late, and all together.
    if (this.#stream.writableLength === 0) this.#flushed = this.#written;
    return this.#written - this.#flushed;
  }

  /** Whether too much waits already. Looked at before writing, so that one large message alone is never too much. */
  get isFull(): boolean {
    const { queuedMessages, queuedBytes } = this.#limits;
    return this.backlog >= queuedMessages || this.#stream.writableLength >= queuedBytes;
  }

  write(bytes: Buffer): void {
    this.#written += 1;
    this.#stream.write(bytes, this.#onFlushed);
  }

  /** Whether something waits and nothing has left for `timeout`; to be asked regularly. */
  isStuck(now: number, timeout: number): boolean {
    if (this.backlog === 0 || this.#flushed !== this.#flushedAtLastLook || this.#progressAt === 0) {
      this.#progressAt = now;
      this.#flushedAtLastLook = this.#flushed;
    }
    return now - this.#progressAt > timeout;
  }
}

/** Keeps messages until a poll takes them all. */
export class PollQueue {
  readonly #limits: QueueLimits;
  #payloads: Payload[] = [];
  #bytes = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get backlog(): number {
    return this.#payloads.length;
  }

  get isFull(): boolean {
    return this.#payloads.length >= this.#limits.queuedMessages || this.#bytes >= this.#limits.queuedBytes;
  }

  add(payload: Payload): void {
    this.#payloads.push(payload);
    this.#bytes += payload.bytes.length;
  }

  takeAll(): Buffer {
    const taken = Buffer.concat(this.#payloads.map(({ bytes }) => bytes));
    this.#payloads = [];
    this.#bytes = 0;
    return taken;
  }
}
