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
  /** Whether steps beyond the maximum were left out. */
  readonly isCut: boolean;
  /** The people within reach of the target who are not called, and why. */
  readonly notCalled: readonly { readonly userId: number; readonly reason: string }[];
};

type ForecastRequest = { readonly target: CallTarget; readonly from: number };
/** The causes all forecasted calls share, and the end of the forecast. */
type ForecastScope = { readonly causes: OpenCauses; readonly until: number };

const ringMs = 30_000;
const mostSteps = 20_000;
/** Limits the work per call; a week of rounds is far below it. */
const mostEvents = 50_000;

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
  readonly steps: ForecastStep[];
};

/**
 * Runs the calls for the same causes side by side, as they wait for each other's lines; returns forecasts in input
 * order.
 */
export function forecastCalls(
  wanted: readonly ForecastRequest[],
  { causes, until }: ForecastScope,
  configuration: ForecastConfiguration,
): readonly Forecast[] {
  const lastInTurn = new Map<number, number>();
  const recentAttempts = new Map<number, number[]>();
  const calls: ForecastedCall[] = wanted.map((one) => ({ ...one, call: newCall(one.target), underWay: [], steps: [] }));
  const applyEvent = (forecasted: ForecastedCall, event: CallEvent, at: number): void => {
    const linesInUse = new Set(calls.flatMap(({ underWay }) => underWay.flatMap(({ lines }) => lines)));
    const context = { ...configuration, causes, lastInTurn, recentAttempts, linesInUse };
    const step = advanceCall(forecasted.call, event, context, at);
    forecasted.call = step.call;
    for (const [groupId, userId] of step.inTurn) lastInTurn.set(groupId, userId);
    forecasted.steps.push(...stepsOf(step, at));
    forecasted.underWay = [...forecasted.underWay, ...step.attempts.flatMap((attempt) => outcomeOf(attempt, at))];
    for (const { userId } of step.attempts.filter(({ number }) => number !== undefined))
      recentAttempts.set(userId, [...(recentAttempts.get(userId) ?? []), at]);
  };
  for (let count = 0; count < mostEvents * calls.length; count++) {
    const [next] = calls.map(nextEventOf).toSorted((one, other) => one.at - other.at);
    if (next === undefined || next.at >= until) break;
    const { forecasted, event, at, ended } = next;
    forecasted.underWay = forecasted.underWay.filter((other) => other !== ended);
    if (ended !== undefined)
      for (const waiting of wakeCallsHeldByLine(calls, at)) applyEvent(waiting, { kind: 'time' }, at);
    applyEvent(forecasted, event, at);
  }
  return calls.map(({ target, from, steps }) => {
    const called = new Set(steps.flatMap(({ what, userId }) => (what === 'attempt' ? (userId ?? []) : [])));
    return {
      steps: steps.slice(0, mostSteps),
      isCut: steps.length >= mostSteps,
      notCalled: reasonsNotCalled(target, configuration, from).filter(({ userId }) => !called.has(userId)),
    };
  });
}

/** Whether a call that began now would call anybody, relief included; a person held for a line counts as called. */
export function isAnybodyCalled(
  target: CallTarget,
  causes: OpenCauses,
  configuration: ForecastConfiguration,
  now: number,
): boolean {
  const context = {
    ...configuration,
    causes,
    lastInTurn: new Map(),
    recentAttempts: new Map(),
    linesInUse: new Set<string>(),
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
  const { call, underWay, from, steps } = forecasted;
  if (call.round === 0) return { forecasted, at: from, event: { kind: 'begin' } };
  const due = callDue(call) ?? Number.POSITIVE_INFINITY;
  const [ended] = underWay.toSorted((one, other) => one.at - other.at);
  if (steps.length >= mostSteps) return { forecasted, at: Number.POSITIVE_INFINITY, event: { kind: 'time' } };
  if (ended === undefined || ended.at > due) return { forecasted, at: due, event: { kind: 'time' } };
  const { at, cycleId, outcome } = ended;
  return { forecasted, at, event: { kind: 'attempt-ended', cycleId, outcome }, ended };
}

/** Makes cycles that are held for a line due now; returns their calls. */
function wakeCallsHeldByLine(calls: readonly ForecastedCall[], now: number): readonly ForecastedCall[] {
  const waiting = calls.filter(({ call }) => call.cycles.some(waitsForLine));
  for (const forecasted of waiting) {
    const cycles = forecasted.call.cycles.map((cycle) => (waitsForLine(cycle) ? { ...cycle, due: now } : cycle));
    forecasted.call = { ...forecasted.call, cycles };
  }
  return waiting;
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
