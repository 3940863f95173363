// Begins the rounds of a call, carries it from level to level, and ends or pauses it after the last. Pure.

import { standInFor } from '../../on-call/on-duty.ts';
import {
  type Call,
  type Cycle,
  isHeard,
  isOpen,
  type PriorityRules,
  type RoundEnd,
  reasonOfRoundEnd,
} from '../call.ts';
import { isOutOfReach } from '../contact-cycle.ts';
import { administrators, rulesFor, targetReference } from '../decision-context.ts';
import type { CallDraft } from './call-draft.ts';
import { cyclesOfLevel, hasTimePassed, isLevelOver, timeToTakeEnd } from './levels.ts';
import { callNextOfGroup, callPeople, notCalledYet } from './next-people.ts';
import { beginNotice, endWhenSent } from './number-notice.ts';
import { enterGroup, enterReliefGroup, nextReliefGroup } from './relief-groups.ts';

const byName = { groupId: undefined, isRelief: false };

export function beginRound(draft: CallDraft, reason: string): void {
  if (draft.call.target.kind === 'number') {
    beginNotice(draft, reason);
    return;
  }
  draft.replaceCycles(`replaced by a new round: ${reason}`);
  draft.change({
    phase: 'calling',
    due: undefined,
    round: draft.call.round + 1,
    level: 0,
    visited: [],
    roundEnd: undefined,
  });
  draft.beginLevel();
  draft.note({ kind: draft.call.round === 1 ? 'begun' : 'round', reason });
  const { snapshot, policy } = draft.context;
  const { kind, id } = draft.call.target;
  const groupId = kind === 'last-resort' ? policy.lastResortGroupId : id;
  if (kind === 'user') callPeople(draft, [standInFor(id, snapshot).userId], byName, reason);
  else if (groupId === undefined) callPeople(draft, administrators(snapshot), byName, reason);
  else enterGroup(draft, groupId, reason);
  continueLevel(draft);
}

/** Calls who is next of the group. When the level is over, calls the next one, pauses or ends the call. */
export function continueLevel(draft: CallDraft): void {
  const { phase, due, target } = draft.call;
  if (target.kind === 'number') {
    endWhenSent(draft);
    return;
  }
  if (phase === 'pausing' && due === undefined) endAfterNotices(draft);
  if (phase !== 'calling') return;
  const level = cyclesOfLevel(draft);
  if (callNextOfGroup(draft, level)) continueLevel(draft);
  else if (!isLevelOver(draft, level)) setTimeToTake(draft, level);
  else if (goesUp(draft, level)) continueLevel(draft);
  else if (draft.call.phase !== 'calling') return;
  else if (draft.call.cycles.some(isRinging)) draft.change({ takeBy: undefined });
  else endRound(draft);
}

/** A person who is out of reach, or called beside the level, does not keep the round open; they are called when they can be. */
function isRinging(cycle: Cycle): boolean {
  return isOpen(cycle) && !cycle.isNotice && !cycle.isExtra && !isOutOfReach(cycle);
}

/** Calls the relief group or, after that of the last resort, the administrators; returns false if none is left. */
function goesUp(draft: CallDraft, level: readonly Cycle[]): boolean {
  const { causes } = draft.context;
  if (isHeard(level) && !causes.isAsking) return false;
  const reason = hasTimePassed(draft)
    ? 'not taken in time'
    : reasonOfRoundEnd[isHeard(level) ? 'heard' : 'unacknowledged'];
  return enterReliefGroup(draft, reason) || callAdministrators(draft, reason);
}

/** The last resort ends with all administrators, whatever group it names. */
function callAdministrators(draft: CallDraft, reason: string): boolean {
  const { call, context } = draft;
  if (call.target.kind !== 'last-resort' || call.phase !== 'calling') return false;
  const isNew = (id: number): boolean => !call.cycles.some(({ userId }) => userId === id) && draft.mayCall(id);
  const left = administrators(context.snapshot).filter(isNew);
  if (left.length === 0) return false;
  draft.change({ level: call.level + 1, groupId: undefined });
  draft.beginLevel();
  draft.note({ kind: 'level', groupId: undefined, reason });
  callPeople(draft, left, byName, reason);
  return true;
}

/** Sets when the next level is called although this one goes on, if there is a next one. */
function setTimeToTake(draft: CallDraft, level: readonly Cycle[]): void {
  const left = notCalledYet(draft, level);
  const isAnybodyLeft = left !== undefined && left.members.length + left.relief.length > 0;
  const takeBy = isAnybodyLeft || nextReliefGroup(draft) !== undefined ? timeToTakeEnd(draft) : undefined;
  if (takeBy !== draft.call.takeBy) draft.change({ takeBy });
}

function endRound(draft: CallDraft): void {
  const { cycles } = draft.call;
  const { isAsking } = draft.context.causes;
  const hasRung = cycles.some(({ isNotice }) => !isNotice);
  const roundEnd = isHeard(cycles) ? 'heard' : hasRung ? 'unacknowledged' : 'nobody-to-call';
  // One person who has heard a message is enough.
  if (cycles.some(({ isOwed }) => isOwed) && (isAsking || roundEnd !== 'heard')) {
    restBeforeRound(draft, roundEnd);
    return;
  }
  // A message, a test or a return to normal cannot be acknowledged, so it is no trouble when nobody does.
  if (isAsking) reportVain(draft, roundEnd);
  if (isAsking || roundEnd !== 'heard') draft.note({ kind: 'exhausted', reason: reasonOfRoundEnd[roundEnd] });
  pauseOrEnd(draft, roundEnd);
}

function reportVain(draft: CallDraft, roundEnd: RoundEnd): void {
  const { target, round } = draft.call;
  draft.trouble({
    kind: 'nobody-took-it',
    groupId: target.kind === 'group' ? target.id : undefined,
    sentence: `${targetReference(target)} was called in vain, round ${round}: ${reasonOfRoundEnd[roundEnd]}`,
  });
}

/** The least time between two rings of a person of whom the later is for an alarm that joined. */
export const restMs = 60_000;

/**
 * Calls people in a further round for an alarm that joined after their last attempt, a minute after the last ring. The
 * alarms before it were called for in vain, which a stream of alarms must not hide.
 */
function restBeforeRound(draft: CallDraft, roundEnd: RoundEnd): void {
  const lastRing = Math.max(...draft.call.cycles.map(({ lastAttemptAt = 0 }) => lastAttemptAt));
  const reason = 'another alarm';
  if (draft.context.causes.isAsking) reportVain(draft, roundEnd);
  draft.beginLevel();
  draft.change({ failedAt: roundEnd === 'heard' ? undefined : draft.now });
  const due = lastRing + restMs;
  if (due > draft.now) draft.change({ phase: 'pausing', due, reason });
  else beginRound(draft, reason);
}

/** Whether the call waits a moment before the round for an alarm that joined, unlike the pause after a round in vain. */
export function isResting({ phase, due, roundEnd }: Call): boolean {
  return phase === 'pausing' && due !== undefined && roundEnd === undefined;
}

/** Pauses until the next round if a cause must be acknowledged; ends the call if none must. */
function pauseOrEnd(draft: CallDraft, roundEnd: RoundEnd): void {
  const { context, now, call } = draft;
  const reason = reasonOfRoundEnd[roundEnd];
  const vainRounds = call.vainRounds + 1;
  draft.beginLevel();
  draft.change({ roundEnd, vainRounds, failedAt: roundEnd === 'heard' ? undefined : now });
  if (context.causes.isUntilAcknowledged)
    draft.change({ phase: 'pausing', due: now + pauseAfter(vainRounds, rulesFor(context)), reason });
  else if (call.cycles.some(isOpen)) draft.change({ phase: 'pausing', due: undefined, reason });
  else draft.end(reason);
}

/** Ends a call that only waited for its last notices, and for people who were out of reach. */
function endAfterNotices(draft: CallDraft): void {
  const { cycles, reason } = draft.call;
  if (!cycles.some(isOpen)) draft.end(reason);
}

function pauseAfter(vainRounds: number, { pauseSeconds, longestPauseSeconds }: PriorityRules): number {
  return Math.min(pauseSeconds * 2 ** (vainRounds - 1), longestPauseSeconds) * 1000;
}
