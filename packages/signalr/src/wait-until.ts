// Waiting for something to become so, by looking again whenever there was progress.

export class Progress {
  #waiting: (() => void)[] = [];

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Lets everybody look. */
  made(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }
}
