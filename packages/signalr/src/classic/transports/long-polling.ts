// The long-polling transport of classic ASP.NET SignalR 2: queues messages between polls; each poll carries the
// client's cursor.

import type { ServerResponse } from 'node:http';
import type { Cursor } from '../../hub.ts';
import type { Intervals, Limits } from '../../options.ts';
import { HeldPoll, PollQueue } from '../../send-queue.ts';
import { type HubPush, type Message, message } from '../messages.ts';
import { jsonType } from '../reply.ts';
import type { ClassicTransport, TransportOwner } from './transport.ts';

/** A server that closes needs a moment before it is back. */
const pollAgainAfterMs = 1_000;

export class LongPollingTransport implements ClassicTransport {
  readonly name = 'LongPolling';
  readonly #queue: PollQueue<HubPush>;
  readonly #intervals: Intervals;
  readonly #owner: TransportOwner;
  readonly #poll: HeldPoll;
  /** The cursor of a client that has received the queued messages. */
  #cursor: Cursor = '';
  /**
   * The cursor sent with the last response; undefined before the first one, and after the queue overflowed and was
   * dropped.
   */
  #respondedUpTo: Cursor | undefined;
  /** The state that the next response stores in the client. */
  #clientState: string | undefined;

  constructor(intervals: Intervals, limits: Limits, owner: TransportOwner, now: () => number) {
    this.#queue = new PollQueue(limits);
    this.#intervals = intervals;
    this.#owner = owner;
    this.#poll = new HeldPoll(now);
  }

  /** Infinite while the client has to restart at its cursor: until then nothing can be sent to it. */
  get backlog(): number {
    return this.#respondedUpTo === undefined ? Number.POSITIVE_INFINITY : this.#queue.backlog;
  }

  /** Always false: an overflowing queue is dropped, and the next poll restarts at its cursor. */
  get isFull(): boolean {
    return false;
  }

  /**
   * Returns whether a client with this cursor continues with the queued messages; otherwise it restarts at its cursor.
   */
  isUpToDateWith(cursor: Cursor): boolean {
    return cursor === this.#respondedUpTo;
  }

  /** Drops the queue: the client gets everything after this cursor again. */
  restartAt(cursor: Cursor): void {
    this.#queue.takeEach();
    this.#clientState = undefined;
    this.#cursor = this.#respondedUpTo = cursor;
    this.#owner.onProgress();
  }

  /** Replaces the poll before it. */
  hold(response: ServerResponse): void {
    this.#respond(message(this.#respondedUpTo ?? this.#cursor, {}));
    this.#poll.hold(response);
    response.on('error', () => response.destroy());
    this.#respondIfDue();
  }

  sendInit(cursor: Cursor): void {
    this.restartAt(cursor);
    this.#respond(message(cursor, { isFirst: true }));
  }

  push(push: HubPush, cursor: Cursor): void {
    if (this.#respondedUpTo === undefined) return;
    if (this.#queue.isFull) this.#respondIfDue();
    if (this.#queue.isFull) this.#dropQueue();
    else this.#add(push, cursor);
  }

  /** Stores the cursor for the next response; a cursor alone does not end the poll. */
  advance(cursor: Cursor): void {
    this.#cursor = cursor;
  }

  pushAll(pushes: readonly HubPush[], cursor: Cursor): void {
    for (const push of pushes) this.#queue.add(push);
    this.#cursor = cursor;
    this.#respondIfDue();
  }

  /** Responds at once, because the client relies on the state from now on. */
  setClientState(text: string): void {
    this.#clientState = text;
    this.#respondIfDue();
  }

  /** Sends a space before the JSON of the response, which does not change its meaning. */
  keepAlive(): void {
    const { response } = this.#poll;
    if (response === undefined) return;
    if (!response.headersSent) response.writeHead(200, { 'Content-Type': jsonType });
    response.write(' ');
  }

  end(cursor: Cursor, error: string | undefined): void {
    this.#respond(message(cursor, error === undefined ? { isLast: true, delay: pollAgainAfterMs } : { error }));
    this.#owner.onGone(this);
  }

  destroy(): void {
    this.#poll.response?.destroy();
    this.#owner.onGone(this);
  }

  isAbandoned(now: number): boolean {
    return this.#poll.response === undefined && this.#poll.age(now) > this.#intervals.disconnect;
  }

  tick(now: number): void {
    if (this.#poll.response === undefined || this.#poll.age(now) <= this.#intervals.classicPoll) return;
    this.#respond(message(this.#cursor, {}));
    this.#respondedUpTo = this.#cursor;
  }

  #add(push: HubPush, cursor: Cursor): void {
    this.#queue.add(push);
    this.#cursor = cursor;
    // All messages of this turn go into one response.
    if (this.#queue.backlog === 1) setImmediate(() => this.#respondIfDue());
  }

  #dropQueue(): void {
    this.#queue.takeEach();
    this.#respondedUpTo = undefined;
    this.#owner.onProgress();
  }

  #respondIfDue(): void {
    if (this.#poll.response === undefined || (this.#queue.backlog === 0 && this.#clientState === undefined)) return;
    const clientState = this.#clientState === undefined ? {} : { clientState: this.#clientState };
    this.#respond(message(this.#cursor, { pushes: this.#queue.takeEach(), ...clientState }));
    this.#clientState = undefined;
    this.#respondedUpTo = this.#cursor;
    this.#owner.onProgress();
  }

  #respond({ bytes }: Message): void {
    const response = this.#poll.take();
    if (response === undefined) return;
    if (!response.headersSent) {
      response.writeHead(200, { 'Content-Type': jsonType, 'Content-Length': bytes.length });
    }
    response.end(bytes);
  }
}
