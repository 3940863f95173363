// Pushes calls that have changed to the consoles that ask for them, each as its console may see it.

import { getCalls } from '../operations/calls/views/open-calls.ts';
import type { StoredEvent } from '../store/event-log.ts';
import type { Store } from '../store/store.ts';
import { type OpenCallJson, printOpenCall } from '../wire/calls/open-call.ts';

/** The stations that listeners are bound to; those bound to the same see the same. */
type Audience = readonly number[];

type CallPushParts = {
  readonly store: Store;
  readonly timeZone: string;
  /** The audiences that ask for calls now. */
  readonly audiences: () => readonly Audience[];
  readonly push: (audience: Audience, call: OpenCallJson) => void;
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
    if (subjectId === undefined || !(kind.startsWith('call.') || kind === 'calls.changed')) return;
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
    const { store, timeZone, audiences, push, onTrouble } = this.#parts;
    try {
      for (const stationIds of audiences())
        for (const call of await store.read(getCalls, { caller: { stationIds }, ids }))
          push(stationIds, printOpenCall(call, timeZone));
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
    setTimeout(() => this.#add(ids), delayMs).unref();
  }
}
