// Calls of client functions that wait for their results.

import type { Completion } from './protocol/messages.ts';

type Waiting = { resolve(value: unknown): void; reject(error: Error): void };

export class ClientResults {
  /** Created with the first call: most clients never get one. */
  #waiting: Map<string, Waiting> | undefined;
  #lastId = 0;

  get size(): number {
    return this.#waiting?.size ?? 0;
  }

  /** Sends a call under a new id and resolves to its result. */
  expect(send: (invocationId: string) => void, signal?: AbortSignal): Promise<unknown> {
    // The letter distinguishes server ids from the numbers that clients use, in traces.
    const id = `s${++this.#lastId}`;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const onAbort = () => this.#take(id)?.reject(signal?.reason);
      const settle =
        <T>(how: (value: T) => void) =>
        (value: T) => {
          signal?.removeEventListener('abort', onAbort);
          how(value);
        };
      send(id);
      this.#waiting ??= new Map();
      this.#waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
      signal?.addEventListener('abort', onAbort);
    });
  }

  /** Settles the call of this completion; returns false when the completion belongs to no call of the server. */
  complete({ invocationId, error, result }: Completion): boolean {
    const waiting = this.#take(invocationId);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error));
    return waiting !== undefined;
  }

  rejectAll(error: string): void {
    for (const id of [...(this.#waiting?.keys() ?? [])]) this.#take(id)?.reject(new Error(error));
  }

  #take(id: string): Waiting | undefined {
    const waiting = this.#waiting?.get(id);
    this.#waiting?.delete(id);
    return waiting;
  }
}
