// How calling goes on: who is called next, by what, when and why, after each thing that happens to a call. Pure.

import { nextDutyOf, onDutyIn } from '../on-call/on-duty.ts';
import type { CallGroup } from '../people/call-group.ts';
import { attemptLines } from './busy-lines.ts';
import type { Call, CallEvent, CallNote, CallTrouble, Cycle, NewAttempt } from './call.ts';
import { calledInVain, countsInLevel, isHeard, isOpen, noWait } from './call.ts';
import {
  afterAnswer,
  afterAttempt,
  afterSilence,
  attemptNow,
  type Contact,
  type CycleStep,
  isHeldAlike,
  newCycle,
  waitsForLine,
  wantsLater,
  whyAgain,
} from './contact-cycle.ts';
import { administrators, type CallContext, whomOf } from './decision-context.ts';

export type CallStep = {
  readonly call: Call;
  readonly attempts: readonly NewAttempt[];
  readonly notes: readonly CallNote[];
  readonly troubles: readonly CallTrouble[];
  /** By group that calls in turn: who was called now. */
  readonly inTurn: ReadonlyMap<number, number>;
};

/** A group nobody is on call in is looked at again so often: somebody may come on duty by hand at any time. */
const recheckMs = 60_000;

/** What follows from the event. An ended call stays ended. */
export function advanceCall(call: Call, event: CallEvent, context: CallContext, now: number): CallStep {
  const draft = new CallDraft(call, context, now);
  if (call.phase !== 'ended') draft.apply(event);
  return draft.step();
}

/** The call while one event is worked in; what leaves it is a value. */
class CallDraft {
  #call: Call;
  readonly #context: CallContext;
  readonly #now: number;
  readonly #attempts: NewAttempt[] = [];
  readonly #notes: CallNote[] = [];
  readonly #troubles: CallTrouble[] = [];
  readonly #inTurn = new Map<number, number>();
  readonly #linesInUse: Set<string>;

  constructor(call: Call, context: CallContext, now: number) {
    this.#call = call;
    this.#linesInUse = new Set(context.linesInUse);
    this.#context = { ...context, linesInUse: this.#linesInUse };
    this.#now = now;
  }

  step(): CallStep {
    return {
      call: this.#call,
      attempts: this.#attempts,
      notes: this.#notes,
      troubles: this.#troubles,
      inTurn: this.#inTurn,
    };
  }

  apply(event: CallEvent): void {
    switch (event.kind) {
      case 'begin':
        this.#beginRound('raised');
        break;
      case 'cause-added':
        this.#hearOfMore();
        break;
      case 'time':
        this.#passTime();
        break;
      case 'attempt-ended':
        this.#settle(
          ({ id, phase }) => id === event.cycleId && phase === 'attempting',
          (cycle) => afterAttempt(cycle, event.outcome, this.#context, this.#now),
          event.hasMore,
        );
        break;
      case 'answered':
        this.#settle(
          (cycle) => cycle.userId === event.userId && isOpen(cycle),
          (cycle) => ({ cycle: afterAnswer(cycle, event.answer, this.#now) }),
          event.hasMore,
          event.reason,
        );
        break;
      case 'escalated':
        this.#escalate(event.by);
        break;
      case 'attempt-lost':
        this.#settle(
          ({ id, phase }) => id === event.cycleId && phase === 'attempting',
          (cycle) => attemptNow(cycle, 'the attempt was lost', this.#context, this.#now),
        );
        break;
      case 'causes-ended':
        if (!this.#context.causes.areAny) this.#end(event.reason);
    }
  }

  #beginRound(reason: string): void {
    this.#change({ phase: 'calling', due: undefined, round: this.#call.round + 1, level: 0, visited: [], cycles: [] });
    this.#note({ kind: this.#call.round === 1 ? 'begun' : 'round', reason });
    const { kind, id } = this.#call.target;
    const groupId = kind === 'last-resort' ? this.#context.policy.lastResortGroupId : id;
    if (kind === 'user') this.#callPeople([id], undefined, false, reason);
    else if (groupId === undefined) this.#callPeople(administrators(this.#context.directory), undefined, false, reason);
    else this.#enterGroup(groupId, reason);
    this.#goOn();
  }

  /** An empty group never waits out a delay: the relief group at once, or the next time somebody is on duty. */
  #enterGroup(groupId: number, reason: string): void {
    this.#change({ groupId, visited: [...this.#call.visited, groupId] });
    const group = this.#context.directory.groups.get(groupId);
    const members = group === undefined ? [] : this.#membersOf(group, false);
    const relief = group === undefined ? [] : this.#membersOf(group, true);
    if (group === undefined || members.length + relief.length === 0) this.#findNobody(groupId, group);
    else if (members.length === 0) this.#callPeople(relief, groupId, true, 'only relief is on duty');
    else if (group.callMode === 'turn') this.#callNextInTurn(group, () => true, reason);
    else this.#callPeople(members, groupId, false, reason);
  }

  /** The first who may be called, after the one who was called last; answers whether there is one. */
  #callNextInTurn(group: CallGroup, mayBeCalled: (userId: number) => boolean, reason: string): boolean {
    const members = this.#membersOf(group, false);
    const last = this.#inTurn.get(group.id) ?? this.#context.lastInTurn.get(group.id);
    const index = members.indexOf(last ?? 0) + 1;
    const next = [...members.slice(index), ...members.slice(0, index)].find(
      (userId) => mayBeCalled(userId) && !this.#isBeingCalled(userId),
    );
    if (next === undefined) return false;
    this.#inTurn.set(group.id, next);
    this.#callPeople([next], group.id, false, reason);
    return true;
  }

  #findNobody(groupId: number, group: CallGroup | undefined): void {
    const duty = group && onDutyIn(group, this.#context.directory, this.#now);
    const why = duty?.nobody ?? 'it does not exist any more';
    const name = group === undefined ? `${groupId}` : `"${group.name}"`;
    // Who locks a duty wants nobody called, relief neither.
    if (!duty?.isLocked && this.#enterRelief(`nobody is on call in ${name}: ${why}`)) return;
    if (this.#call.cycles.length > 0) return;
    const sentence = `Nobody is on call in call group ${name}: ${why}`;
    this.#trouble({ kind: 'nobody-on-call', groupId, sentence, ...(duty?.isLocked ? { isWanted: true } : {}) });
    const first = this.#context.directory.groups.get(this.#call.visited[0] ?? 0);
    if (first?.discardWhenNobodyOnCall) {
      this.#end(`discarded: nobody is on call: ${why}`);
    } else {
      this.#waitForDuty();
      this.#note({ kind: 'waiting', groupId, reason: `nobody is on call: ${why}` });
    }
  }

  #waitForDuty(): void {
    const groups = this.#visitedGroups();
    const next = groups.map((group) => nextDutyOf(group, this.#context.directory, this.#now));
    // A duty that somebody has already, but nobody who could be called, is nothing to wait for.
    const coming = next.filter((at) => at > this.#now);
    this.#change({ phase: 'waiting', due: Math.min(...coming, this.#now + recheckMs) });
  }

  #visitedGroups(): readonly CallGroup[] {
    return this.#call.visited.flatMap((id) => this.#context.directory.groups.get(id) ?? []);
  }

  /** Goes on to the relief group of this level; answers whether there is one that was not called yet. */
  #enterRelief(reason: string): boolean {
    const reliefId = this.#reliefGroup();
    if (reliefId === undefined) return false;
    this.#change({ level: this.#call.level + 1 });
    this.#note({ kind: 'level', groupId: reliefId, reason });
    this.#enterGroup(reliefId, reason);
    return true;
  }

  #reliefGroup(): number | undefined {
    const reliefId = this.#context.directory.groups.get(this.#call.groupId ?? 0)?.reliefGroupId;
    return reliefId === undefined || this.#call.visited.includes(reliefId) ? undefined : reliefId;
  }

  /** Nobody has two turns at once: after an escalation by hand, some may be at it already. */
  #callPeople(userIds: readonly number[], groupId: number | undefined, isRelief: boolean, reason: string): void {
    for (const userId of userIds.filter((id) => !this.#isBeingCalled(id)))
      this.#beginTurn({ userId, groupId, level: this.#call.level, isRelief }, reason);
  }

  #beginTurn(contact: Contact, reason: string): void {
    const cycle = this.#addTurn(contact);
    this.#keep(cycle, attemptNow(cycle, reason, this.#context, this.#now));
  }

  #addTurn(contact: Contact): Cycle {
    const cycle = newCycle(this.#newId(), contact);
    this.#change({ cycles: [...this.#call.cycles, cycle] });
    return cycle;
  }

  #isBeingCalled(userId: number): boolean {
    return this.#call.cycles.some((cycle) => cycle.userId === userId && isOpen(cycle));
  }

  /** Below zero, and like no other of this call. */
  #newId(): number {
    return -(this.#call.round * 100_000 + this.#call.cycles.length + 1);
  }

  /** People who were called already are called again: one call tells of everything that is open. */
  #hearOfMore(): void {
    const heard = this.#call.cycles.filter(({ phase }) => phase === 'acknowledged');
    const isAgain = this.#context.policy.callAgain;
    if (this.#call.phase === 'pausing' && (isAgain || heard.length === 0)) {
      this.#beginRound('another alarm');
      return;
    }
    if (isAgain) for (const cycle of heard.filter(({ level }) => level === this.#call.level)) this.#callAgain(cycle);
    // What is most urgent is not held back, and takes the rest along.
    this.#settle(
      ({ phase }) => phase === 'held',
      (cycle) => attemptNow(cycle, 'another alarm', this.#context, this.#now),
    );
  }

  #callAgain(cycle: Cycle): void {
    this.#replace(cycle, { ...cycle, phase: 'followed' });
    const { userId, groupId, level, isRelief } = cycle;
    const turn = this.#addTurn({ userId, groupId, level, isRelief });
    const step = attemptNow(turn, 'another alarm', this.#context, this.#now);
    // Mostly they are still on the line for this very call: that is nothing to tell of.
    if (waitsForLine(step.cycle)) this.#replace(turn, step.cycle);
    else this.#keep(turn, step);
  }

  #passTime(): void {
    const { phase, due } = this.#call;
    const isDue = due !== undefined && due <= this.#now;
    if (isDue && phase === 'pausing') this.#beginRound('nobody has acknowledged the alarm');
    else if (isDue && phase === 'waiting') this.#lookForDuty();
    else this.#passTimeOfCycles();
  }

  #passTimeOfCycles(): void {
    this.#settle(
      (cycle) => isOpen(cycle) && cycle.due !== undefined && cycle.due <= this.#now,
      (cycle) =>
        cycle.phase === 'reached'
          ? afterSilence(cycle, this.#context, this.#now)
          : attemptNow(cycle, whyAgain(cycle), this.#context, this.#now),
    );
  }

  #lookForDuty(): void {
    const isSomebody = this.#visitedGroups().some(
      (group) => onDutyIn(group, this.#context.directory, this.#now).members.length > 0,
    );
    if (isSomebody) this.#beginRound('somebody is on call now');
    else this.#waitForDuty();
  }

  /** The relief group at once; those who are being called already go on being called. */
  #escalate(by: string): void {
    if (this.#call.phase === 'waiting' || this.#reliefGroup() === undefined) return;
    this.#change({ phase: 'calling', due: undefined });
    this.#enterRelief(`escalated by ${by}`);
    this.#goOn();
  }

  /**
   * Takes each of the cycles a step on, then sees what that means for the whole. Whoever has heard, but not of everything
   * that is open by now, is called again for the rest. When nothing is open any more, that is why it ends.
   */
  #settle(
    concerns: (cycle: Cycle) => boolean,
    next: (cycle: Cycle) => CycleStep,
    hasMore = false,
    over?: string,
  ): void {
    for (const cycle of this.#call.cycles.filter(concerns)) {
      const step = next(cycle);
      this.#keep(cycle, step);
      if (step.cycle.phase === 'acknowledged' && hasMore && this.#context.policy.callAgain) this.#callAgain(step.cycle);
    }
    if (over !== undefined && !this.#context.causes.areAny) this.#end(over);
    else this.#goOn();
  }

  #keep(before: Cycle, { cycle, attempt }: CycleStep): void {
    this.#replace(before, cycle);
    if (attempt !== undefined) {
      this.#attempts.push(attempt);
      for (const line of attemptLines(attempt)) this.#linesInUse.add(line);
    }
    if (isHeldAlike(before, cycle)) return;
    const { id: cycleId, userId, groupId, reason, phase } = cycle;
    if (phase === 'acknowledged' || phase === 'failed' || phase === 'held')
      this.#note({ kind: phase, userId, cycleId, groupId, reason });
    else if (wantsLater(cycle)) this.#note({ kind: 'later', userId, cycleId, groupId, reason });
  }

  /** Once nobody of this level has anything left to do: relief, the next group, a pause, or the end. */
  #goOn(): void {
    if (this.#call.phase !== 'calling') return;
    const level = this.#call.cycles.filter((cycle) => cycle.level === this.#call.level && countsInLevel(cycle));
    if (this.#callRelief(level)) this.#goOn();
    else if (level.some(isOpen)) return;
    else if (!isHeard(level) && this.#enterRelief(calledInVain)) this.#goOn();
    // After an escalation by hand, those of the levels before may still be at it.
    else if (this.#call.phase !== 'calling' || this.#call.cycles.some(isOpen)) return;
    else if (isHeard(this.#call.cycles)) this.#rest('heard, but nobody has taken the alarm');
    else this.#giveUpRound();
  }

  #giveUpRound(): void {
    const reason = this.#call.cycles.length === 0 ? 'there is nobody to call' : calledInVain;
    // Of a message, a test or a return to normal there is nothing to take.
    if (this.#context.causes.isAsking)
      this.#trouble({
        kind: 'nobody-took-it',
        groupId: this.#call.target.kind === 'group' ? this.#call.target.id : undefined,
        sentence: `${whomOf(this.#call.target, this.#context.directory)} was called in vain, round ${this.#call.round}: ${reason}`,
      });
    this.#note({ kind: 'exhausted', reason });
    this.#rest(reason);
  }

  /** Calls the next in turn, or relief members whose time has come; answers whether anybody was. */
  #callRelief(level: readonly Cycle[]): boolean {
    const group = this.#context.directory.groups.get(this.#call.groupId ?? 0);
    if (group === undefined || level.length === 0) return false;
    const fresh = (userId: number): boolean =>
      !level.some((cycle) => cycle.userId === userId) && !this.#isBeingCalled(userId);
    const failed = level.filter(({ phase, isRelief }) => phase === 'failed' && !isRelief);
    const called = level.filter(({ isRelief }) => isRelief);
    const isLost = level.every(({ phase }) => phase === 'failed');
    const isInTurn = isLost && called.length === 0 && group.callMode === 'turn';
    if (isInTurn && this.#callNextInTurn(group, fresh, 'the one before was not reached')) return true;
    const relief = this.#membersOf(group, true).filter(fresh);
    const wanted =
      group.reliefMode === 'perUser'
        ? relief.slice(0, Math.max(0, failed.length - called.length))
        : isLost && called.length === 0
          ? relief
          : [];
    this.#callPeople(wanted, group.id, true, 'relief: others were not reached');
    return wanted.length > 0;
  }

  /** Until it begins from the start, for what must be acknowledged; otherwise this was all. */
  #rest(reason: string): void {
    if (this.#context.causes.isUntilAcknowledged)
      this.#change({ phase: 'pausing', due: this.#now + this.#context.policy.pauseMs, reason });
    else this.#end(reason);
  }

  #end(reason: string): void {
    const cycles = this.#call.cycles.map((cycle) =>
      isOpen(cycle) ? { ...cycle, ...noWait, phase: 'ended' as const, reason } : cycle,
    );
    this.#change({ phase: 'ended', due: undefined, cycles, reason });
    this.#note({ kind: 'ended', reason });
  }

  #membersOf(group: CallGroup, isRelief: boolean): readonly number[] {
    const { members } = onDutyIn(group, this.#context.directory, this.#now);
    return members.filter(({ relief }) => relief === isRelief).map(({ userId }) => userId);
  }

  #change(change: Partial<Call>): void {
    this.#call = { ...this.#call, ...change };
  }

  #replace(before: Cycle, after: Cycle): void {
    this.#change({ cycles: this.#call.cycles.map((cycle) => (cycle.id === before.id ? after : cycle)) });
  }

  #note(note: CallNote): void {
    this.#notes.push(note);
  }

  #trouble(trouble: CallTrouble): void {
    this.#troubles.push(trouble);
  }
}
