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

/** Reads each call after the change, once for several changes at the same time: a console shows how a call stands. */
export class CallPushes {
  readonly #parts: CallPushParts;
  readonly #changed = new Set<number>();
  #isReading = false;

  constructor(parts: CallPushParts) {
    this.#parts = parts;
  }

  note({ kind, subjectId }: StoredEvent): void {
    if (subjectId === undefined || !(kind.startsWith('call.') || kind === 'calls.changed')) return;
    if (this.#parts.audiences().length === 0) return;
    this.#changed.add(subjectId);
    if (!this.#isReading) this.#pushAll().catch(this.#parts.onTrouble);
  }

  async #pushAll(): Promise<void> {
    const { store, timeZone, audiences, push } = this.#parts;
    this.#isReading = true;
    try {
      while (this.#changed.size > 0) {
        const ids = [...this.#changed];
        this.#changed.clear();
        for (const stationIds of audiences())
          for (const call of await store.read(getCalls, { caller: { stationIds }, ids }))
            push(stationIds, printOpenCall(call, timeZone));
      }
    } finally {
      this.#isReading = false;
    }
  }
}
