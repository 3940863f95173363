// Who would be called for something, when, by what and why, if nobody answered; decided by the code that calls. Pure.

import { type AttemptOutcome, type Call, type CallTarget, callDue, type NewAttempt } from './call.ts';
import { advanceCall, type CallStep, newCall } from './call-engine.ts';
import type { OpenCauses, Scene } from './call-scene.ts';
import { peopleInReach } from './call-scene.ts';
import { onDutyIn } from './on-duty.ts';

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
type Forecasted = {
  readonly target: CallTarget;
  readonly causes: OpenCauses;
  readonly from: number;
  readonly until: number;
};

const ringMs = 30_000;
const mostSteps = 20_000;
/** A bound on the work; a week of rounds is far below it. */
const mostTurns = 50_000;

type Setting = Pick<Scene, 'directory' | 'policy'>;
type UnderWay = { readonly at: number; readonly cycleId: number; readonly outcome: AttemptOutcome };

export function forecastCall({ target, causes, from, until }: Forecasted, setting: Setting): Forecast {
  const scene = {
    ...setting,
    causes,
    lastInTurn: new Map<number, number>(),
    recentAttempts: new Map<number, number[]>(),
  };
  const steps: ForecastStep[] = [];
  let underWay: readonly UnderWay[] = [];
  let call: Call = newCall(target);
  const take = (step: CallStep, at: number): void => {
    call = step.call;
    for (const [groupId, userId] of step.inTurn) scene.lastInTurn.set(groupId, userId);
    steps.push(...stepsOf(step, at));
    underWay = [...underWay, ...step.attempts.flatMap((attempt) => outcomeOf(attempt, at))];
    for (const { userId } of step.attempts.filter(({ number }) => number !== undefined))
      scene.recentAttempts.set(userId, [...(scene.recentAttempts.get(userId) ?? []), at]);
  };
  take(advanceCall(call, { kind: 'begin' }, scene, from), from);
  for (let turn = 0; turn < mostTurns && steps.length < mostSteps; turn++) {
    const ended = underWay.toSorted((one, other) => one.at - other.at)[0];
    const at = Math.min(ended?.at ?? Number.POSITIVE_INFINITY, callDue(call) ?? Number.POSITIVE_INFINITY);
    if (at >= until) break;
    if (ended !== undefined && ended.at === at) {
      underWay = underWay.filter((other) => other !== ended);
      const { cycleId, outcome } = ended;
      take(advanceCall(call, { kind: 'attempt-ended', cycleId, outcome }, scene, at), at);
    } else take(advanceCall(call, { kind: 'time' }, scene, at), at);
  }
  const called = new Set(steps.flatMap(({ what, userId }) => (what === 'attempt' ? (userId ?? []) : [])));
  return {
    steps: steps.slice(0, mostSteps),
    isCut: steps.length >= mostSteps,
    notCalled: whyNot(target, setting, from).filter(({ userId }) => !called.has(userId)),
  };
}

/** A telephone rings in vain; what is written arrives. Somebody without a number was told of when their turn failed. */
function outcomeOf({ cycleId, number }: NewAttempt, at: number): readonly UnderWay[] {
  if (number === undefined) return [];
  const isSpoken = number.channel === 'voice' || number.channel === 'simulator';
  const outcome: AttemptOutcome = isSpoken
    ? { kind: 'failed', retry: 'later', reason: 'no answer' }
    : { kind: 'reached' };
  return [{ at: isSpoken ? at + ringMs : at, cycleId, outcome }];
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
