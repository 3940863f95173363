// The 20 ms beat that all media sessions of the process send by: one timer, however many calls there are.

export const frameMs = 20;

/** Frames a session is given at once when the process was held up; more would be a burst. */
const mostAtOnce = 2;

/** A process that was stopped for longer does not make up for it: the sound of that time is of no use any more. */
const mostBehind = 25;

type Listener = (now: number) => void;

/** Deadlines are counted from the start, so a late timer never delays the frames after it. */
export class FrameClock {
  readonly #now: () => number;
  readonly #listeners = new Set<Listener>();
  #timer: NodeJS.Timeout | undefined;
  #startedAt = 0;
  #frames = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Calls the listener once per frame until the returned function is called. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#timer === undefined) {
      this.#startedAt = this.#now();
      this.#frames = 0;
      this.#schedule(false);
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Between two bursts of a clock that is behind, a whole frame passes as well. */
  #schedule(isBehind: boolean): void {
    clearTimeout(this.#timer);
    const deadline = this.#startedAt + (this.#frames + 1) * frameMs;
    const wait = isBehind ? frameMs : Math.max(0, Math.ceil(deadline - this.#now()));
    this.#timer = setTimeout(() => this.#beat(), wait);
  }

  #beat(): void {
    const now = this.#now();
    let due = Math.floor((now - this.#startedAt) / frameMs) - this.#frames;
    if (due > mostBehind) {
      this.#frames += due - 1;
      due = 1;
    }
    try {
      for (let frame = 0; frame < Math.min(due, mostAtOnce); frame++) {
        this.#frames++;
        for (const listener of this.#listeners) listener(now);
      }
    } finally {
      if (this.#listeners.size > 0) this.#schedule(due > mostAtOnce);
    }
  }
}

/** The beat of this process. */
export const frameClock = new FrameClock();
