// Who holds an access token, remembered for a few seconds so that a busy client does not cost a query per request.

import type { Clock } from '../clock.ts';
import type { Principal } from '../domain/access/access.ts';
import { noteApiKeyUse } from '../operations/access/api-keys.ts';
import { getTokenHolder, type KnownToken } from '../operations/access/queries.ts';
import type { StoredEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { hashToken } from './token.ts';

/** Should an event be missed, a revoked token still ends within this time. */
const rememberMs = 4_000;
const mostRemembered = 10_000;
const noteUseEveryMs = 60_000;

/** Events after which what is remembered may be wrong. */
const endings = new Set(['session.ended', 'key.revoked', 'user.password-set', 'user.changed', 'user.removed']);

type Remembered = { readonly known: KnownToken; readonly until: number };

export class Principals {
  readonly #store: Store;
  readonly #clock: Clock;
  /** By the token itself: hashing it again for every request took longer than all the rest of this. */
  readonly #remembered = new Map<string, Remembered>();
  readonly #usesNoted = new Map<number, number>();
  #generation = 0;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The holder of the token and when it ends, for connections that outlive a request. */
  async tokenOf(token: string): Promise<KnownToken | undefined> {
    const known = await this.#store.read(getTokenHolder, { tokenHash: hashToken(token) });
    return known === undefined || known.expiresAt <= this.#clock.now() ? undefined : known;
  }

  /** The holder of the token, at once when it is remembered; undefined when there is none or its time is over. */
  holderOf(token: string): Principal | undefined | Promise<Principal | undefined> {
    const now = this.#clock.now();
    const remembered = this.#remembered.get(token);
    if (remembered !== undefined && remembered.until > now) return this.#admit(remembered.known, now);
    return this.#lookUp(token, now);
  }

  async #lookUp(token: string, now: number): Promise<Principal | undefined> {
    const generation = this.#generation;
    const known = await this.#store.read(getTokenHolder, { tokenHash: hashToken(token) });
    // What was read before an ending must not be remembered after it.
    if (known !== undefined && generation === this.#generation)
      this.#remember(token, { known, until: now + rememberMs });
    return known && this.#admit(known, now);
  }

  #admit({ principal, expiresAt }: KnownToken, now: number): Principal | undefined {
    if (expiresAt <= now) return undefined;
    if (principal.kind === 'key') this.#noteUse(principal.id, now);
    return principal;
  }

  /** Takes notice of what any node did. */
  onEvent(event: Pick<StoredEvent, 'kind'>): void {
    if (!endings.has(event.kind)) return;
    this.#generation++;
    this.#remembered.clear();
  }

  #remember(token: string, remembered: Remembered): void {
    if (this.#remembered.size >= mostRemembered) this.#remembered.clear();
    this.#remembered.set(token, remembered);
  }

  #noteUse(id: number, now: number): void {
    if (now - (this.#usesNoted.get(id) ?? -noteUseEveryMs) < noteUseEveryMs) return;
    this.#usesNoted.set(id, now);
    // Only a convenience for the administrator: not worth failing a request for.
    this.#store.write(noteApiKeyUse, { id }).catch(() => {});
  }
}
