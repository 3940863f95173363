// Forecasts who would be called, when, on which number and why if nobody answered, by running the escalation engine.
// Pure.

import { type Tolls, tollsAfter } from '../channels/toll-limits.ts';
import type { ContactNumber } from '../people/person.ts';
import { attemptLines, linesOf } from './busy-lines.ts';
import {
  type AttemptOutcome,
  type Call,
  type CallEvent,
  type CallStep,
  type CallTarget,
  callDue,
  type NewAttempt,
  newCall,
} from './call.ts';
import { waitsForLine } from './contact-cycle.ts';
import type { CallContext, OpenCauses } from './decision-context.ts';
import { isSpoken } from './delivery.ts';
import { advanceCall } from './escalation.ts';
import { type NotCalled, reasonsNotCalled } from './not-called.ts';

type ForecastStep = {
  readonly at: number;
  /** `attempt`, or the kind of a note of the engine. */
  readonly what: string;
  readonly userId: number | undefined;
  readonly groupId: number | undefined;
  readonly channel: string | undefined;
  readonly address: string | undefined;
  readonly reason: string;
};

export type Forecast = {
  readonly steps: readonly ForecastStep[];
  /** Whether calling would continue beyond the steps shown, which a limit ended. */
  readonly isCut: boolean;
  /** The people within reach of the target who are not called, and why. */
  readonly notCalled: readonly NotCalled[];
};

/** A call to forecast: a new one, or one under way, which a further cause may join. */
export type ForecastRequest = {
  readonly target: CallTarget;
  /** When causes begin the call, or join it; empty: the call goes on as it is. */
  readonly joins: readonly number[];
  readonly causes: OpenCauses;
  /** The alarms it is about: a person in a call that reads one of them too is waited for. */
  readonly alarmIds: readonly number[];
  readonly underWay?: CallUnderWay | undefined;
};

export type CallUnderWay = { readonly id: number; readonly call: Call; readonly attempts: readonly AttemptUnderWay[] };

/** An attempt that is due or under way. */
export type AttemptUnderWay = {
  readonly cycleId: number;
  readonly userId: number;
  readonly number: Pick<ContactNumber, 'channel' | 'address'>;
  /** When it started; undefined if it has not. */
  readonly startedAt: number | undefined;
  readonly isPickedUp: boolean;
};

/** What decisions depend on at the beginning of the forecast. */
export type ForecastState = {
  readonly now: number;
  readonly lastInTurn: ReadonlyMap<number, number>;
  readonly recentAttempts: ReadonlyMap<number, readonly number[]>;
  /** By id of a number: until when it is locked. */
  readonly locks: ReadonlyMap<number, number>;
  readonly tolls: Tolls;
  /** Calls that are not asked for, but use the same lines. */
  readonly others: readonly ForecastRequest[];
};

/** A time of which nothing is known but who is in the directory. */
export const unknownState = (now: number): ForecastState => ({
  now,
  lastInTurn: new Map(),
  recentAttempts: new Map(),
  locks: new Map(),
  tolls: undefined,
  others: [],
});

/** Limits the work of a forecast: one request must not occupy the server. */
export type ForecastLimits = {
  /** The most steps, of all calls together. */
  readonly steps: number;
  /** The most people with a reason why they are not called, of all calls together. */
  readonly people: number;
  /** Whether the time for computing is used up. */
  readonly isTimeUp: () => boolean;
};

/** A limit that ended a forecast early, and the instant up to which it is complete. */
export type ForecastStop = { readonly at: number; readonly limit: 'steps' | 'people' | 'time' };

const ringMs = 30_000;

export type ForecastConfiguration = Pick<CallContext, 'snapshot' | 'policy'>;
type ForecastedAttempt = {
  readonly at: number;
  readonly begunAt: number;
  /** The place in the order in which the attempts of the forecast begin; 0 for those that were under way before it. */
  readonly place: number;
  readonly userId: number;
  readonly cycleId: number;
  readonly outcome: AttemptOutcome;
  readonly lines: readonly string[];
};

type ForecastedCall = Pick<ForecastRequest, 'target' | 'causes' | 'alarmIds'> & {
  call: Call;
  /** When further causes join it, the earliest first. */
  joins: readonly number[];
  underWay: readonly ForecastedAttempt[];
  /** The next event of the call; kept, because most events change one call of many. */
  next: NextEvent | undefined;
  readonly steps: ForecastStep[];
};

/**
 * Forecasts the calls, in input order; `stopped` is set when a limit ended the forecast before
 * `until`.
 */
export function forecastCalls(
  wanted: readonly ForecastRequest[],
  until: number,
  state: ForecastState,
  configuration: ForecastConfiguration,
  limits: ForecastLimits,
): { readonly forecasts: readonly Forecast[]; readonly stopped: ForecastStop | undefined } {
  const run = new ForecastRun(wanted, state, configuration);
  const stopped = run.advanceTo(until, limits);
  let peopleLeft = limits.people;
  const forecasts = run.calls.slice(0, wanted.length).map(({ target, steps, next }, index) => {
    const from = wanted[index]?.joins[0] ?? state.now;
    const called = new Set(steps.flatMap(({ what, userId }) => (what === 'attempt' ? (userId ?? []) : [])));
    const notCalled =
      peopleLeft <= 0 ? [] : reasonsNotCalled(target, configuration, from).filter(({ userId }) => !called.has(userId));
    peopleLeft -= notCalled.length;
    return { steps, isCut: stopped !== undefined && (next?.at ?? from) < until, notCalled };
  });
  return { forecasts, stopped: stopped ?? (peopleLeft <= 0 ? { at: until, limit: 'people' } : undefined) };
}

/** Runs calls side by side, as they wait for each other's lines. */
class ForecastRun {
  readonly calls: readonly ForecastedCall[];
  readonly #inOrder: readonly ForecastedCall[];
  readonly #locks: ReadonlyMap<number, number>;
  readonly #configuration: ForecastConfiguration;
  readonly #lastInTurn: Map<number, number>;
  readonly #recentAttempts: Map<number, number[]>;
  /** The lines in use, with the number of attempts that use each. */
  readonly #linesInUse = new Map<string, number>();
  #tolls: Tolls;
  #steps = 0;
  #begun = 0;
  /** New cycles have negative ids, apart from those of calls under way. */
  #lastCycleId = 0;

  /** The calls asked for come first in `calls`; the order of decisions at one time is that of the engine: by id. */
  constructor(wanted: readonly ForecastRequest[], state: ForecastState, configuration: ForecastConfiguration) {
    this.#configuration = configuration;
    this.#lastInTurn = new Map(state.lastInTurn);
    this.#recentAttempts = new Map([...state.recentAttempts].map(([userId, times]) => [userId, [...times]]));
    this.#locks = state.locks;
    this.#tolls = state.tolls;
    const all = [...wanted, ...state.others];
    this.calls = all.map(({ target, joins, causes, alarmIds, underWay }) => ({
      target,
      joins: joins.toSorted((one, other) => one - other),
      causes,
      alarmIds,
      call: underWay?.call ?? newCall(target),
      underWay: (underWay?.attempts ?? []).map((attempt) => endOf(attempt, state.now)),
      steps: [],
      next: undefined,
    }));
    const idOf = (index: number): number => all[index]?.underWay?.id ?? Number.MAX_SAFE_INTEGER;
    this.#inOrder = [...this.calls.entries()]
      .toSorted(([one], [other]) => idOf(one) - idOf(other))
      .map(([, call]) => call);
    for (const { underWay } of this.calls)
      for (const { lines } of underWay) for (const line of lines) this.#countLine(line, 1);
  }

  /** Applies the events before `until` in order of time; returns the limit that ended it early. */
  advanceTo(until: number, limits: ForecastLimits): ForecastStop | undefined {
    for (;;) {
      const next = this.#firstEvent();
      if (next === undefined || next.at >= until) return undefined;
      if (this.#steps >= limits.steps) return { at: next.at, limit: 'steps' };
      if (limits.isTimeUp()) return { at: next.at, limit: 'time' };
      const { forecasted, event, at, ended } = next;
      if (ended === undefined) this.#applyEvent(forecasted, event, at);
      else this.#endAttempt(next, ended);
    }
  }

  #firstEvent(): NextEvent | undefined {
    let first: NextEvent | undefined;
    for (const forecasted of this.#inOrder) {
      forecasted.next ??= nextEventOf(forecasted);
      if (first === undefined || isBefore(forecasted.next, first)) first = forecasted.next;
    }
    return first;
  }

  /** Calls that wait for the line go before the call that had it, unless that is more urgent. */
  #endAttempt({ forecasted, event, at }: NextEvent, ended: ForecastedAttempt): void {
    forecasted.underWay = forecasted.underWay.filter((other) => other !== ended);
    for (const line of ended.lines) this.#countLine(line, -1);
    const waiting = ended.lines.length === 0 ? [] : this.#inOrder.filter((call) => wakeHeldByLine(call, at));
    const events = [
      ...waiting.map((call) => ({ call, event: { kind: 'time' } as const })),
      { call: forecasted, event },
    ];
    const urgency = ({ call }: { readonly call: ForecastedCall }): number => call.causes.mostUrgent;
    for (const { call, event: own } of events.toSorted((one, other) => urgency(one) - urgency(other)))
      this.#applyEvent(call, own, at);
  }

  #applyEvent(forecasted: ForecastedCall, event: CallEvent, at: number): void {
    const context = {
      ...this.#configuration,
      causes: forecasted.causes,
      lockedNumbers: new Set([...this.#locks].filter(([, until]) => until > at).map(([id]) => id)),
      tolls: this.#tolls,
      lastInTurn: this.#lastInTurn,
      recentAttempts: this.#recentAttempts,
      linesInUse: new Set(this.#linesInUse.keys()),
      linesReadingAlso: this.#linesReadingAlso(forecasted),
      newCycleId: () => --this.#lastCycleId,
    };
    const step = advanceCall(forecasted.call, event, context, at);
    forecasted.call = step.call;
    if (event.kind === 'begin' || event.kind === 'cause-added') forecasted.joins = forecasted.joins.slice(1);
    for (const [groupId, userId] of step.inTurn) this.#lastInTurn.set(groupId, userId);
    const shown = stepsOf(step, at);
    this.#steps += shown.length;
    forecasted.steps.push(...shown);
    for (const attempt of step.attempts) this.#tolls = tollsAfter(this.#tolls, attempt, at);
    const begun = step.attempts.flatMap((attempt) => outcomeOf(attempt, at, ++this.#begun));
    for (const { lines } of begun) for (const line of lines) this.#countLine(line, 1);
    forecasted.underWay = [...forecasted.underWay, ...begun];
    for (const { userId } of step.attempts.filter(({ number, isNotice }) => number !== undefined && !isNotice)) {
      const recent = this.#recentAttempts.get(userId);
      if (recent === undefined) this.#recentAttempts.set(userId, [at]);
      else recent.push(at);
    }
    forecasted.next = undefined;
  }

  /** Returns the people in other calls that read an alarm of this call too. */
  #linesReadingAlso({ alarmIds, target }: ForecastedCall): ReadonlySet<number> {
    const reading = this.calls.filter(
      (other) => other.target !== target && other.alarmIds.some((id) => alarmIds.includes(id)),
    );
    const attempts = reading.flatMap(({ underWay }) => underWay).filter(({ lines }) => lines.length > 0);
    return new Set(attempts.map(({ userId }) => userId));
  }

  #countLine(line: string, by: 1 | -1): void {
    const count = (this.#linesInUse.get(line) ?? 0) + by;
    if (count === 0) this.#linesInUse.delete(line);
    else this.#linesInUse.set(line, count);
  }
}

/** Whether a call that began now would call anybody, relief included; a person held for a line counts as called. */
export function isAnybodyCalled(
  target: CallTarget,
  causes: OpenCauses,
  configuration: ForecastConfiguration,
  now: number,
): boolean {
  let lastCycleId = 0;
  const context = {
    ...configuration,
    causes,
    lastInTurn: new Map(),
    recentAttempts: new Map(),
    linesInUse: new Set<string>(),
    newCycleId: () => ++lastCycleId,
  };
  return advanceCall(newCall(target), { kind: 'begin' }, context, now).call.phase === 'calling';
}

type NextEvent = {
  readonly forecasted: ForecastedCall;
  readonly at: number;
  readonly event: CallEvent;
  readonly ended?: ForecastedAttempt;
};

/**
 * At the same time ends come first, because they free lines, and the most urgent call before the others; of ends, that of the
 * attempt that began first.
 */
function isBefore(one: NextEvent, other: NextEvent): boolean {
  if (one.at !== other.at) return one.at < other.at;
  if (placeOf(one) !== placeOf(other)) return placeOf(one) < placeOf(other);
  const { mostUrgent } = one.forecasted.causes;
  if (mostUrgent !== other.forecasted.causes.mostUrgent) return mostUrgent < other.forecasted.causes.mostUrgent;
  return one.ended !== undefined && other.ended !== undefined && one.ended.place < other.ended.place;
}

/** Attempts that end as soon as they begin, as texts do, come after what was due already. */
function placeOf({ at, ended }: Pick<NextEvent, 'at' | 'ended'>): number {
  if (ended === undefined) return 1;
  return ended.begunAt < at ? 0 : 2;
}

function nextEventOf(forecasted: ForecastedCall): NextEvent {
  const { call, underWay, joins } = forecasted;
  const [join = Number.POSITIVE_INFINITY] = joins;
  if (call.round === 0) return { forecasted, at: join, event: { kind: 'begin' } };
  const due = callDue(call) ?? Number.POSITIVE_INFINITY;
  const earliest = Math.min(due, ...underWay.map(({ at }) => at));
  if (join < earliest) return { forecasted, at: join, event: { kind: 'cause-added', isNewAlarm: true } };
  const [ended] = underWay.toSorted((one, other) => one.at - other.at);
  const isLater = ended !== undefined && ended.at === due && placeOf({ at: due, ended }) > 1;
  if (ended === undefined || ended.at > due || isLater) return { forecasted, at: due, event: { kind: 'time' } };
  const { at, cycleId, outcome } = ended;
  return { forecasted, at, event: { kind: 'attempt-ended', cycleId, outcome }, ended };
}

/** Returns the assumed end of an attempt under way: who has picked up or gets a text is reached, other phones ring out. */
function endOf(attempt: AttemptUnderWay, now: number): ForecastedAttempt {
  const { cycleId, userId, number, startedAt = now, isPickedUp } = attempt;
  const rings = isSpoken(number.channel) && !isPickedUp;
  const outcome: AttemptOutcome = rings ? unanswered : { kind: 'reached' };
  return {
    begunAt: startedAt,
    place: 0,
    at: rings ? Math.max(now, startedAt + ringMs) : now,
    userId,
    cycleId,
    outcome,
    lines: linesOf(userId, number),
  };
}

const unanswered: AttemptOutcome = { kind: 'failed', retry: 'later', reason: 'no answer' };

/** Makes the cycles of the call that are held for a line due now; returns whether there are any. */
function wakeHeldByLine(forecasted: ForecastedCall, now: number): boolean {
  const { call } = forecasted;
  if (!call.cycles.some(waitsForLine)) return false;
  const cycles = call.cycles.map((cycle) => (waitsForLine(cycle) ? { ...cycle, due: now } : cycle));
  forecasted.call = { ...call, cycles };
  return true;
}

/**
 * Returns the assumed outcome: telephone calls are not answered, texts arrive. An attempt without a number has none;
 * the note of the failed cycle is its step.
 */
function outcomeOf(attempt: NewAttempt, at: number, place: number): readonly ForecastedAttempt[] {
  const { cycleId, userId, number } = attempt;
  if (number === undefined) return [];
  const rings = isSpoken(number.channel);
  const outcome: AttemptOutcome = rings ? unanswered : { kind: 'reached' };
  const lines = attemptLines(attempt);
  return [{ at: rings ? at + ringMs : at, begunAt: at, place, userId, cycleId, outcome, lines }];
}

function stepsOf({ attempts, notes }: CallStep, at: number): readonly ForecastStep[] {
  return [
    ...notes.map(({ kind, userId, groupId, reason }) => ({
      at,
      what: kind,
      userId,
      groupId,
      channel: undefined,
      address: undefined,
      reason,
    })),
    ...attempts.flatMap(({ userId, groupId, number, reason }) =>
      number === undefined
        ? []
        : [{ at, what: 'attempt', userId, groupId, channel: number.channel, address: number.address, reason }],
    ),
  ];
}
