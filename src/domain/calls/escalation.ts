// The escalation engine: decides after each event who is called next, on which number, when and why. Pure.

import type { Call, CallEvent, CallStep, Cycle } from './call.ts';
import { isOpen } from './call.ts';
import {
  afterAnswer,
  afterAttempt,
  afterBounce,
  afterSilence,
  attemptNow,
  type CycleStep,
  reasonForNextAttempt,
  waitsForLine,
} from './contact-cycle.ts';
import type { CallContext } from './decision-context.ts';
import { CallDraft } from './escalation/call-draft.ts';
import { enterReliefGroup, nextReliefGroup } from './escalation/relief-groups.ts';
import { beginRound, continueLevel, isResting, restMs } from './escalation/rounds.ts';
import { isAnybodyOnDuty, waitForDuty } from './escalation/wait-for-duty.ts';
import { addToNotice, afterNotice, sendNotice } from './notice-cycle.ts';

/** Returns the call after the event, with new attempts, notes and troubles. An ended call stays ended. */
export function advanceCall(call: Call, event: CallEvent, context: CallContext, now: number): CallStep {
  const draft = new CallDraft(call, context, now);
  if (call.phase !== 'ended') applyEvent(draft, event);
  return draft.step();
}

function applyEvent(draft: CallDraft, event: CallEvent): void {
  const { context, now } = draft;
  switch (event.kind) {
    case 'begin':
      beginRound(draft, event.reason ?? 'raised');
      break;
    case 'cause-added':
      onCauseAdded(draft, event.isNewAlarm ?? false);
      break;
    case 'time':
      onTimePassed(draft);
      break;
    case 'attempt-ended':
      advanceCycles(
        draft,
        ({ id, phase }) => id === event.cycleId && phase === 'attempting',
        (cycle) =>
          cycle.isNotice
            ? afterNotice(cycle, event.outcome, event.hasMore ?? false, context, now)
            : afterAttempt(cycle, event.outcome, context, now),
        { hasMore: event.hasMore },
      );
      break;
    case 'attempt-bounced':
      advanceCycles(
        draft,
        ({ id, phase, attempts }) => id === event.cycleId && phase === 'reached' && attempts === event.attempt,
        (cycle) => afterBounce(cycle, event.reason, context, now),
        {},
      );
      break;
    case 'answered':
      advanceCycles(
        draft,
        (cycle) => cycle.userId === event.userId && !cycle.isNotice && isOpen(cycle),
        (cycle) => ({ cycle: afterAnswer(cycle, event.answer, event.hasMore ?? false, now) }),
        { hasMore: event.hasMore, endReason: event.reason },
      );
      break;
    case 'escalated':
      escalateByHand(draft, event.by);
      break;
    case 'attempt-lost':
      advanceCycles(
        draft,
        ({ id, phase }) => id === event.cycleId && phase === 'attempting',
        (cycle) => attemptAgain(cycle, 'the attempt was lost', context, now),
      );
      break;
    case 'causes-ended':
      if (!context.causes.areAny) draft.end(event.reason);
  }
}

/** Calls people again who have heard the call: one attempt announces all open causes. Notices gather the new cause. */
function onCauseAdded(draft: CallDraft, isNewAlarm: boolean): void {
  const { context, now } = draft;
  draft.change({ vainRounds: 0 });
  // Nobody was on duty when the call began: looked at again, and said again, for each alarm.
  if (isNewAlarm && draft.call.phase === 'waiting') {
    beginRound(draft, 'another alarm');
    return;
  }
  if (isNewAlarm) markOwed(draft);
  const { call } = draft;
  const heard = call.cycles.filter(({ phase }) => phase === 'acknowledged');
  const isUrgent = isNewAlarm && context.causes.mostUrgent <= 1;
  const isAgain = context.policy.callAgain || isUrgent;
  if (call.phase === 'pausing' && (isAgain || heard.length === 0 || call.due === undefined)) {
    if (!isResting(call) || isUrgent) beginNextRound(draft, 'another alarm');
    return;
  }
  for (const notice of call.cycles.filter(({ isNotice }) => isNotice))
    draft.storeCycle(notice, addToNotice(notice, context, now));
  if (context.policy.callAgain) for (const cycle of heard) callAgain(draft, cycle);
  // A new cause of priority 1 is exempt from the cap: held cycles try again and announce all causes.
  advanceCycles(
    draft,
    ({ phase }) => phase === 'held',
    (cycle) => attemptNow(cycle, 'another alarm', context, now),
  );
}

function attemptAgain(cycle: Cycle, reason: string, context: CallContext, now: number): CycleStep {
  return cycle.isNotice ? sendNotice(cycle, reason, context, now) : attemptNow(cycle, reason, context, now);
}

/** Calls a person who has heard the call for what was added since, unless another level is calling them. */
function callAgain(draft: CallDraft, cycle: Cycle): void {
  if (draft.isBeingCalled(cycle.userId)) return;
  draft.replaceCycle(cycle, { ...cycle, phase: 'followed', isOwed: false });
  const { userId, groupId, level, isRelief } = cycle;
  const next = draft.addCycle({ userId, groupId, level, isRelief });
  const step = attemptNow(next, 'another alarm', draft.context, draft.now);
  // The person is usually still on the telephone for this call, so a wait for the line gets no row and no note.
  if (waitsForLine(step.cycle)) draft.replaceCycle(next, step.cycle);
  else draft.storeCycle(next, step);
}

function onTimePassed(draft: CallDraft): void {
  const { phase, due } = draft.call;
  const isDue = due !== undefined && due <= draft.now;
  if (isDue && phase === 'pausing') {
    const isBegun = beginNextRound(draft, isResting(draft.call) ? anotherAlarm : 'nobody has acknowledged the alarm');
    if (!isBegun) continueDueCycles(draft);
  } else if (isDue && phase === 'waiting') recheckDuty(draft);
  else continueDueCycles(draft);
}

function recheckDuty(draft: CallDraft): void {
  if (isAnybodyOnDuty(draft)) beginRound(draft, 'somebody is on call now');
  else waitForDuty(draft);
}

function continueDueCycles(draft: CallDraft): void {
  const { context, now } = draft;
  advanceCycles(
    draft,
    (cycle) => isOpen(cycle) && cycle.due !== undefined && cycle.due <= now,
    (cycle) => afterWait(cycle, context, now),
  );
}

function afterWait(cycle: Cycle, context: CallContext, now: number): CycleStep {
  if (cycle.phase === 'reached') return afterSilence(cycle, context, now);
  return attemptAgain(cycle, reasonForNextAttempt(cycle), context, now);
}

/** Notes for everybody who was called in this round that a new alarm is not among those they were called for. */
function markOwed(draft: CallDraft): void {
  const ofPeople = new Map(draft.call.cycles.filter(({ isNotice }) => !isNotice).map((cycle) => [cycle.userId, cycle]));
  for (const last of ofPeople.values())
    if (last.phase === 'failed' || (last.attempts > 0 && last.phase !== 'acknowledged'))
      draft.replaceCycle(last, { ...last, isOwed: true });
}

/** How long the next round waits for a phone that rings: somebody who could not be reached before is called in the pause. */
const ringingRecheckMs = 5_000;

/** Begins the next round unless a phone rings for this one; returns whether it has. */
function beginNextRound(draft: CallDraft, reason: string): boolean {
  const isRinging = draft.call.cycles.some(({ isNotice, phase }) => !isNotice && phase === 'attempting');
  if (isRinging) draft.change({ due: draft.now + ringingRecheckMs });
  else beginRound(draft, reason);
  return !isRinging;
}

/** Calls the relief group at once; open cycles continue. */
function escalateByHand(draft: CallDraft, by: string): void {
  if (draft.call.phase === 'waiting' || nextReliefGroup(draft) === undefined) return;
  draft.change({ phase: 'calling', due: undefined });
  draft.beginLevel();
  enterReliefGroup(draft, `escalated by ${by}`);
  continueLevel(draft);
}

type AfterCycles = {
  /** A person who acknowledged is called again for the causes that were not announced. */
  readonly hasMore?: boolean | undefined;
  /** Ends the call with this reason when no cause is open any more. */
  readonly endReason?: string | undefined;
};

/** Advances the selected cycles, then the level. */
function advanceCycles(
  draft: CallDraft,
  isSelected: (cycle: Cycle) => boolean,
  advance: (cycle: Cycle) => CycleStep,
  { hasMore = false, endReason }: AfterCycles = {},
): void {
  const { causes, policy } = draft.context;
  for (const cycle of draft.call.cycles.filter(isSelected)) {
    const step = advance(cycle);
    const isHeard = step.cycle.phase === 'acknowledged';
    draft.storeCycle(cycle, isHeard && !hasMore ? { ...step, cycle: { ...step.cycle, isOwed: false } } : step);
    if (isHeard && hasMore && policy.callAgain) callAgain(draft, step.cycle);
  }
  if (endReason !== undefined && !causes.areAny) {
    draft.end(endReason);
    return;
  }
  callOwedAtOnce(draft);
  continueLevel(draft);
}

/**
 * Calls the people of the first level at once, or as soon as they are free, for an alarm that joined while one of priority 1
 * is open. Who has tries left uses one; all others are called beside the level, once a minute at most.
 */
function callOwedAtOnce(draft: CallDraft): void {
  const { call, context, now } = draft;
  if (call.phase !== 'calling' || !context.causes.isAsking || context.causes.mostUrgent > 1) return;
  for (const cycle of call.cycles.filter(isOwedAtOnce)) {
    if (isOpen(cycle) && !cycle.isExtra) draft.storeCycle(cycle, callBeforeTime(cycle, context, now));
    else if (!draft.isBeingCalled(cycle.userId)) callBeside(draft, cycle);
  }
}

function isOwedAtOnce({ isOwed, level, isRelief, phase }: Cycle): boolean {
  const isFree = phase === 'pausing' || phase === 'reached' || phase === 'failed';
  return isOwed && isFree && level === 0 && !isRelief;
}

const anotherAlarm = 'another alarm';

function callBeforeTime(cycle: Cycle, context: CallContext, now: number): CycleStep {
  if (cycle.phase === 'reached') return afterSilence(cycle, context, now);
  return attemptNow(cycle, anotherAlarm, context, now);
}

/** Calls a person whose part of the level is over: now or, if they were called like this before, a minute after that. */
function callBeside(draft: CallDraft, cycle: Cycle): void {
  const { userId, groupId, level, isRelief, lastAttemptAt = 0, isExtra } = cycle;
  const due = isExtra ? lastAttemptAt + restMs : draft.now;
  draft.replaceCycle(cycle, { ...cycle, isOwed: false });
  const next: Cycle = { ...draft.addCycle({ userId, groupId, level, isRelief }), isExtra: true };
  if (due <= draft.now) draft.storeCycle(next, attemptNow(next, anotherAlarm, draft.context, draft.now));
  else draft.replaceCycle(next, { ...next, isOwed: true, phase: 'pausing', pause: 'retry', due, reason: anotherAlarm });
}
