// What waits to be sent on one connection, bounded: on a stream that takes it when it can, or for polls that fetch it.

import type { Writable } from 'node:stream';
import type { Limits } from './options.ts';
import type { Payload } from './payload.ts';

type QueueLimits = Pick<Limits, 'queuedMessages' | 'queuedBytes'>;

/** Writes to a stream and knows how much of it has not left the process yet. */
export class StreamWriter {
  readonly #stream: Writable;
  readonly #limits: QueueLimits;
  readonly #onProgress: () => void;
  #written = 0;
  /** How many messages are known to have left: by their callbacks, or because the stream was seen empty. */
  #flushed = 0;
  #bytes = 0;
  /** How many bytes had left at the last look that found more than the one before. */
  #bytesGone = 0;
  #progressAt = 0;

  /** `onProgress` is told whenever something has left. */
  constructor(stream: Writable, limits: QueueLimits, onProgress: () => void) {
    this.#stream = stream;
    this.#limits = limits;
    this.#onProgress = onProgress;
  }

  /** How many messages have not left yet. The first that had to wait counts until another has left. */
  get backlog(): number {
    if (this.#stream.writableLength === 0) this.#flushed = this.#written;
    return this.#written - this.#flushed;
  }

  /** Whether too much waits already. Looked at before writing, so that one large message alone is never too much. */
  get isFull(): boolean {
    const { queuedMessages, queuedBytes } = this.#limits;
    return this.backlog >= queuedMessages || this.#stream.writableLength >= queuedBytes;
  }

  /** The bytes of so many messages. */
  write(bytes: Buffer, messages = 1): void {
    const isAlone = this.backlog === 0 && messages === 1;
    this.#written += messages;
    this.#bytes += bytes.length;
    // As a rule nothing waits and the kernel takes it at once: a callback would cost nearly as much as the writing.
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

  /** Whether something waits and nothing has left for `timeout`; to be asked regularly. */
  isStuck(now: number, timeout: number): boolean {
    const { writableLength } = this.#stream;
    const bytesGone = this.#bytes - writableLength;
    if (writableLength === 0 || bytesGone > this.#bytesGone || this.#progressAt === 0) {
      this.#progressAt = now;
      this.#bytesGone = bytesGone;
    }
    return now - this.#progressAt > timeout;
  }
}

/** Keeps messages until a poll takes them all. A burst between two polls is no sign of a client that does not read, so only bytes count. */
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
