// Sends the messages of one connection over a stream: passes on only as much as the stream takes, and keeps the rest as
// references to messages that connections share.

import type { Writable } from 'node:stream';
import type { Guard } from '../guard.ts';
import type { Intervals } from '../options.ts';
import type { BacklogShare } from './backlog.ts';
import { Fifo } from './fifo.ts';
import type { Payload } from './payload.ts';

/**
 * Bytes passed to the stream at once. What the stream holds cannot be dropped or shared, and that some of it was sent
 * shows only when all of it was.
 */
const batchBytes = 64 * 1024;

type WriterOptions = {
  readonly stream: Writable;
  /** Returns a message as it is written to the stream. */
  readonly formOf: (payload: Payload) => Buffer;
  readonly share: BacklogShare;
  readonly guard: Guard;
  /** Whether the stream still takes messages. */
  readonly isOpen: () => boolean;
  /** Called whenever something was sent. */
  readonly onProgress: () => void;
};

type WriterState = 'fine' | 'stalled' | 'late';

export class StreamWriter {
  readonly #options: WriterOptions;
  readonly #queue = new Fifo<Payload>();
  /** The rest of the message that was passed on in part. */
  #rest: Buffer | undefined;
  /** Whether the stream has not taken the last batch yet. */
  #isBusy = false;
  /** Set when the transport ends: closes it, when everything was passed to the stream. */
  #close: (() => void) | undefined;
  #isEnding = false;
  /** When the next check found the transport closing. */
  #closingSince: number | undefined;
  /** The number of bytes passed to the stream. */
  #passed = 0;
  /** The number of bytes sent at the last check that saw progress. */
  #bytesGone = 0;
  #progressAt: number | undefined;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  /** Whether no message waits here. */
  get hasRoom(): boolean {
    return this.#queue.length === 0 && this.#rest === undefined;
  }

  /** Whether others may write to the stream: not within a message, and not without end. */
  get isOpenToOthers(): boolean {
    return this.#rest === undefined && this.#options.stream.writableLength < 2 * batchBytes;
  }

  send(payload: Payload): void {
    const { stream, share, formOf, isOpen } = this.#options;
    if (!isOpen()) return;
    const isIdle = this.hasRoom && !this.#isBusy && stream.writableLength === 0;
    // Usually the kernel takes the bytes at once; a callback would cost nearly as much as the write.
    if (isIdle && payload.bytes.length < batchBytes) {
      const bytes = formOf(payload);
      this.#passed += bytes.length;
      stream.write(bytes);
      return;
    }
    this.#queue.push(payload);
    share.add(payload);
    this.#pass();
  }

  /** Ends after everything sent so far: calls `close` when that was passed to the stream. */
  end(close: () => void): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#close = close;
    // A client that was slow before has the whole time for the last message.
    this.#progressAt = undefined;
    if (this.hasRoom) this.#callClose();
  }

  /** Drops the messages that wait; the one that was passed on in part is still completed. */
  discard(): void {
    for (let payload = this.#queue.shift(); payload !== undefined; payload = this.#queue.shift()) {
      this.#options.share.remove(payload);
    }
  }

  /**
   * Returns whether the client takes nothing of what waits for `sendTimeout`, or the transport is late with its end. Must
   * be called regularly.
   */
  check(now: number, { sendTimeout, closeTimeout }: Pick<Intervals, 'sendTimeout' | 'closeTimeout'>): WriterState {
    if (this.#isEnding && this.#close === undefined) {
      this.#closingSince ??= now;
      return now - this.#closingSince > closeTimeout ? 'late' : 'fine';
    }
    if (this.#isEnding) return this.#isStalled(now, closeTimeout) ? 'late' : 'fine';
    return this.#isStalled(now, sendTimeout) ? 'stalled' : 'fine';
  }

  /** Returns whether something waits and nothing was sent for `timeout`. */
  #isStalled(now: number, timeout: number): boolean {
    const { writableLength } = this.#options.stream;
    const bytesGone = this.#passed - writableLength;
    const isWaiting = writableLength > 0 || !this.hasRoom;
    if (!isWaiting || bytesGone > this.#bytesGone || this.#progressAt === undefined) {
      this.#progressAt = this.#options.share.progressAt = now;
      this.#bytesGone = bytesGone;
    }
    return now - this.#progressAt > timeout;
  }

  /** Passes on a batch, and the next one when the stream has taken it. */
  #pass(): void {
    const { stream, guard, isOpen, onProgress } = this.#options;
    if (this.#isBusy || this.hasRoom || !isOpen()) return;
    const batch = this.#takeBatch();
    this.#isBusy = true;
    stream.cork();
    for (const [index, bytes] of batch.entries()) {
      this.#passed += bytes.length;
      if (index < batch.length - 1) stream.write(bytes);
      else {
        stream.write(bytes, (error) =>
          guard(() => {
            this.#isBusy = false;
            if (error) return;
            this.#pass();
            onProgress();
          }),
        );
      }
    }
    stream.uncork();
    if (this.hasRoom) this.#callClose();
  }

  #takeBatch(): Buffer[] {
    const batch: Buffer[] = [];
    for (let length = 0; length < batchBytes; ) {
      const bytes = this.#rest ?? this.#takeMessage();
      if (bytes === undefined) break;
      const part = bytes.subarray(0, batchBytes);
      this.#rest = part.length < bytes.length ? bytes.subarray(part.length) : undefined;
      batch.push(part);
      length += part.length;
    }
    return batch;
  }

  #takeMessage(): Buffer | undefined {
    const payload = this.#queue.shift();
    if (payload === undefined) return undefined;
    this.#options.share.remove(payload);
    return this.#options.formOf(payload);
  }

  #callClose(): void {
    const close = this.#close;
    this.#close = undefined;
    close?.();
  }
}
