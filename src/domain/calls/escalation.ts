// The escalation engine: decides after each event who is called next, on which number, when and why. Pure.

import { nextDutyOf, onDutyIn } from '../on-call/on-duty.ts';
import type { CallGroup } from '../people/call-group.ts';
import { refer } from '../people/references.ts';
import { attemptLines } from './busy-lines.ts';
import type { Call, CallEvent, CallNote, CallStep, CallTrouble, Cycle, NewAttempt, RoundEnd } from './call.ts';
import { countsInLevel, isHeard, isOpen, noWait, reasonOfRoundEnd } from './call.ts';
import {
  afterAnswer,
  afterAttempt,
  afterSilence,
  attemptNow,
  type Contact,
  type CycleStep,
  isHeldAlike,
  newCycle,
  reasonForNextAttempt,
  waitsForLine,
  wantsLater,
} from './contact-cycle.ts';
import { administrators, type CallContext, targetReference } from './decision-context.ts';

/** Interval of the duty check of a group without anybody on call: a person can be set on duty by hand at any time. */
const recheckMs = 60_000;

/** Returns the call after the event, with new attempts, notes and troubles. An ended call stays ended. */
export function advanceCall(call: Call, event: CallEvent, context: CallContext, now: number): CallStep {
  const draft = new CallDraft(call, context, now);
  if (call.phase !== 'ended') draft.apply(event);
  return draft.step();
}

/** The mutable state of a call while one event is applied; step() returns the result as a value. */
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
        this.#onCauseAdded();
        break;
      case 'time':
        this.#onTimePassed();
        break;
      case 'attempt-ended':
        this.#applyToCycles(
          ({ id, phase }) => id === event.cycleId && phase === 'attempting',
          (cycle) => afterAttempt(cycle, event.outcome, this.#context, this.#now),
          event.hasMore,
        );
        break;
      case 'answered':
        this.#applyToCycles(
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
        this.#applyToCycles(
          ({ id, phase }) => id === event.cycleId && phase === 'attempting',
          (cycle) => attemptNow(cycle, 'the attempt was lost', this.#context, this.#now),
        );
        break;
      case 'causes-ended':
        if (!this.#context.causes.areAny) this.#end(event.reason);
    }
  }

  #beginRound(reason: string): void {
    this.#change({
      phase: 'calling',
      due: undefined,
      round: this.#call.round + 1,
      level: 0,
      visited: [],
      cycles: [],
      roundEnd: undefined,
    });
    this.#note({ kind: this.#call.round === 1 ? 'begun' : 'round', reason });
    const { kind, id } = this.#call.target;
    const groupId = kind === 'last-resort' ? this.#context.policy.lastResortGroupId : id;
    if (kind === 'user') this.#callPeople([id], undefined, false, reason);
    else if (groupId === undefined) this.#callPeople(administrators(this.#context.snapshot), undefined, false, reason);
    else this.#enterGroup(groupId, reason);
    this.#continueLevel();
  }

  /** A group without anybody on duty passes the call on to its relief group at once, or waits for the next duty. */
  #enterGroup(groupId: number, reason: string): void {
    this.#change({ groupId, visited: [...this.#call.visited, groupId] });
    const group = this.#context.snapshot.groups.get(groupId);
    const members = group === undefined ? [] : this.#membersOf(group, false);
    const relief = group === undefined ? [] : this.#membersOf(group, true);
    if (group === undefined || members.length + relief.length === 0) this.#handleNobodyOnCall(groupId, group);
    else if (members.length === 0) this.#callPeople(relief, groupId, true, 'only relief is on duty');
    else if (group.callMode === 'turn') this.#callNextInTurn(group, () => true, reason);
    else this.#callPeople(members, groupId, false, reason);
  }

  /** Calls the next member after the one called last who may be called; returns false if there is none. */
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

  #handleNobodyOnCall(groupId: number, group: CallGroup | undefined): void {
    const duty = group && onDutyIn(group, this.#context.snapshot, this.#now);
    const why = duty?.nobody ?? 'it does not exist any more';
    const name = refer.group(groupId);
    // A locked duty means that nobody is to be called, the relief group included.
    if (!duty?.isLocked && this.#enterRelief(`nobody is on call in ${name}: ${why}`)) return;
    if (this.#call.cycles.length > 0) return;
    const sentence = `Nobody is on call in ${name}: ${why}`;
    this.#trouble({ kind: 'nobody-on-call', groupId, sentence, ...(duty?.isLocked ? { isWanted: true } : {}) });
    const first = this.#context.snapshot.groups.get(this.#call.visited[0] ?? 0);
    if (first?.discardWhenNobodyOnCall) {
      this.#end(`discarded: nobody is on call: ${why}`);
    } else {
      this.#waitForDuty();
      this.#note({ kind: 'waiting', groupId, reason: `nobody is on call: ${why}` });
    }
  }

  #waitForDuty(): void {
    const groups = this.#visitedGroups();
    const next = groups.map((group) => nextDutyOf(group, this.#context.snapshot, this.#now));
    // Skip shifts that have already started: their holders cannot be called.
    const coming = next.filter((at) => at > this.#now);
    this.#change({ phase: 'waiting', due: Math.min(...coming, this.#now + recheckMs) });
  }

  #visitedGroups(): readonly CallGroup[] {
    return this.#call.visited.flatMap((id) => this.#context.snapshot.groups.get(id) ?? []);
  }

  /** Calls the relief group of this level; returns false if there is none that was not called in this round. */
  #enterRelief(reason: string): boolean {
    const reliefId = this.#reliefGroup();
    if (reliefId === undefined) return false;
    this.#change({ level: this.#call.level + 1 });
    this.#note({ kind: 'level', groupId: reliefId, reason });
    this.#enterGroup(reliefId, reason);
    return true;
  }

  #reliefGroup(): number | undefined {
    const reliefId = this.#context.snapshot.groups.get(this.#call.groupId ?? 0)?.reliefGroupId;
    return reliefId === undefined || this.#call.visited.includes(reliefId) ? undefined : reliefId;
  }

  /** Skips people with an open cycle: after an escalation by hand, members of the relief group may have one already. */
  #callPeople(userIds: readonly number[], groupId: number | undefined, isRelief: boolean, reason: string): void {
    for (const userId of userIds.filter((id) => !this.#isBeingCalled(id)))
      this.#beginCycle({ userId, groupId, level: this.#call.level, isRelief }, reason);
  }

  #beginCycle(contact: Contact, reason: string): void {
    const cycle = this.#addCycle(contact);
    this.#storeCycle(cycle, attemptNow(cycle, reason, this.#context, this.#now));
  }

  #addCycle(contact: Contact): Cycle {
    const cycle = newCycle(this.#newId(), contact);
    this.#change({ cycles: [...this.#call.cycles, cycle] });
    return cycle;
  }

  #isBeingCalled(userId: number): boolean {
    return this.#call.cycles.some((cycle) => cycle.userId === userId && isOpen(cycle));
  }

  /** Returns a negative id that is unique within the call. */
  #newId(): number {
    return -(this.#call.round * 100_000 + this.#call.cycles.length + 1);
  }

  /** Calls people again who have heard the call: one attempt announces all open causes. */
  #onCauseAdded(): void {
    const heard = this.#call.cycles.filter(({ phase }) => phase === 'acknowledged');
    const isAgain = this.#context.policy.callAgain;
    if (this.#call.phase === 'pausing' && (isAgain || heard.length === 0)) {
      this.#beginRound('another alarm');
      return;
    }
    if (isAgain) for (const cycle of heard.filter(({ level }) => level === this.#call.level)) this.#callAgain(cycle);
    // A new cause of priority 1 is exempt from the cap: held cycles try again and announce all causes.
    this.#applyToCycles(
      ({ phase }) => phase === 'held',
      (cycle) => attemptNow(cycle, 'another alarm', this.#context, this.#now),
    );
  }

  #callAgain(cycle: Cycle): void {
    this.#replace(cycle, { ...cycle, phase: 'followed' });
    const { userId, groupId, level, isRelief } = cycle;
    const next = this.#addCycle({ userId, groupId, level, isRelief });
    const step = attemptNow(next, 'another alarm', this.#context, this.#now);
    // The person is usually still on the telephone for this call, so a wait for the line gets no row and no note.
    if (waitsForLine(step.cycle)) this.#replace(next, step.cycle);
    else this.#storeCycle(next, step);
  }

  #onTimePassed(): void {
    const { phase, due } = this.#call;
    const isDue = due !== undefined && due <= this.#now;
    if (isDue && phase === 'pausing') this.#beginRound('nobody has acknowledged the alarm');
    else if (isDue && phase === 'waiting') this.#recheckDuty();
    else this.#continueDueCycles();
  }

  #continueDueCycles(): void {
    this.#applyToCycles(
      (cycle) => isOpen(cycle) && cycle.due !== undefined && cycle.due <= this.#now,
      (cycle) =>
        cycle.phase === 'reached'
          ? afterSilence(cycle, this.#context, this.#now)
          : attemptNow(cycle, reasonForNextAttempt(cycle), this.#context, this.#now),
    );
  }

  #recheckDuty(): void {
    const isSomebody = this.#visitedGroups().some(
      (group) => onDutyIn(group, this.#context.snapshot, this.#now).members.length > 0,
    );
    if (isSomebody) this.#beginRound('somebody is on call now');
    else this.#waitForDuty();
  }

  /** Calls the relief group at once; open cycles continue. */
  #escalate(by: string): void {
    if (this.#call.phase === 'waiting' || this.#reliefGroup() === undefined) return;
    this.#change({ phase: 'calling', due: undefined });
    this.#enterRelief(`escalated by ${by}`);
    this.#continueLevel();
  }

  /**
   * Advances the selected cycles, then the level. With `hasMore`, a person who acknowledged is called again for the
   * causes that were not announced. Ends the call with `endReason`, if given, when no cause is open any more.
   */
  #applyToCycles(
    isSelected: (cycle: Cycle) => boolean,
    advance: (cycle: Cycle) => CycleStep,
    hasMore = false,
    endReason?: string,
  ): void {
    for (const cycle of this.#call.cycles.filter(isSelected)) {
      const step = advance(cycle);
      this.#storeCycle(cycle, step);
      if (step.cycle.phase === 'acknowledged' && hasMore && this.#context.policy.callAgain) this.#callAgain(step.cycle);
    }
    if (endReason !== undefined && !this.#context.causes.areAny) this.#end(endReason);
    else this.#continueLevel();
  }

  #storeCycle(before: Cycle, { cycle, attempt }: CycleStep): void {
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

  /** Calls relief if needed. When the level has no open cycle, calls the relief group, pauses or ends the call. */
  #continueLevel(): void {
    if (this.#call.phase !== 'calling') return;
    const level = this.#call.cycles.filter((cycle) => cycle.level === this.#call.level && countsInLevel(cycle));
    if (this.#callRelief(level)) this.#continueLevel();
    else if (level.some(isOpen)) return;
    else if (!isHeard(level) && this.#enterRelief(reasonOfRoundEnd.unacknowledged)) this.#continueLevel();
    // After an escalation by hand, cycles of earlier levels may still be open.
    else if (this.#call.phase !== 'calling' || this.#call.cycles.some(isOpen)) return;
    else if (isHeard(this.#call.cycles)) this.#pauseOrEnd('heard');
    else this.#giveUpRound();
  }

  #giveUpRound(): void {
    const roundEnd = this.#call.cycles.length === 0 ? 'nobody-to-call' : 'unacknowledged';
    const reason = reasonOfRoundEnd[roundEnd];
    // A message, a test or a return to normal cannot be acknowledged, so it is no trouble when nobody does.
    if (this.#context.causes.isAsking)
      this.#trouble({
        kind: 'nobody-took-it',
        groupId: this.#call.target.kind === 'group' ? this.#call.target.id : undefined,
        sentence: `${targetReference(this.#call.target)} was called in vain, round ${this.#call.round}: ${reason}`,
      });
    this.#note({ kind: 'exhausted', reason });
    this.#pauseOrEnd(roundEnd);
  }

  /** Calls the next member in turn, or the relief members that are needed now; returns whether it called anybody. */
  #callRelief(level: readonly Cycle[]): boolean {
    const group = this.#context.snapshot.groups.get(this.#call.groupId ?? 0);
    if (group === undefined || level.length === 0) return false;
    const isNotCalledYet = (userId: number): boolean =>
      !level.some((cycle) => cycle.userId === userId) && !this.#isBeingCalled(userId);
    const failed = level.filter(({ phase, isRelief }) => phase === 'failed' && !isRelief);
    const called = level.filter(({ isRelief }) => isRelief);
    const haveAllFailed = level.every(({ phase }) => phase === 'failed');
    const isNextInTurnDue = haveAllFailed && called.length === 0 && group.callMode === 'turn';
    if (isNextInTurnDue && this.#callNextInTurn(group, isNotCalledYet, 'the one before was not reached')) return true;
    const relief = this.#membersOf(group, true).filter(isNotCalledYet);
    const wanted =
      group.reliefMode === 'perUser'
        ? relief.slice(0, Math.max(0, failed.length - called.length))
        : haveAllFailed && called.length === 0
          ? relief
          : [];
    this.#callPeople(wanted, group.id, true, 'relief: others were not reached');
    return wanted.length > 0;
  }

  /** Pauses until the next round if a cause must be acknowledged; ends the call if none must. */
  #pauseOrEnd(roundEnd: RoundEnd): void {
    const reason = reasonOfRoundEnd[roundEnd];
    this.#change({ roundEnd, failedAt: roundEnd === 'heard' ? undefined : this.#now });
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
    const { members } = onDutyIn(group, this.#context.snapshot, this.#now);
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
