// Runs what is to be sent, in the order it was posted and in slices, so that no broadcast holds the event loop.

/** Does a little of the work; true when all of it is done. */
type Step = () => boolean;

/**
 * As long as the turn has time left, what is posted is done at once. After that everything waits for the next turns in
 * one line, so that nothing overtakes a broadcast that is under way.
 */
export class SendScheduler {
  readonly #sliceMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #now: () => number;
  #line: Step[] = [];
  #usedMs = 0;
  #isRunning = false;
  #hasNextTurn = false;

  constructor(sliceMs: number, onError: (error: unknown) => void, now = () => performance.now()) {
    this.#sliceMs = sliceMs;
    this.#onError = onError;
    this.#now = now;
  }

  /** What was posted last, if it is not done yet. */
  get newest(): Step | undefined {
    return this.#line.at(-1);
  }

  post(step: Step): void {
    this.#line.push(step);
    if (!this.#isRunning) this.#run();
  }

  #run(): void {
    this.#isRunning = true;
    const startedAt = this.#now();
    const usedBefore = this.#usedMs;
    let done = 0;
    while (done < this.#line.length && this.#usedMs < this.#sliceMs) {
      if (this.#isDone(this.#line[done])) done += 1;
      this.#usedMs = usedBefore + this.#now() - startedAt;
    }
    this.#line.splice(0, done);
    this.#isRunning = false;
    this.#askForNextTurn();
  }

  /** A step that fails is over, and must not stop those behind it. */
  #isDone(step: Step | undefined): boolean {
    try {
      return step?.() ?? true;
    } catch (error) {
      this.#onError(error);
      return true;
    }
  }

  #askForNextTurn(): void {
    if (this.#hasNextTurn) return;
    this.#hasNextTurn = true;
    setImmediate(() => {
      this.#hasNextTurn = false;
      this.#usedMs = 0;
      if (this.#line.length > 0) this.#run();
    });
  }
}
