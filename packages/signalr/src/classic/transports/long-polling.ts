// The long-polling transport of classic ASP.NET SignalR 2: queues messages between polls; each poll carries the
// client's cursor.

import type { ServerResponse } from 'node:http';
import type { Cursor } from '../../hub.ts';
import type { Intervals } from '../../options.ts';
import { HeldPoll, PollQueue } from '../../sending/polls.ts';
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
   * The cursor sent with the last response; undefined before the first one, and after the queue was dropped.
   */
  #respondedUpTo: Cursor | undefined;
  /** The state that the next response stores in the client. */
  #clientState: string | undefined;

  constructor(intervals: Intervals, owner: TransportOwner, now: () => number) {
    this.#queue = new PollQueue(owner.share);
    this.#intervals = intervals;
    this.#owner = owner;
    this.#poll = new HeldPoll(now, owner);
  }

  /** False while the client has to restart at its cursor: until then nothing can be sent to it. */
  get hasRoom(): boolean {
    return this.#respondedUpTo !== undefined && this.#queue.hasRoom;
  }

  /**
   * Returns whether a client with this cursor continues with the queued messages; otherwise it restarts at its cursor.
   */
  isUpToDateWith(cursor: Cursor): boolean {
    return cursor === this.#respondedUpTo;
  }

  /** Drops the queue: the client gets everything after this cursor again. */
  restartAt(cursor: Cursor): void {
    this.#queue.clear();
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
    this.#queue.add([push], cursor);
    this.#cursor = cursor;
    // All messages of this turn go into one response.
    if (this.#queue.length === 1) setImmediate(() => this.#owner.guard(() => this.#respondIfDue()));
  }

  /** Stores the cursor for the next response; a cursor alone does not end the poll. */
  advance(cursor: Cursor): void {
    this.#cursor = cursor;
  }

  pushAll(pushes: readonly HubPush[], cursor: Cursor): void {
    this.#queue.add(pushes, cursor);
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

  /** The next poll restarts at the cursor of the client. */
  giveUp(): void {
    this.#queue.clear();
    this.#respondedUpTo = undefined;
    this.#owner.onProgress();
  }

  end(cursor: Cursor, error: string | undefined): void {
    const { payloads: pushes, cursor: pushedUpTo } = this.#queue.take();
    const end = error === undefined ? { isLast: true, delay: pollAgainAfterMs } : { error };
    this.#respond(message(this.#queue.length > 0 ? pushedUpTo : cursor, { pushes, ...end }));
    this.#queue.clear();
    this.#owner.onGone(this);
  }

  destroy(): void {
    this.#queue.clear();
    this.#poll.response?.destroy();
    this.#owner.onGone(this);
  }

  isAbandoned(now: number): boolean {
    return this.#poll.response === undefined && this.#poll.age(now) > this.#intervals.disconnect;
  }

  tick(now: number): void {
    this.#respondIfDue();
    if (this.#poll.response === undefined || this.#poll.age(now) <= this.#intervals.classicPoll) return;
    this.#respond(message(this.#cursor, {}));
    this.#respondedUpTo = this.#cursor;
  }

  #respondIfDue(): void {
    if (this.#poll.response === undefined || (this.#queue.length === 0 && this.#clientState === undefined)) return;
    const clientState = this.#clientState === undefined ? {} : { clientState: this.#clientState };
    const { payloads, cursor } = this.#queue.take();
    this.#respondedUpTo = this.#queue.length > 0 ? cursor : this.#cursor;
    this.#respond(message(this.#respondedUpTo, { pushes: payloads, ...clientState }));
    this.#clientState = undefined;
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
