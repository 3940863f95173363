// Cuts a stream of bytes into messages by their Content-Length; a stream whose lengths cannot be trusted ends.

import { declaredLength, parseHead } from './head.ts';
import { messageLimit } from './message.ts';

export type Framed =
  | { readonly kind: 'message'; readonly bytes: Buffer }
  /** Two line ends between messages, or many of them, ask for one in return. */
  | { readonly kind: 'ping' }
  /** The place of the next message is unknown; `head` is the message without its body. */
  | { readonly kind: 'broken'; readonly head: Buffer };

export class StreamFramer {
  #pending: Buffer = Buffer.alloc(0);
  #isBroken = false;

  /** The messages that are complete with these bytes; after `broken` nothing comes any more. */
  *push(chunk: Buffer): Generator<Framed> {
    if (this.#isBroken) return;
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    for (;;) {
      const framed = this.#next();
      if (framed === undefined) return;
      yield framed;
      if (framed.kind === 'broken') return;
    }
  }

  #next(): Framed | undefined {
    if (this.#skipLineEnds()) return { kind: 'ping' };
    const end = this.#pending.indexOf('\r\n\r\n', 0, 'latin1');
    if (end < 0) return this.#pending.length > messageLimit ? this.#broken(0) : undefined;
    const head = parseHead(this.#pending.toString('utf8', 0, end));
    const length = head === undefined ? 'malformed' : declaredLength(head);
    if (typeof length === 'string' || end + 4 + length > messageLimit) return this.#broken(end + 4);
    const whole = end + 4 + length;
    if (this.#pending.length < whole) return undefined;
    const bytes = this.#pending.subarray(0, whole);
    this.#pending = this.#pending.subarray(whole);
    return { kind: 'message', bytes };
  }

  /** Removes line ends before a message, and says whether they were pings. */
  #skipLineEnds(): boolean {
    let end = 0;
    while (this.#pending[end] === 0x0d && this.#pending[end + 1] === 0x0a) end += 2;
    if (end >= 4) {
      this.#pending = this.#pending.subarray(end - (end % 4));
      return true;
    }
    // A line end may be the first half of a ping, so it is kept until it is known what follows.
    while (this.#pending.length > 2 && this.#pending[0] === 0x0d && this.#pending[1] === 0x0a) {
      if (this.#pending[2] === 0x0d && this.#pending.length === 3) return false;
      this.#pending = this.#pending.subarray(2);
    }
    return false;
  }

  #broken(headEnd: number): Framed {
    const head = this.#pending.subarray(0, headEnd);
    this.#isBroken = true;
    this.#pending = Buffer.alloc(0);
    return { kind: 'broken', head };
  }
}
