// Pushes calls that have changed to the consoles that ask for them, each as its console may see it.

import type { Clock } from '../clock.ts';
import { guard } from '../guard.ts';
import { attemptCancelled, callsChanged } from '../operations/calls/engine/call-events.ts';
import { getCalls } from '../operations/calls/views/open-calls.ts';
import type { CallReader } from '../operations/calls/views/shown-call.ts';
import type { StoredEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { type OpenCallJson, printOpenCall } from '../wire/calls/open-call.ts';

type CallPushParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly timeZone: string;
  /** Those who ask for calls now; listeners bound to the same stations who read in the same language once. */
  readonly audiences: () => readonly CallReader[];
  readonly push: (audience: CallReader, call: OpenCallJson) => void;
  readonly onTrouble: (error: unknown) => void;
};

const firstRetryMs = 500;
const longestRetryMs = 30_000;

/** Reads each call after the change, once for several changes at the same time: a console shows how a call stands. */
export class CallPushes {
  readonly #parts: CallPushParts;
  readonly #changed = new Set<number>();
  /** How often in a row each call could not be read. */
  readonly #failures = new Map<number, number>();
  #isReading = false;

  constructor(parts: CallPushParts) {
    this.#parts = parts;
  }

  note({ kind, subjectId }: StoredEvent): void {
    if (subjectId === undefined || !(isStep(kind) || kind === callsChanged)) return;
    if (this.#parts.audiences().length === 0) return;
    this.#add([subjectId]);
  }

  #add(ids: readonly number[]): void {
    for (const id of ids) this.#changed.add(id);
    if (!this.#isReading) this.#pushAll().catch(this.#parts.onTrouble);
  }

  async #pushAll(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#changed.size > 0) {
        const ids = [...this.#changed];
        this.#changed.clear();
        const fresh = ids.filter((id) => !this.#failures.has(id));
        // Alone, so that one that can never be read keeps none of the others.
        const failed = ids.filter((id) => this.#failures.has(id)).map((id) => [id]);
        for (const batch of fresh.length > 0 ? [fresh, ...failed] : failed) await this.#push(batch);
      }
    } finally {
      this.#isReading = false;
    }
  }

  async #push(ids: readonly number[]): Promise<void> {
    const { store, clock, timeZone, audiences, push, onTrouble } = this.#parts;
    try {
      const readers = audiences();
      const seen = readers.length === 0 ? [] : await store.read(getCalls, { now: clock.now(), ids, readers });
      for (const [index, reader] of readers.entries())
        for (const call of seen[index] ?? []) push(reader, printOpenCall(call, timeZone));
      for (const id of ids) this.#failures.delete(id);
    } catch (error) {
      onTrouble(error);
      this.#retry(ids);
    }
  }

  /** The change may have been the last one of the call: without another try the consoles would show it for ever. */
  #retry(ids: readonly number[]): void {
    for (const id of ids) this.#failures.set(id, (this.#failures.get(id) ?? 0) + 1);
    const failures = Math.max(...ids.map((id) => this.#failures.get(id) ?? 0));
    const delayMs = Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1));
    setTimeout(() => guard(this.#parts.onTrouble, () => this.#add(ids)), delayMs).unref();
  }
}

/** Whether the event is a step of a call; the subject of the other is an attempt. */
function isStep(kind: string): boolean {
  return kind.startsWith('call.') && kind !== attemptCancelled;
}
