// A condition variable: waits until a condition holds, checking it again at each notification.

export class ConditionVariable {
  #waiting: (() => void)[] = [];

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Makes every waiter check its condition again. */
  notifyAll(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const look of waiting) look();
  }
}
