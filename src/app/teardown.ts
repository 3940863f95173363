// The steps that stop the server: each started part adds one, and they run in reverse order.

export class Teardown {
  readonly #steps: (() => unknown)[] = [];

  add(step: () => unknown): void {
    this.#steps.push(step);
  }

  /** Runs the last step first, one after another; a second call continues with the steps that are left. */
  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) await step();
  }
}
