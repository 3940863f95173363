// What the checkers know of a trace: whose part of a round is over, and what keeps somebody from being called. It is worked
// out from the spec and the trace alone; where the spec leaves two ways to count, it says that it is unsure.

import type { Answer, Escalation } from '../../../src/domain/escalation/escalation.ts';
import type { ContactNumber } from '../../../src/domain/people/person.ts';
import { isSpokenOn, numberOf, numbersFor } from './directory.ts';
import { hasTolls, limitsReached, serves } from './tolls.ts';
import { type AttemptTrace, type EscalationTrace, isLiveAt, momentAt, type Trace } from './trace.ts';

const second = 1_000;
const laterMs = 300 * second;

/** A cause and a person, since the round of the escalation that asks began. */
export type Asked = { readonly causeId: number; readonly userId: number; readonly since: number };

export type Part = {
  readonly kind: 'answered' | 'rings' | 'awaits' | 'later' | 'wants' | 'unsure' | 'over';
  /** The numbers that are left for certain, and those that may be, in order. */
  readonly left: readonly ContactNumber[];
  readonly perhaps: readonly ContactNumber[];
  readonly laters: number;
};

export type Used = {
  readonly failed: number;
  readonly failedSince: number;
  readonly silent: number;
  readonly isFinal: boolean;
};

/** One pass of an escalation through its levels. */
export type Pass = {
  readonly escalation: EscalationTrace;
  readonly round: number;
  readonly since: number;
  readonly end: number;
  readonly how: 'paused' | 'exhausted' | 'done' | 'new-round' | 'day-over';
  readonly entered: Escalation['entered'];
};

export class View {
  readonly trace: Trace;
  readonly #ofPerson = new Map<number, AttemptTrace[]>();
  readonly #forPart = new Map<string, AttemptTrace[]>();
  readonly #answers = new Map<string, { readonly answer: Answer; readonly at: number }[]>();
  readonly #onAddress = new Map<string, AttemptTrace[]>();

  constructor(trace: Trace) {
    this.trace = trace;
    for (const attempt of trace.attempts.values()) {
      const { userId, address, tries, announced, answers, channel } = attempt.attempt;
      append(this.#ofPerson, userId, attempt);
      if (isSpokenOn(channel)) append(this.#onAddress, address, attempt);
      const causeIds = new Set([...tries.map(({ causeId }) => causeId), ...(announced ?? [])]);
      for (const causeId of causeIds) append(this.#forPart, `${causeId} ${userId}`, attempt);
      for (const { causeId, answer, at } of answers) append(this.#answers, `${causeId} ${userId}`, { answer, at });
    }
    for (const given of this.#answers.values()) given.sort((one, other) => one.at - other.at);
  }

  attemptsOf(userId: number): readonly AttemptTrace[] {
    return this.#ofPerson.get(userId) ?? [];
  }

  onAddress(address: string): readonly AttemptTrace[] {
    return this.#onAddress.get(address) ?? [];
  }

  /** Attempts of a person that were for the cause, or announced it. */
  attemptsFor(causeId: number, userId: number): readonly AttemptTrace[] {
    return this.#forPart.get(`${causeId} ${userId}`) ?? [];
  }

  answersOf(
    { causeId, userId, since }: Asked,
    until: number,
  ): readonly { readonly answer: Answer; readonly at: number }[] {
    return (this.#answers.get(`${causeId} ${userId}`) ?? []).filter(({ at }) => at >= since && at <= until);
  }

  /** `begunBefore`: of the calls, those that began before; all up to that instant if not given. */
  partAt(asked: Asked, at: number, begunBefore = at + 1): Part {
    const answers = this.answersOf(asked, at);
    const laters = answers.filter(({ answer }) => answer === 'later');
    const none = { left: [], perhaps: [], laters: laters.length };
    if (answers.some(({ answer }) => answer !== 'later') || laters.length >= 3) return { ...none, kind: 'answered' };
    const { causeId, userId, since } = asked;
    const calls = this.attemptsFor(causeId, userId).filter(
      ({ attempt, announcedAt }) =>
        attempt.kind === 'call' &&
        attempt.begunAt < begunBefore &&
        (attempt.begunAt >= since || (announcedAt ?? 0) >= since),
    );
    if (laters.some((later) => at < later.at + laterMs)) return { ...none, kind: 'later' };
    const live = calls.filter((call) => isLiveAt(call, at));
    if (live.some((call) => isTryFor(call, asked, laters))) return { ...none, kind: 'rings' };
    // A call for others on a number that the alarm has used up, or that it was announced in, may hold it or not.
    if (live.length > 0) return { ...none, kind: 'unsure' };
    const ended = calls.filter(({ attempt }) => attempt.end !== undefined && attempt.end.at <= at);
    const awaiting = ended.filter((call) => this.#awaits(call, asked, at));
    if (awaiting.some((call) => isTryFor(call, asked, laters))) return { ...none, kind: 'awaits' };
    // Nothing says whether an answer is awaited of a person who was told of the alarm in a call for others.
    if (awaiting.length > 0) return { ...none, kind: 'unsure' };
    const priority = this.trace.causes.get(causeId)?.priority.at(at) ?? 3;
    const { ring } = numbersFor(userId, priority, momentAt(this.trace, at));
    const certain = ended.filter((call) => isTryFor(call, asked, laters));
    const perhaps = ring.filter((number) => !this.#isUsedUp(number, certain, asked, at, 'since reached'));
    const left = ring.filter((number) => !this.#isUsedUp(number, ended, asked, at, 'all'));
    const kind = perhaps.length === 0 ? 'over' : left.length > 0 ? 'wants' : 'unsure';
    return { kind, left, perhaps, laters: laters.length };
  }

  #awaits(call: AttemptTrace, asked: Asked, at: number): boolean {
    const { end } = call.attempt;
    if (end?.outcome !== 'reached' || at >= end.at + call.number.timeToAckSeconds * second) return false;
    // To a number that was removed nobody can answer any more.
    const { userId, numberId } = call.attempt;
    const isThere = numberOf(this.trace.snapshots.at(at).people.get(userId), numberId) !== undefined;
    return isThere && !this.isAnswered(call, asked.causeId, at);
  }

  isAnswered({ attempt }: AttemptTrace, causeId: number, at: number): boolean {
    return attempt.answers.some((answer) => answer.causeId === causeId && answer.at <= at);
  }

  #isUsedUp(
    number: ContactNumber,
    calls: readonly AttemptTrace[],
    { causeId }: Asked,
    at: number,
    counted: 'all' | 'since reached',
  ): boolean {
    const own = calls.filter(({ attempt }) => attempt.numberId === number.id);
    const { failed, failedSince, silent, isFinal } = this.usedOf(own, causeId, at);
    const failures = counted === 'all' ? failed : failedSince;
    return isFinal || failures >= number.countTry || silent > number.countAck;
  }

  /** Counts the failures of a number, in all and since it was last reached, and the calls that reached it without an answer. */
  usedOf(calls: readonly AttemptTrace[], causeId: number, at: number): Used {
    const reached = calls.findLastIndex(({ attempt: { end } }) => end?.outcome === 'reached');
    const isFailure = ({ attempt: { end } }: AttemptTrace): boolean => end?.outcome === 'failed' && end.counts;
    const isSilent = (call: AttemptTrace): boolean =>
      call.attempt.end?.outcome === 'reached' && !this.isAnswered(call, causeId, at);
    return {
      failed: calls.filter(isFailure).length,
      failedSince: calls.slice(reached + 1).filter(isFailure).length,
      silent: calls.filter(isSilent).length,
      isFinal: calls.some(({ attempt: { end } }) => end?.isFinal),
    };
  }

  /**
   * Since when tries and answers count for the escalation: its round, and in the first round of the last resort that of the
   * group it follows, whose people are not called a second time.
   */
  sinceOf({ escalation, round, since }: Pick<Pass, 'escalation' | 'round' | 'since'>, at: number): number {
    if (escalation.target.kind !== 'last-resort' || round > 1) return since;
    const others = [...this.trace.escalations.values()].filter((it) => {
      return (
        it.causeId === escalation.causeId && it.id !== escalation.id && it.openedAt <= at && it.states.at(at).round > 0
      );
    });
    return Math.min(since, ...others.map(({ states }) => states.at(at).roundSince));
  }

  /** Whether anything of the person's own calls kept them busy at any time of the span. */
  isBusy(userId: number, from: number, to: number): boolean {
    return this.attemptsOf(userId).some((one) => {
      const { kind, channel } = one.attempt;
      return (kind !== 'notice' || isSpokenOn(channel)) && overlaps(one, from, to);
    });
  }

  isCapped(userId: number, from: number, to: number): boolean {
    const left = this.attemptsOf(userId).filter(
      ({ attempt, leftAt }) => attempt.kind !== 'bundle' && leftAt !== undefined,
    );
    const edges = [from, to, ...left.map(({ attempt }) => attempt.begunAt).filter((at) => at > from && at < to)];
    return this.trace.policies.during(from, to).some(
      ({ cap }) =>
        cap !== undefined &&
        edges.some((edge) => {
          const counted = left.filter(({ attempt: { begunAt } }) => begunAt > edge - cap.windowMs && begunAt <= edge);
          return counted.length >= cap.attempts;
        }),
    );
  }

  /** Whether a provider that serves the number had a free line during all of the span. */
  hasLine(
    { channel, address }: Pick<ContactNumber, 'channel' | 'address'>,
    isUrgent: boolean,
    from: number,
    to: number,
  ): boolean {
    const serving = this.trace.providers.filter((one) => one.channel === channel && serves(one, address));
    const states = this.trace.channels.during(from, to);
    return states.every(({ free, usedUp }) => serving.some(({ id }) => free.has(id) && (isUrgent || !usedUp.has(id))));
  }

  /** Returns what kept a number from being called at any time of the span, besides its rest; undefined: nothing. */
  obstacle(userId: number, number: ContactNumber, isUrgent: boolean, from: number, to: number): string | undefined {
    if (this.isBusy(userId, from, to)) return 'the person is in a call';
    if (!isUrgent && this.isCapped(userId, from, to)) return 'the cap is reached';
    if (!this.hasLine(number, isUrgent, from, to)) return 'no line is free';
    const [limit] = this.limitsReached(userId, number, isUrgent, from, to);
    if (limit !== undefined) return limit;
    if (isSpokenOn(number.channel) && this.onAddress(number.address).some((one) => overlaps(one, from, to)))
      return 'the telephone is in use';
    const own = this.attemptsOf(userId);
    const isRefused = own.some(({ attempt: { numberId, end } }) => {
      if (numberId !== number.id || end === undefined || end.at > to) return false;
      if ((end.notBefore ?? 0) > from) return true;
      return end.outcome === 'failed' && !end.counts && end.at + 302 * second > from;
    });
    if (isRefused) return 'its provider failed';
    if (isUrgent) return undefined;
    const gathers = own.some(
      ({ attempt: { tookAllAt } }) => tookAllAt !== undefined && tookAllAt <= to && tookAllAt + 32 * second > from,
    );
    return gathers ? 'it gathers after take all' : undefined;
  }

  /** Returns the toll limits that may have kept a delivery from being made at some time of the span. */
  limitsReached(
    userId: number,
    { channel, address }: ContactNumber,
    isUrgent: boolean,
    from: number,
    to: number,
  ): readonly string[] {
    if (isUrgent || this.trace.policies.during(from, to).every((policy) => !hasTolls(policy, this.trace.providers)))
      return [];
    const called = { userId, channel, address };
    // What else was begun in the instant after the span counts as well.
    return [from, to + 2].flatMap((at) => limitsReached(this.trace, called, at, () => true));
  }

  /** Whether the number rests at any time of the span, by the longest rest that any rule gives it. */
  rests(userId: number, number: ContactNumber, from: number, to: number): boolean {
    const restMs = Math.max(number.timeToRetrySeconds, 30) * second;
    return this.attemptsOf(userId).some(({ attempt: { numberId, kind, begunAt, end } }) => {
      if (numberId !== number.id || kind === 'notice' || begunAt > to) return false;
      return end === undefined || end.at + restMs > from;
    });
  }

  passesOf(escalation: EscalationTrace): readonly Pass[] {
    const passes: Pass[] = [];
    const entries = escalation.states.entries();
    entries.forEach(({ at, value }, place) => {
      const next = entries[place + 1];
      if (value.round === 0 || value.state !== 'open' || value.pausedUntil !== undefined) return;
      const before = passes.at(-1);
      const goesOn = before !== undefined && before.round === value.round && before.since === value.roundSince;
      const first = goesOn ? before : undefined;
      const end = next?.at ?? this.trace.end;
      const pass = { escalation, round: value.round, since: value.roundSince, end, how: howOf(value, next?.value) };
      const entered = [...(first?.entered ?? [])];
      for (const one of value.entered) if (!entered.some(({ key }) => key === one.key)) entered.push(one);
      if (first !== undefined) passes.pop();
      if (at <= this.trace.end) passes.push({ ...pass, entered });
    });
    return passes;
  }
}

function howOf(value: Escalation, next: Escalation | undefined): Pass['how'] {
  if (next === undefined) return 'day-over';
  if (next.state !== 'open') return next.state;
  return next.pausedUntil !== undefined && value.pausedUntil === undefined ? 'paused' : 'new-round';
}

/** Whether the attempt counts as a try for certain. */
function isTryFor(
  { attempt }: AttemptTrace,
  { causeId, since }: Asked,
  laters: readonly { readonly at: number }[],
): boolean {
  if (attempt.begunAt < since || !attempt.tries.some((one) => one.causeId === causeId)) return false;
  return !laters.some(({ at }) => attempt.begunAt >= at && attempt.begunAt < at + laterMs);
}

export function overlaps({ attempt: { begunAt, end } }: AttemptTrace, from: number, to: number): boolean {
  return begunAt <= to && (end === undefined || end.at > from);
}

function append<K, T>(map: Map<K, T[]>, key: K, value: T): void {
  const all = map.get(key);
  if (all === undefined) map.set(key, [value]);
  else all.push(value);
}
