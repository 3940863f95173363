// Who would be called for something, when, by what and why, if nobody answered; decided by the code that calls. Pure.

import { onDutyIn } from '../on-call/on-duty.ts';
import { attemptLines } from './busy-lines.ts';
import {
  type AttemptOutcome,
  type Call,
  type CallEvent,
  type CallTarget,
  callDue,
  type NewAttempt,
  newCall,
} from './call.ts';
import { waitsForLine } from './contact-cycle.ts';
import type { CallContext, OpenCauses } from './decision-context.ts';
import { peopleInReach } from './decision-context.ts';
import { isSpoken } from './delivery.ts';
import { advanceCall, type CallStep } from './escalation.ts';

type ForecastStep = {
  readonly at: number;
  /** What happens: an attempt, or what the engine notes. */
  readonly what: string;
  readonly userId: number | undefined;
  readonly groupId: number | undefined;
  readonly channel: string | undefined;
  readonly address: string | undefined;
  readonly reason: string;
};

export type Forecast = {
  readonly steps: readonly ForecastStep[];
  /** Whether there are more than could be told. */
  readonly isCut: boolean;
  /** Everybody the target could come to who is not called, and why. */
  readonly notCalled: readonly { readonly userId: number; readonly reason: string }[];
};

/** What a forecast is for. */
type Forecasted = { readonly target: CallTarget; readonly from: number };
/** What all of them have in common: they are for the same. */
type Shared = { readonly causes: OpenCauses; readonly until: number };

const ringMs = 30_000;
const mostSteps = 20_000;
/** A bound on the work; a week of rounds is far below it. */
const mostTurns = 50_000;

type Setting = Pick<CallContext, 'directory' | 'policy'>;
type UnderWay = {
  readonly at: number;
  readonly cycleId: number;
  readonly outcome: AttemptOutcome;
  readonly lines: readonly string[];
};

type Running = Forecasted & { call: Call; underWay: readonly UnderWay[]; readonly steps: ForecastStep[] };

/** Calls that are begun for the same, side by side: they wait for each other's lines. In the order they are given. */
export function forecastCalls(
  wanted: readonly Forecasted[],
  { causes, until }: Shared,
  setting: Setting,
): readonly Forecast[] {
  const lastInTurn = new Map<number, number>();
  const recentAttempts = new Map<number, number[]>();
  const calls: Running[] = wanted.map((one) => ({ ...one, call: newCall(one.target), underWay: [], steps: [] }));
  const take = (running: Running, event: CallEvent, at: number): void => {
    const linesInUse = new Set(calls.flatMap(({ underWay }) => underWay.flatMap(({ lines }) => lines)));
    const context = { ...setting, causes, lastInTurn, recentAttempts, linesInUse };
    const step = advanceCall(running.call, event, context, at);
    running.call = step.call;
    for (const [groupId, userId] of step.inTurn) lastInTurn.set(groupId, userId);
    running.steps.push(...stepsOf(step, at));
    running.underWay = [...running.underWay, ...step.attempts.flatMap((attempt) => outcomeOf(attempt, at))];
    for (const { userId } of step.attempts.filter(({ number }) => number !== undefined))
      recentAttempts.set(userId, [...(recentAttempts.get(userId) ?? []), at]);
  };
  for (let turn = 0; turn < mostTurns * calls.length; turn++) {
    const [next] = calls.map(nextOf).toSorted((one, other) => one.at - other.at);
    if (next === undefined || next.at >= until) break;
    const { running, event, at, ended } = next;
    running.underWay = running.underWay.filter((other) => other !== ended);
    if (ended !== undefined) for (const waiting of wake(calls, at)) take(waiting, { kind: 'time' }, at);
    take(running, event, at);
  }
  return calls.map(({ target, from, steps }) => {
    const called = new Set(steps.flatMap(({ what, userId }) => (what === 'attempt' ? (userId ?? []) : [])));
    return {
      steps: steps.slice(0, mostSteps),
      isCut: steps.length >= mostSteps,
      notCalled: whyNot(target, setting, from).filter(({ userId }) => !called.has(userId)),
    };
  });
}

/** Whether a call that began now would come to anybody, relief included. Who waits for a line is called. */
export function isAnybodyCalled(target: CallTarget, causes: OpenCauses, setting: Setting, now: number): boolean {
  const context = {
    ...setting,
    causes,
    lastInTurn: new Map(),
    recentAttempts: new Map(),
    linesInUse: new Set<string>(),
  };
  return advanceCall(newCall(target), { kind: 'begin' }, context, now).call.phase === 'calling';
}

type Next = {
  readonly running: Running;
  readonly at: number;
  readonly event: CallEvent;
  readonly ended?: UnderWay;
};

function nextOf(running: Running): Next {
  const { call, underWay, from, steps } = running;
  if (call.round === 0) return { running, at: from, event: { kind: 'begin' } };
  const due = callDue(call) ?? Number.POSITIVE_INFINITY;
  const [ended] = underWay.toSorted((one, other) => one.at - other.at);
  if (steps.length >= mostSteps) return { running, at: Number.POSITIVE_INFINITY, event: { kind: 'time' } };
  if (ended === undefined || ended.at > due) return { running, at: due, event: { kind: 'time' } };
  const { at, cycleId, outcome } = ended;
  return { running, at, event: { kind: 'attempt-ended', cycleId, outcome }, ended };
}

/** Those that wait for a line, due now that one is free. */
function wake(calls: readonly Running[], now: number): readonly Running[] {
  const waiting = calls.filter(({ call }) => call.cycles.some(waitsForLine));
  for (const running of waiting) {
    const cycles = running.call.cycles.map((cycle) => (waitsForLine(cycle) ? { ...cycle, due: now } : cycle));
    running.call = { ...running.call, cycles };
  }
  return waiting;
}

/** A telephone rings in vain; what is written arrives. Somebody without a number was told of when their turn failed. */
function outcomeOf(attempt: NewAttempt, at: number): readonly UnderWay[] {
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

/** Those within reach who are passed over, and those who simply are not on duty. */
function whyNot({ kind, id }: CallTarget, { directory, policy }: Setting, at: number): Forecast['notCalled'] {
  const groupId = kind === 'group' ? id : kind === 'last-resort' ? policy.lastResortGroupId : undefined;
  const group = directory.groups.get(groupId ?? 0);
  if (group === undefined) return [];
  const { members, passedOver } = onDutyIn(group, directory, at);
  const reasons = new Map(
    passedOver.flatMap(({ userId, reason }) => (userId === undefined ? [] : [[userId, reason] as const])),
  );
  const onDuty = new Set(members.map(({ userId }) => userId));
  return [...peopleInReach({ kind, id }, directory, policy)].map((userId) => ({
    userId,
    reason: reasons.get(userId) ?? (onDuty.has(userId) ? 'relief: the turn did not come to them' : 'not on duty'),
  }));
}
