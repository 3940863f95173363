// The last messages of one classic connection, for hubs that cannot resend messages from a cursor themselves.

import { randomBytes } from 'node:crypto';
import type { Cursor } from '../hub.ts';
import type { HubPush } from './messages.ts';

const capacity = 1_000;

/** Part of every cursor, so that cursors from before a restart are not taken for current ones. */
const processId = randomBytes(6).toString('base64url');

export class RecentPushes {
  readonly #pushes: HubPush[] = [];
  #count = 0;

  /** The cursor of the newest message. */
  get cursor(): Cursor {
    return `${processId},${this.#count}`;
  }

  /** Buffers a message and returns its cursor. */
  add(push: HubPush): Cursor {
    this.#pushes[this.#count % capacity] = push;
    this.#count += 1;
    return this.cursor;
  }

  /** Returns the buffered messages after the cursor, oldest first. */
  after(cursor: Cursor): HubPush[] {
    const [, origin, count] = /^([\w-]+),(\d{1,15})$/.exec(cursor) ?? [];
    if (origin !== processId) return [];
    const oldest = Math.max(Number(count), this.#count - capacity);
    const length = Math.max(0, this.#count - oldest);
    return Array.from({ length }, (_, index) => this.#pushes[(oldest + index) % capacity] as HubPush);
  }
}
