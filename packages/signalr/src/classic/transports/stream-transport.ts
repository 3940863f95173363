// The common part of the classic WebSocket and Server-Sent Events transports: writes messages to a stream that stays
// open.

import type { Writable } from 'node:stream';
import type { Cursor } from '../../hub.ts';
import type { TransportName } from '../../opening-request.ts';
import type { Intervals, Limits } from '../../options.ts';
import { StreamWriter } from '../../send-queue.ts';
import { type HubPush, keepAlive, type Message, message } from '../messages.ts';
import type { ClassicTransport, TransportOwner } from './transport.ts';

export abstract class StreamTransport implements ClassicTransport {
  abstract readonly name: TransportName;
  readonly #stream: Writable;
  readonly #intervals: Intervals;
  readonly #writer: StreamWriter;
  #isEnding = false;
  #endingSince: number | undefined;

  constructor(stream: Writable, intervals: Intervals, limits: Limits, owner: TransportOwner) {
    this.#stream = stream;
    this.#intervals = intervals;
    this.#writer = new StreamWriter(stream, limits, () => owner.onProgress());
  }

  protected abstract bytesOf(message: Message): Buffer;
  protected abstract close(): void;
  abstract destroy(): void;

  get backlog(): number {
    return this.#writer.backlog;
  }

  get isFull(): boolean {
    return this.#writer.isFull;
  }

  sendInit(cursor: Cursor): void {
    this.write(message(cursor, { isFirst: true }));
  }

  push(push: HubPush, cursor: Cursor): void {
    this.write(push.messageAt(cursor));
  }

  pushAll(pushes: readonly HubPush[], cursor: Cursor): void {
    this.write(message(cursor, { pushes }));
  }

  advance(cursor: Cursor): void {
    this.write(message(cursor, {}));
  }

  setClientState(clientState: string, cursor: Cursor): void {
    this.write(message(cursor, { clientState }));
  }

  keepAlive(): void {
    this.write(keepAlive);
  }

  end(cursor: Cursor, error: string | undefined): void {
    this.write(message(cursor, error === undefined ? { isLast: true } : { error }));
    this.#isEnding = true;
    this.close();
  }

  /** Always false: an open stream is a client that is present, as far as the server can tell. */
  isAbandoned(): boolean {
    return false;
  }

  tick(now: number): void {
    if (this.#isEnding) this.#endingSince ??= now;
    const isLate = this.#endingSince !== undefined && now - this.#endingSince > this.#intervals.closeTimeout;
    if (isLate || this.#writer.isStalled(now, this.#intervals.sendTimeout)) this.destroy();
  }

  protected write(message: Message): void {
    if (!this.#isEnding && this.#stream.writable) this.#writer.write(this.bytesOf(message));
  }
}
