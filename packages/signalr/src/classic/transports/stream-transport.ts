// The common part of the classic WebSocket and Server-Sent Events transports: writes messages to a stream that stays
// open.

import type { Cursor } from '../../hub.ts';
import type { TransportName } from '../../opening-request.ts';
import type { Intervals } from '../../options.ts';
import type { StreamWriter } from '../../sending/stream-writer.ts';
import { type HubPush, keepAlive, type Message, message } from '../messages.ts';
import type { ClassicTransport } from './transport.ts';

export abstract class StreamTransport implements ClassicTransport {
  abstract readonly name: TransportName;
  readonly #intervals: Intervals;
  readonly #writer: StreamWriter;
  #isEnding = false;

  constructor(intervals: Intervals, writer: StreamWriter) {
    this.#intervals = intervals;
    this.#writer = writer;
  }

  protected abstract close(): void;
  protected abstract cut(): void;

  get hasRoom(): boolean {
    return this.#writer.hasRoom;
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
    if (this.hasRoom) this.write(keepAlive());
  }

  end(cursor: Cursor, error: string | undefined): void {
    this.write(message(cursor, error === undefined ? { isLast: true } : { error }));
    this.#isEnding = true;
    this.#writer.end(() => this.close());
  }

  giveUp(): void {
    this.destroy();
  }

  destroy(): void {
    this.discard();
    this.cut();
  }

  /** Always false: an open stream is a client that is present, as far as the server can tell. */
  isAbandoned(): boolean {
    return false;
  }

  tick(now: number): void {
    // The client of a destroyed transport reconnects with the cursor it got to.
    if (this.#writer.check(now, this.#intervals) !== 'fine') this.destroy();
  }

  protected write(message: Message): void {
    if (!this.#isEnding) this.#writer.send(message);
  }

  protected discard(): void {
    this.#writer.discard();
  }
}
