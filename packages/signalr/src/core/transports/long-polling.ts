// The long-polling transport of ASP.NET Core SignalR: each GET waits for messages and returns as many as a response has
// room for; the client sends by POST.

import type { ServerResponse } from 'node:http';
import type { Intervals } from '../../options.ts';
import type { Payload } from '../../sending/payload.ts';
import { HeldPoll, PollQueue } from '../../sending/polls.ts';
import type { Transport, TransportOwner } from './transport.ts';

const noBytes = Buffer.alloc(0);

const noCaching = {
  'Cache-Control': 'no-cache, no-store',
  Pragma: 'no-cache',
  Expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
} as const;

export function forbidCaching(response: ServerResponse): void {
  for (const [name, value] of Object.entries(noCaching)) response.setHeader(name, value);
}

export class LongPollingTransport implements Transport {
  readonly name = 'LongPolling';
  readonly #queue: PollQueue;
  readonly #intervals: Intervals;
  readonly #owner: TransportOwner;
  readonly #poll: HeldPoll;
  #isEnding = false;
  #isGone = false;

  constructor(intervals: Intervals, owner: TransportOwner, now: () => number) {
    this.#queue = new PollQueue(owner.share);
    this.#intervals = intervals;
    this.#owner = owner;
    this.#poll = new HeldPoll(now, owner);
  }

  get hasRoom(): boolean {
    return this.#queue.hasRoom;
  }

  /** The first poll returns empty: it only tells the client that it is connected. */
  open(response: ServerResponse): void {
    replyToPoll(response, 200, noBytes);
  }

  /** Replaces the poll before it. */
  poll(response: ServerResponse): void {
    this.#respond(204, noBytes);
    this.#poll.hold(response);
    this.#respondIfDue();
  }

  send(payload: Payload): void {
    if (this.#isEnding) return;
    this.#queue.add([payload]);
    // All messages of this turn go into one response.
    if (this.#queue.length === 1) setImmediate(() => this.#owner.guard(() => this.#respondIfDue()));
  }

  discard(): void {
    this.#queue.clear();
  }

  /** Does nothing, because polls that end empty keep the connection alive. */
  keepAlive(): void {}

  /** The client sends by POST, and the POST queue waits itself. */
  pause(): void {}
  resume(): void {}

  end(): void {
    this.#isEnding = true;
    this.#respondIfDue();
  }

  destroy(): void {
    if (this.#isGone) return;
    this.#isEnding = true;
    this.#isGone = true;
    this.discard();
    this.#respond(204, noBytes);
    this.#owner.onGone(this, false);
  }

  tick(now: number): void {
    const waited = this.#poll.age(now);
    if (this.#poll.response === undefined) {
      if (waited > this.#intervals.disconnect) this.destroy();
    } else if (waited > this.#intervals.poll) {
      this.#respond(200, noBytes);
    }
  }

  #respondIfDue(): void {
    if (this.#poll.response === undefined) return;
    if (this.#queue.length > 0) {
      this.#respond(200, Buffer.concat(this.#queue.take().payloads.map(({ bytes }) => bytes)));
      this.#owner.onProgress();
    } else if (this.#isEnding) {
      this.destroy();
    }
  }

  /** Ends the open poll, if there is one. */
  #respond(status: 200 | 204, body: Buffer): void {
    const response = this.#poll.take();
    if (response !== undefined) replyToPoll(response, status, body);
  }
}

function replyToPoll(response: ServerResponse, status: 200 | 204, body: Buffer): void {
  if (response.destroyed) return;
  const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': body.length };
  response.writeHead(status, status === 200 ? headers : {});
  response.end(body);
}
