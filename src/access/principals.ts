// Finds the holder of an access token, cached for a few seconds so that a busy client does not cost a query per
// request.

import type { Clock } from '../clock.ts';
import type { Principal } from '../domain/access/access.ts';
import { noteApiKeyUse } from '../operations/access/api-keys.ts';
import { getTokenHolder, type KnownToken } from '../operations/access/queries.ts';
import type { StoredEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { hashToken } from './token.ts';

/** A revoked token stops working within this time even if its event is missed. */
const cacheMs = 4_000;
const maxCached = 10_000;
const recordUseEveryMs = 60_000;

/** Events after which cached principals may be wrong. */
const invalidatingEvents = new Set([
  'session.ended',
  'key.revoked',
  'user.password-set',
  'user.changed',
  'user.removed',
]);

type CachedToken = { readonly known: KnownToken; readonly until: number };

export class Principals {
  readonly #store: Store;
  readonly #clock: Clock;
  /** Keyed by the token itself: hashing it for every request took longer than the rest of the lookup. */
  readonly #cache = new Map<string, CachedToken>();
  readonly #lastRecorded = new Map<number, number>();
  #generation = 0;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns the token's holder and expiry, for connections that outlive a request. */
  async tokenOf(token: string): Promise<KnownToken | undefined> {
    const known = await this.#store.read(getTokenHolder, { tokenHash: hashToken(token) });
    const now = this.#clock.now();
    return known !== undefined && this.#admit(known, now) !== undefined ? known : undefined;
  }

  /** Returns the token's holder, synchronously when cached; undefined when the token is unknown or expired. */
  holderOf(token: string): Principal | undefined | Promise<Principal | undefined> {
    const now = this.#clock.now();
    const cached = this.#cache.get(token);
    if (cached !== undefined && cached.until > now) return this.#admit(cached.known, now);
    return this.#lookUp(token, now);
  }

  async #lookUp(token: string, now: number): Promise<Principal | undefined> {
    const generation = this.#generation;
    const known = await this.#store.read(getTokenHolder, { tokenHash: hashToken(token) });
    // A result read before an invalidating event must not be cached after it.
    if (known !== undefined && generation === this.#generation)
      this.#cacheToken(token, { known, until: now + cacheMs });
    return known && this.#admit(known, now);
  }

  #admit({ principal, expiresAt }: KnownToken, now: number): Principal | undefined {
    if (expiresAt <= now) return undefined;
    if (principal.kind === 'key') this.#recordUse(principal.id, now);
    return principal;
  }

  /** Empties the cache after an invalidating event from any node. */
  onEvent(event: Pick<StoredEvent, 'kind'>): void {
    if (!invalidatingEvents.has(event.kind)) return;
    this.#generation++;
    this.#cache.clear();
  }

  #cacheToken(token: string, cached: CachedToken): void {
    if (this.#cache.size >= maxCached) this.#cache.clear();
    this.#cache.set(token, cached);
  }

  #recordUse(id: number, now: number): void {
    if (now - (this.#lastRecorded.get(id) ?? -recordUseEveryMs) < recordUseEveryMs) return;
    this.#lastRecorded.set(id, now);
    // Only informs administrators, so a failure must not fail the request.
    this.#store.write(noteApiKeyUse, { id }).catch(() => {});
  }
}
