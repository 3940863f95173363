// The last messages of one connection, for hubs that cannot tell themselves what came after a cursor.

import { randomBytes } from 'node:crypto';
import type { Cursor } from '../hub.ts';
import type { HubPush } from './messages.ts';

const kept = 1_000;

/** Cursors from before a restart must not be taken for ours. */
const processId = randomBytes(6).toString('base64url');

export class RecentPushes {
  readonly #pushes: HubPush[] = [];
  #count = 0;

  /** The cursor of the newest. */
  get cursor(): Cursor {
    return `${processId},${this.#count}`;
  }

  /** Keeps it, and returns its cursor. */
  add(push: HubPush): Cursor {
    this.#pushes[this.#count % kept] = push;
    this.#count += 1;
    return this.cursor;
  }

  /** What came after the cursor and is still here, oldest first. */
  after(cursor: Cursor): HubPush[] {
    const [, origin, count] = /^([\w-]+),(\d{1,15})$/.exec(cursor) ?? [];
    if (origin !== processId) return [];
    const oldest = Math.max(Number(count), this.#count - kept);
    const length = Math.max(0, this.#count - oldest);
    return Array.from({ length }, (_, index) => this.#pushes[(oldest + index) % kept] as HubPush);
  }
}
