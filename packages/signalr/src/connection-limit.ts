// How many connections each principal has: one that opens ever more must not take the room of all others.

import type { Principal } from './principal.ts';
import { RequestRefused } from './request.ts';

const comeBackAfterSeconds = 30;

export class ConnectionLimit {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Throws when there is no room for one more. */
  checkRoomFor({ id }: Principal): void {
    if ((this.#counts.get(id) ?? 0) < this.#most) return;
    const headers = { 'Retry-After': String(comeBackAfterSeconds) };
    throw new RequestRefused(429, `There may be ${this.#most} connections with one identity.`, headers);
  }

  enter(principal: Principal): void {
    this.checkRoomFor(principal);
    this.#counts.set(principal.id, (this.#counts.get(principal.id) ?? 0) + 1);
  }

  leave({ id }: Principal): void {
    const left = (this.#counts.get(id) ?? 0) - 1;
    if (left > 0) this.#counts.set(id, left);
    else this.#counts.delete(id);
  }
}
