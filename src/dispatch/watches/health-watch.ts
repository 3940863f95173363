// Finds out for the consoles whether this node takes alarms, can read them, and can call people: within ten seconds of a change,
// while a console asks for it.

import type { Clock } from '../../clock.ts';
import type { CallingHealth } from '../../domain/calls/calling-health.ts';
import { readLogStart } from '../../store/event-log.ts';
import type { Store } from '../../store/store.ts';
import { PollingLoop } from '../polling-loop.ts';
import type { StoreProbe } from '../store-probe.ts';

export type NodeHealth = {
  readonly takesAlarms: boolean;
  readonly readsAlarms: boolean;
  readonly calling: CallingHealth['troubles'];
  /** Since when something of it has been so, as far as this node has looked. */
  readonly since: number;
  /** Likewise each of them: a trouble that joins another does not begin that anew. */
  readonly takesSince: number;
  readonly readsSince: number;
  /** Since when people can, or cannot, be called, whatever keeps them from it. */
  readonly callingSince: number;
};

type HealthWatchParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly storeProbe: Pick<StoreProbe, 'result'>;
  readonly callingHealth: () => Promise<CallingHealth>;
  /** Whether anybody asks: the small writes of a probe wear out a disk that is there for nobody. */
  readonly isAsked: () => boolean;
  /** Told of every change; undefined when nobody asks any more. */
  readonly tell: (health: NodeHealth | undefined) => void;
  readonly onTrouble: (error: unknown) => void;
  readonly everyMs?: number;
};

const everyMs = 1_000;
/** A probe of the store that takes longer has failed. Together with the age of the last success this is less than ten seconds. */
const answerMs = 4_000;
const probing = { reusedForMs: 4_000, timeoutMs: answerMs };
const callingEveryMs = 5_000;

export class HealthWatch {
  readonly #parts: HealthWatchParts;
  readonly #loop: PollingLoop;
  readonly #read: PatientQuestion<boolean>;
  readonly #calling: PatientQuestion<CallingHealth['troubles']>;
  #callingAt = Number.NEGATIVE_INFINITY;
  #troubles: CallingHealth['troubles'] = [];
  #told: NodeHealth | undefined;

  constructor(parts: HealthWatchParts) {
    this.#parts = parts;
    const { store, callingHealth } = parts;
    this.#read = new PatientQuestion(async () => {
      await store.check();
      await store.read(readLogStart, {});
      return true;
    }, false);
    this.#calling = new PatientQuestion(async () => (await callingHealth()).troubles, ['database-unavailable']);
    this.#loop = new PollingLoop(parts.everyMs ?? everyMs, () => this.#look(), parts.onTrouble);
  }

  poll(): Promise<void> {
    return this.#loop.poll();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #look(): Promise<void> {
    const { storeProbe, isAsked, tell, clock } = this.#parts;
    if (!isAsked()) {
      if (this.#told !== undefined) tell(undefined);
      this.#told = undefined;
      return;
    }
    const [probed, readsAlarms, calling] = await Promise.all([
      storeProbe.result(probing),
      this.#read.answer(),
      this.#callingTroubles(),
    ]);
    const found = { takesAlarms: probed.ok, readsAlarms, calling };
    const told = this.#told;
    if (told !== undefined && isSame(told, found)) return;
    this.#told = { ...found, ...sinceOf(found, told, clock.now()) };
    tell(this.#told);
  }

  async #callingTroubles(): Promise<CallingHealth['troubles']> {
    if (performance.now() - this.#callingAt < callingEveryMs) return this.#troubles;
    this.#troubles = await this.#calling.answer();
    this.#callingAt = performance.now();
    return this.#troubles;
  }
}

type Since = Pick<NodeHealth, 'since' | 'takesSince' | 'readsSince' | 'callingSince'>;
export type Found = Omit<NodeHealth, keyof Since>;

/** Since when each fact has been so; `told` is what was told last. */
export function sinceOf(found: Found, told: NodeHealth | undefined, now: number): Since {
  const wasCalling = told !== undefined && (told.calling.length === 0) === (found.calling.length === 0);
  return {
    since: now,
    takesSince: told?.takesAlarms === found.takesAlarms ? told.takesSince : now,
    readsSince: told?.readsAlarms === found.readsAlarms ? told.readsSince : now,
    callingSince: wasCalling ? told.callingSince : now,
  };
}

function isSame(one: Found, other: Found): boolean {
  const same = one.takesAlarms === other.takesAlarms && one.readsAlarms === other.readsAlarms;
  return same && one.calling.join() === other.calling.join();
}

/** A question that is asked again only when it was answered; without an answer in time, or with an error, it is `otherwise`. */
class PatientQuestion<T> {
  readonly #ask: () => Promise<T>;
  readonly #otherwise: T;
  #asked: Promise<T> | undefined;

  constructor(ask: () => Promise<T>, otherwise: T) {
    this.#ask = ask;
    this.#otherwise = otherwise;
  }

  async answer(): Promise<T> {
    this.#asked ??= this.#ask()
      .catch(() => this.#otherwise)
      .finally(() => {
        this.#asked = undefined;
      });
    const { promise: late, resolve } = Promise.withResolvers<T>();
    const timer = setTimeout(() => resolve(this.#otherwise), answerMs);
    try {
      return await Promise.race([this.#asked, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
