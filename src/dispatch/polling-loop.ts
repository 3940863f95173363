// Runs a task at intervals and soon after a nudge, never twice at once.

/** Delay from a nudge to the poll, which combines many nudges into one poll. */
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
    this.#timer = setInterval(() => void this.poll(), everyMs);
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Runs the task now, unless it is already running; resolves when that run has finished. */
  poll(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    this.#current ??= this.#work()
      .catch(this.#onTrouble)
      .finally(() => {
        this.#current = undefined;
      });
    return this.#current;
  }

  /** Polls after a short delay; further calls until then have no effect. */
  wakeSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.poll();
    }, soonMs);
  }

  /** Stops polling; resolves when the running task has finished. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    await this.#current;
  }
}
