// The steps that stop the server: each started part adds one, and they run in reverse order, within one deadline.

/** How long each remaining step may take once the deadline of all has passed. */
const lateStepMs = 300;

export class Teardown {
  readonly #steps: (() => unknown)[] = [];
  readonly #onLate: () => void;
  #isLate = false;

  /** `onLate` is called when a step takes too long, and the next ones go on without it. */
  constructor(onLate: () => void = () => {}) {
    this.#onLate = onLate;
  }

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /**
   * Runs the last step first, one after another; a second call continues with the steps that are left. After `mostMs` for all of
   * them, what stops slowly no longer keeps the seal of the audit trail and the store from being closed.
   */
  async run(mostMs?: number): Promise<void> {
    const over = after(mostMs);
    void over.promise.then(() => {
      this.#isLate = true;
    });
    try {
      for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) await this.#within(step, over);
    } finally {
      over.cancel();
    }
  }

  async #within(step: () => unknown, over: Timeout): Promise<void> {
    const limit = this.#isLate ? after(lateStepMs) : over;
    // In a promise, so that the rejection of a step that is left behind has a handler.
    const stopped = Promise.resolve(step()).then(() => 'stopped');
    try {
      if ((await Promise.race([stopped, limit.promise])) === 'late') this.#onLate();
    } finally {
      if (limit !== over) limit.cancel();
    }
  }
}

type Timeout = { readonly promise: Promise<'late'>; readonly cancel: () => void };

function after(ms: number | undefined): Timeout {
  const { promise, resolve } = Promise.withResolvers<'late'>();
  if (ms === undefined) return { promise, cancel: () => {} };
  const timer = setTimeout(() => resolve('late'), ms);
  return { promise, cancel: () => clearTimeout(timer) };
}
