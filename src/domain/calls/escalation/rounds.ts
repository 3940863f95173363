// Begins the rounds of a call, carries it from level to level, and ends or pauses it after the last. Pure.

import type { RoundEnd } from '../call.ts';
import { countsInLevel, isHeard, isOpen, reasonOfRoundEnd } from '../call.ts';
import { administrators, targetReference } from '../decision-context.ts';
import type { CallDraft } from './call-draft.ts';
import { callPeople, callReliefMembers } from './next-people.ts';
import { enterGroup, enterReliefGroup } from './relief-groups.ts';

const byName = { groupId: undefined, isRelief: false };

export function beginRound(draft: CallDraft, reason: string): void {
  draft.change({
    phase: 'calling',
    due: undefined,
    round: draft.call.round + 1,
    level: 0,
    visited: [],
    cycles: [],
    roundEnd: undefined,
  });
  draft.note({ kind: draft.call.round === 1 ? 'begun' : 'round', reason });
  const { snapshot, policy } = draft.context;
  const { kind, id } = draft.call.target;
  const groupId = kind === 'last-resort' ? policy.lastResortGroupId : id;
  if (kind === 'user') callPeople(draft, [id], byName, reason);
  else if (groupId === undefined) callPeople(draft, administrators(snapshot), byName, reason);
  else enterGroup(draft, groupId, reason);
  continueLevel(draft);
}

/** Calls relief if needed. When the level has no open cycle, calls the relief group, pauses or ends the call. */
export function continueLevel(draft: CallDraft): void {
  if (draft.call.phase !== 'calling') return;
  const level = draft.call.cycles.filter((cycle) => cycle.level === draft.call.level && countsInLevel(cycle));
  if (callReliefMembers(draft, level)) continueLevel(draft);
  else if (level.some(isOpen)) return;
  else if (!isHeard(level) && enterReliefGroup(draft, reasonOfRoundEnd.unacknowledged)) continueLevel(draft);
  // After an escalation by hand, cycles of earlier levels may still be open.
  else if (draft.call.phase !== 'calling' || draft.call.cycles.some(isOpen)) return;
  else if (isHeard(draft.call.cycles)) pauseOrEnd(draft, 'heard');
  else giveUpRound(draft);
}

function giveUpRound(draft: CallDraft): void {
  const { cycles, target, round } = draft.call;
  const roundEnd = cycles.length === 0 ? 'nobody-to-call' : 'unacknowledged';
  const reason = reasonOfRoundEnd[roundEnd];
  // A message, a test or a return to normal cannot be acknowledged, so it is no trouble when nobody does.
  if (draft.context.causes.isAsking)
    draft.trouble({
      kind: 'nobody-took-it',
      groupId: target.kind === 'group' ? target.id : undefined,
      sentence: `${targetReference(target)} was called in vain, round ${round}: ${reason}`,
    });
  draft.note({ kind: 'exhausted', reason });
  pauseOrEnd(draft, roundEnd);
}

/** Pauses until the next round if a cause must be acknowledged; ends the call if none must. */
function pauseOrEnd(draft: CallDraft, roundEnd: RoundEnd): void {
  const { context, now } = draft;
  const reason = reasonOfRoundEnd[roundEnd];
  draft.change({ roundEnd, failedAt: roundEnd === 'heard' ? undefined : now });
  if (context.causes.isUntilAcknowledged) draft.change({ phase: 'pausing', due: now + context.policy.pauseMs, reason });
  else draft.end(reason);
}
