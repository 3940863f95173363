// Limits the connections of each principal, so that one principal cannot exhaust the server for all.

import type { Principal } from './principal.ts';
import { RequestRefused } from './request.ts';

const retryAfterSeconds = 30;

export class ConnectionLimit {
  readonly #max: number;
  readonly #counts = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Throws when the principal is at its limit. */
  check({ id }: Principal): void {
    if ((this.#counts.get(id) ?? 0) < this.#max) return;
    const headers = { 'Retry-After': String(retryAfterSeconds) };
    throw new RequestRefused(429, `There may be ${this.#max} connections with one identity.`, headers);
  }

  enter(principal: Principal): void {
    this.check(principal);
    this.#counts.set(principal.id, (this.#counts.get(principal.id) ?? 0) + 1);
  }

  leave({ id }: Principal): void {
    const left = (this.#counts.get(id) ?? 0) - 1;
    if (left > 0) this.#counts.set(id, left);
    else this.#counts.delete(id);
  }
}
