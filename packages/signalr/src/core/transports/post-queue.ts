// The POSTs of one connection: each body is processed whole or not at all, in the order in which the requests arrived.

import type { IncomingMessage } from 'node:http';
import { RequestRefused } from '../../request.ts';
import { readBody } from '../../request-body.ts';
import type { RawConnection } from './raw-connection.ts';

export class PostQueue {
  readonly #raw: RawConnection;
  readonly #maxBytes: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(raw: RawConnection, maxBytes: number) {
    this.#raw = raw;
    this.#maxBytes = maxBytes;
  }

  /** Resolves when the body was processed; throws a `RequestRefused` when it was not. */
  receive(request: IncomingMessage): Promise<void> {
    const before = this.#last;
    const done = this.#handOn(request, before);
    this.#last = done.catch(() => {});
    return done;
  }

  async #handOn(request: IncomingMessage, before: Promise<unknown>): Promise<void> {
    const [body] = await Promise.all([readBody(request, this.#maxBytes), before]);
    await this.#raw.until(() => !this.#raw.isPaused);
    if (this.#raw.isClosed) throw new RequestRefused(404, 'No Connection with that ID');
    if (this.#raw.earlyBytes + body.length > this.#maxBytes) {
      throw new RequestRefused(413, `A client may send ${this.#maxBytes} bytes before it polls.`);
    }
    this.#raw.onData(body);
  }
}
