// The clocks of a simulation: time that elapses, the clock of the database, which is set now and then, and that of the server,
// which follows it and never goes back. Engine time is what the server's clock would show had it never been set ahead.

import { aheadAt, clockDecision } from '../../../src/domain/clock-step.ts';
import type { noteClockStep } from '../../../src/operations/system/clock-step.ts';

type Step = { readonly at: number; readonly byMs: number };

type NoteClockStep = Parameters<(typeof noteClockStep)['run']>[2];

export class StoreClock {
  /** Time that has elapsed. */
  elapsed: number;
  /** What the clock of the database is ahead of it. */
  #offset = 0;
  #ahead = { aheadMs: 0, since: 0 };
  #steps = 0;
  readonly #forwards: Step[] = [];

  constructor(begin: number) {
    this.elapsed = begin;
  }

  /** What the clock of the database shows. */
  get civil(): number {
    return this.elapsed + this.#offset;
  }

  /** What the clocks of the nodes show. */
  get now(): number {
    return this.civil + aheadAt(this.#ahead, this.civil);
  }

  get engine(): number {
    return this.now - this.#total;
  }

  /** How many steps were noted. */
  get steps(): number {
    return this.#steps;
  }

  get #total(): number {
    return this.#forwards.reduce((sum, { byMs }) => sum + byMs, 0);
  }

  /** Engine time of a recorded instant. */
  ofRecord(at: number): number {
    return this.#forwards.reduce((engine, step) => (step.at <= at ? engine - step.byMs : engine), at);
  }

  /** Engine time of an instant that is waited for, which was moved when the clock was set. */
  ofWait(at: number): number {
    return at - this.#total;
  }

  /** Sets the clock of the database; returns what a node stores about it, undefined if it need not. */
  set(byMs: number): NoteClockStep | undefined {
    const { now } = this;
    this.#offset += byMs;
    const decision = clockDecision(now, this.civil, this.#ahead, 0);
    if (decision.kind !== 'forward' && decision.kind !== 'back') return undefined;
    const { kind, setMs, byMs: forwardMs, aheadMs } = decision;
    this.#ahead = { aheadMs, since: this.civil };
    if (forwardMs > 0) this.#forwards.push({ at: now + forwardMs, byMs: forwardMs });
    return { knownSteps: this.#steps++, kind, setMs, byMs: forwardMs, aheadMs, since: this.civil };
  }
}
