// Decides which people of a group are called next: all members on duty, one in turn, or relief members. Pure.

import { onDutyIn } from '../../on-call/on-duty.ts';
import type { CallGroup } from '../../people/call-group.ts';
import type { Cycle } from '../call.ts';
import { attemptNow } from '../contact-cycle.ts';
import type { CallDraft } from './call-draft.ts';

/** Returns the members of the group who are on duty: its relief members, or the others. */
export function membersOnDuty(draft: CallDraft, group: CallGroup, isRelief: boolean): readonly number[] {
  const { members } = onDutyIn(group, draft.context.snapshot, draft.now);
  return members.filter(({ relief }) => relief === isRelief).map(({ userId }) => userId);
}

/** Skips people with an open cycle: after an escalation by hand, members of the relief group may have one already. */
export function callPeople(
  draft: CallDraft,
  userIds: readonly number[],
  { groupId, isRelief }: Pick<Cycle, 'groupId' | 'isRelief'>,
  reason: string,
): void {
  for (const userId of userIds.filter((id) => !draft.isBeingCalled(id))) {
    const cycle = draft.addCycle({ userId, groupId, level: draft.call.level, isRelief });
    draft.storeCycle(cycle, attemptNow(cycle, reason, draft.context, draft.now));
  }
}

/** Calls the next member after the one called last who may be called; returns false if there is none. */
export function callNextInTurn(
  draft: CallDraft,
  group: CallGroup,
  mayBeCalled: (userId: number) => boolean,
  reason: string,
): boolean {
  const members = membersOnDuty(draft, group, false);
  const index = members.indexOf(draft.lastInTurn(group.id) ?? 0) + 1;
  const next = [...members.slice(index), ...members.slice(0, index)].find(
    (userId) => mayBeCalled(userId) && !draft.isBeingCalled(userId),
  );
  if (next === undefined) return false;
  draft.storeLastInTurn(group.id, next);
  callPeople(draft, [next], { groupId: group.id, isRelief: false }, reason);
  return true;
}

/**
 * Calls the next member in turn, or the relief members that are needed now; returns whether it called anybody. `level`
 * holds the cycles of the current level.
 */
export function callReliefMembers(draft: CallDraft, level: readonly Cycle[]): boolean {
  const group = draft.context.snapshot.groups.get(draft.call.groupId ?? 0);
  if (group === undefined || level.length === 0) return false;
  const isNotCalledYet = (userId: number): boolean =>
    !level.some((cycle) => cycle.userId === userId) && !draft.isBeingCalled(userId);
  const failed = level.filter(({ phase, isRelief }) => phase === 'failed' && !isRelief);
  const called = level.filter(({ isRelief }) => isRelief);
  const haveAllFailed = level.every(({ phase }) => phase === 'failed');
  const isNextInTurnDue = haveAllFailed && called.length === 0 && group.callMode === 'turn';
  if (isNextInTurnDue && callNextInTurn(draft, group, isNotCalledYet, 'the one before was not reached')) return true;
  const relief = membersOnDuty(draft, group, true).filter(isNotCalledYet);
  const wanted =
    group.reliefMode === 'perUser'
      ? relief.slice(0, Math.max(0, failed.length - called.length))
      : haveAllFailed && called.length === 0
        ? relief
        : [];
  callPeople(draft, wanted, { groupId: group.id, isRelief: true }, 'relief: others were not reached');
  return wanted.length > 0;
}
