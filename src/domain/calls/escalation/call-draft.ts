// The mutable state of a call while one event is applied to it. Pure.

import { tollsAfter } from '../../channels/toll-limits.ts';
import { attemptLines } from '../busy-lines.ts';
import type { Call, CallNote, CallStep, CallTrouble, Cycle, NewAttempt } from '../call.ts';
import { isOpen, noWait } from '../call.ts';
import { type Contact, type CycleStep, isHeldAlike, newCycle, wantsLater } from '../contact-cycle.ts';
import type { CallContext } from '../decision-context.ts';
import { newNotice } from '../notice-cycle.ts';

/** The rules change the draft; step() returns the result as a value. */
export class CallDraft {
  readonly now: number;
  #context: CallContext;
  #call: Call;
  readonly #attempts: NewAttempt[] = [];
  readonly #notes: CallNote[] = [];
  readonly #troubles: CallTrouble[] = [];
  readonly #replaced: Cycle[] = [];
  readonly #inTurn = new Map<number, number>();
  readonly #linesInUse: Set<string>;

  constructor(call: Call, context: CallContext, now: number) {
    this.#call = call;
    this.#linesInUse = new Set(context.linesInUse);
    this.#context = { ...context, linesInUse: this.#linesInUse };
    this.now = now;
  }

  get context(): CallContext {
    return this.#context;
  }

  get call(): Call {
    return this.#call;
  }

  step(): CallStep {
    return {
      call: this.#call,
      attempts: this.#attempts,
      notes: this.#notes,
      troubles: this.#troubles,
      replaced: this.#replaced,
      inTurn: this.#inTurn,
    };
  }

  change(change: Partial<Call>): void {
    this.#call = { ...this.#call, ...change };
  }

  note(note: CallNote): void {
    this.#notes.push(note);
  }

  trouble(trouble: CallTrouble): void {
    this.#troubles.push(trouble);
  }

  end(reason: string): void {
    const cycles = this.#call.cycles.map((cycle) => (isOpen(cycle) ? endedCycle(cycle, reason) : cycle));
    this.change({ phase: 'ended', due: undefined, cycles, reason });
    this.note({ kind: 'ended', reason });
  }

  /** Ends the cycles of the present round that are open, because a new round replaces them: nothing outlives its round. */
  replaceCycles(reason: string): void {
    this.#replaced.push(...this.#call.cycles.filter(isOpen).map((cycle) => endedCycle(cycle, reason)));
    this.change({ cycles: [] });
  }

  addCycle(contact: Contact): Cycle {
    return this.#add(newCycle(this.context.newCycleId(), contact));
  }

  addNotice(contact: Contact, numberId: number): Cycle {
    return this.#add(newNotice(this.context.newCycleId(), contact, numberId));
  }

  #add(cycle: Cycle): Cycle {
    this.change({ cycles: [...this.#call.cycles, cycle] });
    return cycle;
  }

  /** Begins the next level, which has its own time to take the alarm. */
  beginLevel(): void {
    this.change({ levelSince: undefined, takeBy: undefined });
  }

  replaceCycle(before: Cycle, after: Cycle): void {
    this.change({ cycles: this.#call.cycles.map((cycle) => (cycle.id === before.id ? after : cycle)) });
  }

  /** Replaces the cycle, takes its attempt and notes what has become of it. */
  storeCycle(before: Cycle, { cycle, attempt }: CycleStep): void {
    this.replaceCycle(before, cycle);
    if (attempt !== undefined) {
      this.#attempts.push(attempt);
      const isFirst = this.#call.levelSince === undefined && attempt.number !== undefined && !attempt.isNotice;
      if (isFirst) this.change({ levelSince: this.now });
      for (const line of attemptLines(attempt)) this.#linesInUse.add(line);
      const { tolls } = this.#context;
      if (tolls !== undefined) this.#context = { ...this.#context, tolls: tollsAfter(tolls, attempt, this.now) };
    }
    if (isHeldAlike(before, cycle)) return;
    const { id: cycleId, userId, groupId, reason, phase } = cycle;
    if (phase === 'acknowledged' || phase === 'failed' || phase === 'held')
      this.note({ kind: phase, userId, cycleId, groupId, reason });
    else if (wantsLater(cycle)) this.note({ kind: 'later', userId, cycleId, groupId, reason });
  }

  isBeingCalled(userId: number): boolean {
    return this.#call.cycles.some((cycle) => cycle.userId === userId && !cycle.isNotice && isOpen(cycle));
  }

  /**
   * Not people with an open cycle, which members of a relief group may have after an escalation by hand. The first
   * round of the last resort leaves out those who have just heard the call it is about.
   */
  mayCall(userId: number): boolean {
    const hasJustHeard = this.#call.round === 1 && this.context.heardAlready?.has(userId) === true;
    return !this.isBeingCalled(userId) && !hasJustHeard;
  }

  /** Returns the member of the group who was called last in turn, in this step or before it. */
  lastInTurn(groupId: number): number | undefined {
    return this.#inTurn.get(groupId) ?? this.context.lastInTurn.get(groupId);
  }

  storeLastInTurn(groupId: number, userId: number): void {
    this.#inTurn.set(groupId, userId);
  }
}

function endedCycle(cycle: Cycle, reason: string): Cycle {
  return { ...cycle, ...noWait, phase: 'ended', reason };
}
