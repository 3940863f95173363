// Which sources of datagrams have shown that they can be reached, and how much the others may be answered: whoever forges the
// address of somebody else must not have us send them more than he sends us.

/** As much as QUIC allows (RFC 9000, 8.1): enough for the answers to a call, and for one repetition. */
const mostRatio = 3;
const mostSources = 10_000;

/** One source of datagrams. */
export type SourceReach = {
  /** Whether something came from there that only who reads our messages can know. */
  readonly isShown: boolean;
  /** To be called when it did. */
  show(): void;
  /** Counts an answer; returns whether it may be sent. */
  mayAnswer(bytes: number): boolean;
};

type Counts = { received: number; sent: number };

export class Reach {
  readonly #shown = new Set<string>();
  readonly #counts = new Map<string, Counts>();

  /** Counts what came from an address. */
  received(address: string, bytes: number): void {
    if (this.#shown.has(address)) return;
    const counts = this.#counts.get(address) ?? { received: 0, sent: 0 };
    counts.received += bytes;
    keepNewest(this.#counts);
    this.#counts.set(address, counts);
  }

  of(address: string): SourceReach {
    const isShown = (): boolean => this.#shown.has(address);
    return {
      get isShown() {
        return isShown();
      },
      show: () => {
        this.#counts.delete(address);
        if (!isShown()) keepNewest(this.#shown);
        this.#shown.add(address);
      },
      mayAnswer: (bytes) => isShown() || this.#count(address, bytes),
    };
  }

  #count(address: string, bytes: number): boolean {
    const counts = this.#counts.get(address);
    if (counts === undefined || counts.sent + bytes > mostRatio * counts.received) return false;
    counts.sent += bytes;
    return true;
  }
}

/** Makes room for one more. */
function keepNewest(kept: Map<string, unknown> | Set<string>): void {
  const [oldest] = kept.size < mostSources ? [] : kept.keys();
  if (oldest !== undefined) kept.delete(oldest);
}
