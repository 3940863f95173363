// What a decision depends on besides escalations and attempts, and the instant it is made at. Pure.

import type { CallPolicy } from '../calls/call.ts';
import type { ChoiceContext } from '../channels/choose-provider.ts';
import type { Tolls } from '../channels/toll-limits.ts';
import type { PeopleSnapshot } from '../people/call-group.ts';

export type World = {
  readonly snapshot: PeopleSnapshot;
  readonly policy: CallPolicy;
  /** By id of a number: until when it is locked because of wrong PINs. */
  readonly locks: ReadonlyMap<number, number>;
  /** By id of a group: the person who was called last in turn. */
  readonly turns: ReadonlyMap<number, number>;
  readonly providers: Pick<ChoiceContext, 'providers' | 'uses' | 'hasSimulator' | 'goneNodes'>;
  /** By channel: when one of its providers last began to work again. */
  readonly recoveries: ReadonlyMap<string, number>;
  readonly tolls: Tolls;
};

/** What a decision depends on besides what is stored of its causes and people. */
export type Depends = {
  /** In engine time; infinity: it stands until something changes. */
  readonly until: number;
  /** The same for what is written in civil time, which may go slower than engine time. */
  readonly untilCivil: number;
  /** Whether it depends on lines in use, providers and limits. */
  readonly onWays: boolean;
};

/**
 * The instant of a decision. Durations are compared in engine time, hours and duties in civil time. It remembers the least
 * future instant that it was compared with: nothing but a change can alter the decision before.
 */
export class DecisionTime {
  readonly engine: number;
  readonly civil: number;
  readonly #engineAt: (civil: number) => number;
  #next = Number.POSITIVE_INFINITY;
  #nextCivil = Number.POSITIVE_INFINITY;
  #asksForWays = false;

  /** `engineAt`: engine time of a later instant of civil time, which goes faster while the clocks are ahead of the database's. */
  constructor(engine: number, civil: number, engineAt = (at: number): number => engine + at - civil) {
    this.engine = engine;
    this.civil = civil;
    this.#engineAt = engineAt;
  }

  /** Whether the instant, in engine time, is over. */
  hasPassed(at: number): boolean {
    if (at <= this.engine) return true;
    this.#next = Math.min(this.#next, at);
    return false;
  }

  /** Decides again at the instant in civil time. */
  noteCivil(at: number | undefined): void {
    if (at !== undefined && at > this.civil) this.#nextCivil = Math.min(this.#nextCivil, at);
  }

  /** Depends on lines in use, providers and limits. */
  noteWays(): void {
    this.#asksForWays = true;
  }

  /** Depends on the same as something that was decided before. */
  note({ until, untilCivil, onWays }: Depends): void {
    this.#next = Math.min(this.#next, until);
    this.#nextCivil = Math.min(this.#nextCivil, untilCivil);
    this.#asksForWays ||= onWays;
  }

  /** Decides a part, and returns with it what that alone depends on. */
  during<T>(work: () => T): { readonly result: T; readonly depends: Depends } {
    const before = this.depends;
    this.#next = Number.POSITIVE_INFINITY;
    this.#nextCivil = Number.POSITIVE_INFINITY;
    this.#asksForWays = false;
    const result = work();
    const { depends } = this;
    this.note(before);
    return { result, depends };
  }

  /** What was compared with so far. */
  get depends(): Depends {
    return { until: this.#next, untilCivil: this.#nextCivil, onWays: this.#asksForWays };
  }

  /** When to decide again although nothing has changed, in engine time; undefined: never. */
  get next(): number | undefined {
    const next = Math.min(this.#next, this.ofCivil(this.#nextCivil));
    return next === Number.POSITIVE_INFINITY ? undefined : next;
  }

  /** A later instant of civil time in engine time, as both go on from here. */
  ofCivil(at: number): number {
    return at === Number.POSITIVE_INFINITY ? at : this.#engineAt(at);
  }
}
