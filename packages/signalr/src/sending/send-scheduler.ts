// Runs sends in the order in which they were posted, in time slices, so that no broadcast blocks the event loop.

/** Does a part of the work; returns true when all of it is done. */
type Step = () => boolean;

/**
 * Runs posted work at once while the time slice of this turn lasts. After that all work waits in one queue for the next
 * turns, so that nothing overtakes a broadcast under way.
 */
export class SendScheduler {
  readonly #sliceMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #now: () => number;
  #queue: Step[] = [];
  #usedMs = 0;
  #isRunning = false;
  #hasNextTurn = false;

  constructor(sliceMs: number, onError: (error: unknown) => void, now = () => performance.now()) {
    this.#sliceMs = sliceMs;
    this.#onError = onError;
    this.#now = now;
  }

  /** The work posted last, if it is not done yet. */
  get newest(): Step | undefined {
    return this.#queue.at(-1);
  }

  post(step: Step): void {
    this.#queue.push(step);
    if (!this.#isRunning) this.#run();
  }

  #run(): void {
    this.#isRunning = true;
    const startedAt = this.#now();
    const usedBefore = this.#usedMs;
    let done = 0;
    while (done < this.#queue.length && this.#usedMs < this.#sliceMs) {
      if (this.#isDone(this.#queue[done])) done += 1;
      this.#usedMs = usedBefore + this.#now() - startedAt;
    }
    this.#queue.splice(0, done);
    this.#isRunning = false;
    this.#scheduleNextTurn();
  }

  /** A step that throws counts as done, so that the work behind it runs. */
  #isDone(step: Step | undefined): boolean {
    try {
      return step?.() ?? true;
    } catch (error) {
      this.#onError(error);
      return true;
    }
  }

  #scheduleNextTurn(): void {
    if (this.#hasNextTurn) return;
    this.#hasNextTurn = true;
    setImmediate(() => {
      this.#hasNextTurn = false;
      this.#usedMs = 0;
      if (this.#queue.length > 0) this.#run();
    });
  }
}
