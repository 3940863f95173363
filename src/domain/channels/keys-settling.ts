// After the proof of a person a key counts only when some of the message was heard and no key was pressed for a while: a key that
// bounces, or that was repeated because nothing seemed to happen, takes no alarm. Pure.

/** How much of the message is heard before, and how long no key was pressed. */
const heardMs = 1_000;
const quietMs = 1_000;

export class KeysSettling {
  #isSettled = true;
  #heardSince: number | undefined;
  #lastKeyAt = Number.NEGATIVE_INFINITY;

  /** The person has proved to be the right one: what they press from now on is waited for to settle. */
  begin(): void {
    this.#isSettled = false;
    this.#heardSince = undefined;
  }

  /** The message begins to be heard. */
  hear(at: number): void {
    this.#heardSince ??= at;
  }

  /** Whether a key that is pressed counts. */
  isPress(at: number): boolean {
    const isQuiet = at - this.#lastKeyAt >= quietMs;
    const isHeard = this.#heardSince !== undefined && at - this.#heardSince >= heardMs;
    this.#lastKeyAt = at;
    this.#isSettled ||= isQuiet && isHeard;
    return this.#isSettled;
  }
}
