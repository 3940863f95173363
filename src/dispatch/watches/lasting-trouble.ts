// Reports a trouble of this node for as long as it lasts, and once that it is over.

export class LastingTrouble {
  readonly #end: () => Promise<unknown>;
  /** A process before this one may have raised the alarm. */
  #mayBeRaised = true;

  constructor(end: () => Promise<unknown>) {
    this.#end = end;
  }

  async lasts(report: () => Promise<unknown>): Promise<void> {
    this.#mayBeRaised = true;
    await report();
  }

  async isOver(): Promise<void> {
    if (!this.#mayBeRaised) return;
    await this.#end();
    this.#mayBeRaised = false;
  }
}
