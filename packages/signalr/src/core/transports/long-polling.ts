// A connection over polls: each GET waits for something to tell and fetches all of it; the client sends by POST.

import type { ServerResponse } from 'node:http';
import type { Intervals, Limits } from '../../options.ts';
import type { Payload } from '../../payload.ts';
import { PollQueue } from '../../send-queue.ts';
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
  readonly #now: () => number;
  #poll: ServerResponse | undefined;
  /** Since when the poll waits, or since when there is none. */
  #since: number;
  #isEnding = false;
  #isGone = false;

  constructor(intervals: Intervals, limits: Limits, owner: TransportOwner, now: () => number) {
    this.#queue = new PollQueue(limits);
    this.#intervals = intervals;
    this.#owner = owner;
    this.#now = now;
    this.#since = now();
  }

  get backlog(): number {
    return this.#queue.backlog;
  }

  get isFull(): boolean {
    return this.#queue.isFull;
  }

  /** The first poll tells the client only that it is connected. */
  open(response: ServerResponse): void {
    replyToPoll(response, 200, noBytes);
  }

  /** Takes over from the poll before it. */
  poll(response: ServerResponse): void {
    if (this.#poll !== undefined) this.#answer(204, noBytes);
    this.#setPoll(response);
    response.on('close', () => {
      if (this.#poll === response) this.#setPoll(undefined);
    });
    this.#answerIfDue();
  }

  send(payload: Payload): void {
    if (this.#isEnding) return;
    this.#queue.add(payload);
    // Everything sent in this turn goes with one answer.
    if (this.#queue.backlog === 1) setImmediate(() => this.#answerIfDue());
  }

  /** A poll that ends without news is one. */
  keepAlive(): void {}

  /** What the client sends comes by POST, which waits by itself. */
  pause(): void {}
  resume(): void {}

  end(): void {
    this.#isEnding = true;
    this.#answerIfDue();
  }

  destroy(): void {
    if (this.#isGone) return;
    this.#isEnding = true;
    this.#isGone = true;
    if (this.#poll !== undefined) this.#answer(204, noBytes);
    this.#owner.onGone(this, false);
  }

  tick(now: number): void {
    const waited = now - this.#since;
    if (this.#poll === undefined) {
      if (waited > this.#intervals.disconnect) this.destroy();
    } else if (waited > this.#intervals.poll) {
      this.#answer(200, noBytes);
    }
  }

  #answerIfDue(): void {
    if (this.#poll === undefined) return;
    if (this.#queue.backlog > 0) {
      this.#answer(200, this.#queue.takeAll());
      this.#owner.onProgress();
    } else if (this.#isEnding) {
      this.destroy();
    }
  }

  #answer(status: 200 | 204, body: Buffer): void {
    const response = this.#poll;
    this.#setPoll(undefined);
    if (response !== undefined) replyToPoll(response, status, body);
  }

  #setPoll(response: ServerResponse | undefined): void {
    this.#poll = response;
    this.#since = this.#now();
  }
}

function replyToPoll(response: ServerResponse, status: 200 | 204, body: Buffer): void {
  if (response.destroyed) return;
  const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': body.length };
  response.writeHead(status, status === 200 ? headers : {});
  response.end(body);
}
