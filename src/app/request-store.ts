// A store for those who wait for an answer: while the database does not answer, a request fails within five seconds instead of
// waiting until a connection is given up.

import { AppError } from '../errors.ts';
import type { Store } from '../store/store.ts';

const lookEveryMs = 500;
/** A database that was asked and has said nothing for this long does not answer; at rest it is asked once a second. */
const silentAfterMs = 3_500;

/**
 * The write of a request that fails like this may still be done. Work that nobody waits for uses the store itself: it has the
 * time, and has to know how its writes ended.
 */
export class RequestStore implements Store {
  readonly #store: Store;
  readonly #waiting = new Set<(error: AppError) => void>();
  readonly #looking: NodeJS.Timeout;
  /** Whether the database was silent when it was last looked at: a thread that was held itself looks a second time. */
  #wasSilent = false;

  constructor(store: Store) {
    this.#store = store;
    this.#looking = setInterval(() => this.#look(), lookEveryMs).unref();
  }

  get kind(): Store['kind'] {
    return this.#store.kind;
  }

  readonly write: Store['write'] = (operation, input) => this.#within(this.#store.write(operation, input));

  readonly read: Store['read'] = (query, args) => this.#within(this.#store.read(query, args));

  readonly check: Store['check'] = () => this.#within(this.#store.check());

  readonly onEvents: Store['onEvents'] = (listener) => this.#store.onEvents(listener);

  readonly eventDelayMs: Store['eventDelayMs'] = () => this.#store.eventDelayMs();

  readonly silentMs: Store['silentMs'] = () => this.#store.silentMs();

  readonly recheck = (): void => this.#store.recheck?.();

  readonly stats: Store['stats'] = () => this.#store.stats();

  /** Ends what this adds; the store itself is closed by whoever opened it. */
  async close(): Promise<void> {
    clearInterval(this.#looking);
  }

  async #within<T>(work: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.add(reject);
    try {
      work.then(resolve, reject);
      return await promise;
    } finally {
      this.#waiting.delete(reject);
    }
  }

  #look(): void {
    const isSilent = this.#store.silentMs() > silentAfterMs;
    if (isSilent && this.#wasSilent) for (const reject of this.#waiting) reject(doesNotAnswer());
    this.#wasSilent = isSilent;
  }
}

function doesNotAnswer(): AppError {
  const message = 'The database does not answer. What was sent may still be stored. Try again shortly.';
  return new AppError('unavailable', message, { retryAfterSeconds: 2 });
}
