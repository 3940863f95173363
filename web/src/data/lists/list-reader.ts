// Reads a list until it was read whole: a try that fails is told with its reason, and made again.

import { begun, type Failure, failed, type ListState, pauseAfter, progressed, unread } from './list-state.ts';

/** A reading under way, for the one who reads. */
export type Reading = {
  /** Whether no newer reading has begun; what an older one finds is not used. */
  readonly isCurrent: () => boolean;
  readonly progress: (read: number, total: number) => void;
};

type ReaderOptions = {
  readonly read: (reading: Reading) => Promise<void>;
  readonly reasonOf: (error: unknown) => string;
  /** The state of the list has changed. */
  readonly onState: () => void;
};

export class ListReader {
  readonly #options: ReaderOptions;
  #state: ListState = unread;
  /** The reading under way; a newer one makes an older one stop. */
  #number = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isReading = false;
  #isDueAgain = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  get state(): ListState {
    return this.#state;
  }

  /** Reads the list from its beginning. */
  begin(): void {
    clearTimeout(this.#timer);
    void this.#read(++this.#number);
  }

  /** Reads it once more when the reading under way has ended: one that is slow must not be given up again and again. */
  beginAfterThis(): void {
    if (this.#isReading) this.#isDueAgain = true;
    else this.begin();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#number++;
  }

  async #read(number: number): Promise<void> {
    const isCurrent = (): boolean => number === this.#number;
    this.#isReading = true;
    this.#isDueAgain = false;
    this.#become(begun(this.#state));
    try {
      await this.#options.read({
        isCurrent,
        progress: (read, total) => {
          if (isCurrent()) this.#become(progressed(this.#state, read, total));
        },
      });
      if (!isCurrent()) return;
      this.#failures = 0;
      this.#isReading = false;
      this.#become({ kind: 'read', at: Date.now() });
      if (this.#isDueAgain) this.begin();
    } catch (error) {
      if (isCurrent()) this.#retryLater(this.#options.reasonOf(error));
    }
  }

  #retryLater(reason: string): void {
    this.#isReading = false;
    const pauseMs = pauseAfter(++this.#failures);
    const failure: Failure = { reason, retryAt: Date.now() + pauseMs };
    this.#become(failed(this.#state, failure));
    this.#timer = setTimeout(() => this.begin(), pauseMs);
  }

  #become(state: ListState): void {
    this.#state = state;
    this.#options.onState();
  }
}
