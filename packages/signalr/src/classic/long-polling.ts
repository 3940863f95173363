// Messages fetched by polls; between two polls they wait here, and the client says with each how far it has come.

import type { ServerResponse } from 'node:http';
import type { Cursor } from '../hub.ts';
import type { Intervals, Limits } from '../options.ts';
import { PollQueue } from '../send-queue.ts';
import { type HubPush, type Message, message } from './messages.ts';
import type { ClassicTransport, TransportOwner } from './transport.ts';
import { jsonType } from './wire.ts';

/** A server that goes down is not there again at once. */
const comeBackAfterMs = 1_000;

export class LongPollingTransport implements ClassicTransport {
  readonly name = 'LongPolling';
  readonly #queue: PollQueue<HubPush>;
  readonly #intervals: Intervals;
  readonly #owner: TransportOwner;
  readonly #now: () => number;
  #poll: ServerResponse | undefined;
  /** Since when the poll waits, or since when there is none. */
  #since: number;
  /** How far the client will be when it has got what waits here. */
  #cursor: Cursor = '';
  /** How far it is when it got the last answer; undefined before the first, and when too much waited and was thrown away. */
  #answeredTo: Cursor | undefined;
  /** What the next answer is to leave with the client. */
  #clientState: string | undefined;

  constructor(intervals: Intervals, limits: Limits, owner: TransportOwner, now: () => number) {
    this.#queue = new PollQueue(limits);
    this.#intervals = intervals;
    this.#owner = owner;
    this.#now = now;
    this.#since = now();
  }

  /** Without end when the client has to start over: nothing can be sent to it until then. */
  get backlog(): number {
    return this.#answeredTo === undefined ? Number.POSITIVE_INFINITY : this.#queue.backlog;
  }

  /** Never: what is too much is thrown away, and the next poll starts over from its cursor. */
  get isFull(): boolean {
    return false;
  }

  /** Whether a client with this cursor goes on with what waits here; else it has to be told again. */
  isLevelWith(cursor: Cursor): boolean {
    return cursor === this.#answeredTo;
  }

  /** Forgets what waits: the client is told anew from this cursor on. */
  startOver(cursor: Cursor): void {
    this.#queue.takeEach();
    this.#clientState = undefined;
    this.#cursor = this.#answeredTo = cursor;
    this.#owner.onProgress();
  }

  /** Takes over from the poll before it. */
  hold(response: ServerResponse): void {
    this.#answer(message(this.#answeredTo ?? this.#cursor, {}));
    this.#setPoll(response);
    response.on('error', () => response.destroy());
    response.on('close', () => {
      if (this.#poll === response) this.#setPoll(undefined);
    });
    this.#answerIfDue();
  }

  greet(cursor: Cursor): void {
    this.startOver(cursor);
    this.#answer(message(cursor, { isFirst: true }));
  }

  push(push: HubPush, cursor: Cursor): void {
    if (this.#answeredTo === undefined) return;
    if (this.#queue.isFull) this.#answerIfDue();
    if (this.#queue.isFull) this.#throwAway();
    else this.#add(push, cursor);
  }

  /** Not worth an answer of its own. */
  advance(cursor: Cursor): void {
    this.#cursor = cursor;
  }

  pushAll(pushes: readonly HubPush[], cursor: Cursor): void {
    for (const push of pushes) this.#queue.add(push);
    this.#cursor = cursor;
    this.#answerIfDue();
  }

  /** At once: the client has reason to rely on it. */
  setClientState(text: string): void {
    this.#clientState = text;
    this.#answerIfDue();
  }

  /** A space before the answer, which does not change what it says. */
  keepAlive(): void {
    if (this.#poll === undefined) return;
    if (!this.#poll.headersSent) this.#poll.writeHead(200, { 'Content-Type': jsonType });
    this.#poll.write(' ');
  }

  end(cursor: Cursor, error: string | undefined): void {
    this.#answer(message(cursor, error === undefined ? { isLast: true, delay: comeBackAfterMs } : { error }));
    this.#owner.onGone(this);
  }

  destroy(): void {
    this.#poll?.destroy();
    this.#owner.onGone(this);
  }

  isAbandoned(now: number): boolean {
    return this.#poll === undefined && now - this.#since > this.#intervals.disconnect;
  }

  tick(now: number): void {
    if (this.#poll === undefined || now - this.#since <= this.#intervals.classicPoll) return;
    this.#answer(message(this.#cursor, {}));
    this.#answeredTo = this.#cursor;
  }

  #add(push: HubPush, cursor: Cursor): void {
    this.#queue.add(push);
    this.#cursor = cursor;
    // Everything sent in this turn goes with one answer.
    if (this.#queue.backlog === 1) setImmediate(() => this.#answerIfDue());
  }

  #throwAway(): void {
    this.#queue.takeEach();
    this.#answeredTo = undefined;
    this.#owner.onProgress();
  }

  #answerIfDue(): void {
    if (this.#poll === undefined || (this.#queue.backlog === 0 && this.#clientState === undefined)) return;
    const clientState = this.#clientState === undefined ? {} : { clientState: this.#clientState };
    this.#answer(message(this.#cursor, { pushes: this.#queue.takeEach(), ...clientState }));
    this.#clientState = undefined;
    this.#answeredTo = this.#cursor;
    this.#owner.onProgress();
  }

  #answer({ bytes }: Message): void {
    const response = this.#poll;
    if (response === undefined) return;
    this.#setPoll(undefined);
    if (!response.headersSent) {
      response.writeHead(200, { 'Content-Type': jsonType, 'Content-Length': bytes.length });
    }
    response.end(bytes);
  }

  #setPoll(response: ServerResponse | undefined): void {
    this.#poll = response;
    this.#since = this.#now();
  }
}
