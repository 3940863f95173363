// How many bytes of request bodies the server holds at the same time: all of them together are limited, so that many large ones use up
// its patience and not its memory.

import { AppError } from '../../errors.ts';

/** More than sixteen of the longest bodies of JSON; a server has some hundreds of megabytes. */
export const mostWaitingBytes = 128 * 1024 * 1024;

/** The bytes of one body. */
export type HeldBytes = {
  /** Counts bytes that have come; throws when there are too many in all. */
  take(bytes: number): void;
  /** The request is over. */
  release(): void;
};

export class WaitingBytes {
  readonly #most: number;
  #bytes = 0;

  constructor(most: number) {
    this.#most = most;
  }

  hold(): HeldBytes {
    let held = 0;
    return {
      take: (bytes) => {
        // One alone is limited by its route.
        if (held < this.#bytes && this.#bytes + bytes > this.#most) throw tooMany();
        this.#bytes += bytes;
        held += bytes;
      },
      release: () => {
        this.#bytes -= held;
        held = 0;
      },
    };
  }
}

function tooMany(): AppError {
  return new AppError('unavailable', 'Too many large requests are under way: send it again.');
}
