// Forecasts who would be called, when, on which number and why if nobody answered, by running the escalation engine.
// Pure.

import { onDutyIn } from '../on-call/on-duty.ts';
import { attemptLines } from './busy-lines.ts';
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
import { peopleInReach } from './decision-context.ts';
import { isSpoken } from './delivery.ts';
import { advanceCall } from './escalation.ts';

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
  readonly notCalled: readonly { readonly userId: number; readonly reason: string }[];
};

type ForecastRequest = { readonly target: CallTarget; readonly from: number };
/** The causes all forecasted calls share, and the end of the forecast. */
type ForecastScope = { readonly causes: OpenCauses; readonly until: number };

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

type ForecastConfiguration = Pick<CallContext, 'snapshot' | 'policy'>;
type ForecastedAttempt = {
  readonly at: number;
  readonly cycleId: number;
  readonly outcome: AttemptOutcome;
  readonly lines: readonly string[];
};

type ForecastedCall = ForecastRequest & {
  call: Call;
  underWay: readonly ForecastedAttempt[];
  /** The next event of the call; kept, because most events change one call of many. */
  next: NextEvent | undefined;
  readonly steps: ForecastStep[];
};

/**
 * Forecasts the calls for the same causes, in input order; `stopped` is set when a limit ended the forecast before
 * `until`.
 */
export function forecastCalls(
  wanted: readonly ForecastRequest[],
  { causes, until }: ForecastScope,
  configuration: ForecastConfiguration,
  limits: ForecastLimits,
): { readonly forecasts: readonly Forecast[]; readonly stopped: ForecastStop | undefined } {
  const run = new ForecastRun(wanted, causes, configuration);
  const stopped = run.advanceTo(until, limits);
  let peopleLeft = limits.people;
  const forecasts = run.calls.map(({ target, from, steps, next }) => {
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
  readonly #causes: OpenCauses;
  readonly #configuration: ForecastConfiguration;
  readonly #lastInTurn = new Map<number, number>();
  readonly #recentAttempts = new Map<number, number[]>();
  /** The lines in use, with the number of attempts that use each. */
  readonly #linesInUse = new Map<string, number>();
  #steps = 0;
  #lastCycleId = 0;

  constructor(wanted: readonly ForecastRequest[], causes: OpenCauses, configuration: ForecastConfiguration) {
    this.#causes = causes;
    this.#configuration = configuration;
    this.calls = wanted.map((one) => ({
      ...one,
      call: newCall(one.target),
      underWay: [],
      steps: [],
      next: undefined,
    }));
  }

  /** Applies the events before `until` in order of time; returns the limit that ended it early. */
  advanceTo(until: number, limits: ForecastLimits): ForecastStop | undefined {
    for (;;) {
      const next = this.#firstEvent();
      if (next === undefined || next.at >= until) return undefined;
      if (this.#steps >= limits.steps) return { at: next.at, limit: 'steps' };
      if (limits.isTimeUp()) return { at: next.at, limit: 'time' };
      const { forecasted, event, at, ended } = next;
      if (ended !== undefined) this.#endAttempt(forecasted, ended);
      this.#applyEvent(forecasted, event, at);
    }
  }

  #firstEvent(): NextEvent | undefined {
    let first: NextEvent | undefined;
    for (const forecasted of this.calls) {
      forecasted.next ??= nextEventOf(forecasted);
      if (first === undefined || forecasted.next.at < first.at) first = forecasted.next;
    }
    return first;
  }

  #endAttempt(forecasted: ForecastedCall, ended: ForecastedAttempt): void {
    forecasted.underWay = forecasted.underWay.filter((other) => other !== ended);
    for (const line of ended.lines) this.#countLine(line, -1);
    for (const waiting of this.calls) {
      // The first call that takes the line again leaves the others waiting for it.
      if (ended.lines.every((line) => this.#linesInUse.has(line))) return;
      if (wakeHeldByLine(waiting, ended.at)) this.#applyEvent(waiting, { kind: 'time' }, ended.at);
    }
  }

  #applyEvent(forecasted: ForecastedCall, event: CallEvent, at: number): void {
    const context = {
      ...this.#configuration,
      causes: this.#causes,
      lastInTurn: this.#lastInTurn,
      recentAttempts: this.#recentAttempts,
      linesInUse: new Set(this.#linesInUse.keys()),
      newCycleId: () => ++this.#lastCycleId,
    };
    const step = advanceCall(forecasted.call, event, context, at);
    forecasted.call = step.call;
    for (const [groupId, userId] of step.inTurn) this.#lastInTurn.set(groupId, userId);
    const shown = stepsOf(step, at);
    this.#steps += shown.length;
    forecasted.steps.push(...shown);
    const begun = step.attempts.flatMap((attempt) => outcomeOf(attempt, at));
    for (const { lines } of begun) for (const line of lines) this.#countLine(line, 1);
    forecasted.underWay = [...forecasted.underWay, ...begun];
    for (const { userId } of step.attempts.filter(({ number }) => number !== undefined)) {
      const recent = this.#recentAttempts.get(userId);
      if (recent === undefined) this.#recentAttempts.set(userId, [at]);
      else recent.push(at);
    }
    forecasted.next = undefined;
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

function nextEventOf(forecasted: ForecastedCall): NextEvent {
  const { call, underWay, from } = forecasted;
  if (call.round === 0) return { forecasted, at: from, event: { kind: 'begin' } };
  const due = callDue(call) ?? Number.POSITIVE_INFINITY;
  const [ended] = underWay.toSorted((one, other) => one.at - other.at);
  if (ended === undefined || ended.at > due) return { forecasted, at: due, event: { kind: 'time' } };
  const { at, cycleId, outcome } = ended;
  return { forecasted, at, event: { kind: 'attempt-ended', cycleId, outcome }, ended };
}

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
function outcomeOf(attempt: NewAttempt, at: number): readonly ForecastedAttempt[] {
  const { cycleId, number } = attempt;
  if (number === undefined) return [];
  const rings = isSpoken(number.channel);
  const outcome: AttemptOutcome = rings ? { kind: 'failed', retry: 'later', reason: 'no answer' } : { kind: 'reached' };
  return [{ at: rings ? at + ringMs : at, cycleId, outcome, lines: attemptLines(attempt) }];
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

/** Returns the people within reach of the target with the reason why duty rules would not call them. */
function reasonsNotCalled(
  { kind, id }: CallTarget,
  { snapshot, policy }: ForecastConfiguration,
  at: number,
): Forecast['notCalled'] {
  const groupId = kind === 'group' ? id : kind === 'last-resort' ? policy.lastResortGroupId : undefined;
  const group = snapshot.groups.get(groupId ?? 0);
  if (group === undefined) return [];
  const { members, passedOver } = onDutyIn(group, snapshot, at);
  const reasons = new Map(
    passedOver.flatMap(({ userId, reason }) => (userId === undefined ? [] : [[userId, reason] as const])),
  );
  const onDuty = new Set(members.map(({ userId }) => userId));
  return [...peopleInReach({ kind, id }, snapshot, policy)].map((userId) => ({
    userId,
    reason: reasons.get(userId) ?? (onDuty.has(userId) ? 'relief: the turn did not come to them' : 'not on duty'),
  }));
}
