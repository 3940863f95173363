// Looks for work again and again: every so often, soon after a nudge, and never twice at once.

/** A flood of nudges is answered so often. */
const soonMs = 20;

export class PollingLoop {
  readonly #work: () => Promise<void>;
  readonly #onTrouble: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #soon: NodeJS.Timeout | undefined;
  #current: Promise<void> | undefined;
  #isStopped = false;

  constructor(everyMs: number, work: () => Promise<void>, onTrouble: (error: unknown) => void) {
    this.#work = work;
    this.#onTrouble = onTrouble;
    this.#timer = setInterval(() => this.poll(), everyMs);
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Now, unless it is at it. */
  poll(): void {
    if (this.#isStopped) return;
    this.#current ??= this.#work()
      .catch(this.#onTrouble)
      .finally(() => {
        this.#current = undefined;
      });
  }

  /** Something happened; a moment later there may be more of it. */
  wakeSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      this.poll();
    }, soonMs);
  }

  /** Lets the round under way finish. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    await this.#current;
  }
}
