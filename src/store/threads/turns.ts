// Lets tasks run, a few at once; those that wait take turns by their kind, so that many of one kind delay the others little.

export class Turns {
  readonly #mostAtOnce: number;
  /** Those that wait, by kind; the kind whose turn it is comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #running = 0;

  constructor(mostAtOnce: number) {
    this.#mostAtOnce = mostAtOnce;
  }

  async run<T>(kind: string, task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#mostAtOnce) this.#running++;
    else await this.#turnOf(kind);
    try {
      return await task();
    } finally {
      this.#passOn();
    }
  }

  #turnOf(kind: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const ofKind = this.#waiting.get(kind);
    if (ofKind === undefined) this.#waiting.set(kind, [resolve]);
    else ofKind.push(resolve);
    return promise;
  }

  #passOn(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running--;
      return;
    }
    const [kind, [begin, ...others]] = next;
    this.#waiting.delete(kind);
    if (others.length > 0) this.#waiting.set(kind, others);
    begin?.();
  }
}
