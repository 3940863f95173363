// Cleans up after a thread of telephone calls that ended by a fault: kills its speech and decoder programs, whose time limits ended
// with the thread, and stores the end of calls of people who rang in.

import type { Conversations } from '../conversations.ts';
import { killProgram } from '../speech-process.ts';

export class LeftBehind {
  readonly #conversations: Conversations;
  readonly #onTrouble: (error: unknown) => void;
  /** Programs that run, by their process groups. */
  readonly #programs = new Set<number>();
  readonly #ringIns = new Set<number>();
  #isOver = false;

  constructor(conversations: Conversations, onTrouble: (error: unknown) => void) {
    this.#conversations = conversations;
    this.#onTrouble = onTrouble;
  }

  noteProgram(pid: number, runs: boolean): void {
    if (!runs) this.#programs.delete(pid);
    else if (this.#isOver) killProgram(pid);
    else this.#programs.add(pid);
  }

  async beginRingIn(line: Parameters<Conversations['beginRingIn']>[0]): Promise<number> {
    const id = await this.#conversations.beginRingIn(line);
    if (this.#isOver) this.#endRingIn(id);
    else this.#ringIns.add(id);
    return id;
  }

  ended(attemptId: number): ReturnType<Conversations['ended']> {
    this.#ringIns.delete(attemptId);
    return this.#conversations.ended(attemptId);
  }

  /** The thread has ended. */
  clear(): void {
    this.#isOver = true;
    for (const pid of this.#programs) killProgram(pid);
    for (const id of this.#ringIns) this.#endRingIn(id);
  }

  #endRingIn(id: number): void {
    this.#conversations.ended(id).catch(this.#onTrouble);
  }
}
