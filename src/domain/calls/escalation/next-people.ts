// Decides which people of a group are called next: all members on duty, one in turn, or relief members. Pure.

import { onDutyIn } from '../../on-call/on-duty.ts';
import type { CallGroup } from '../../people/call-group.ts';
import { type Cycle, isHeard } from '../call.ts';
import { attemptNow, type Contact } from '../contact-cycle.ts';
import { noticesFor, sendNotice } from '../notice-cycle.ts';
import type { CallDraft } from './call-draft.ts';
import { isLevelOver } from './levels.ts';

/** Returns the members of the group who are on duty: its relief members, or the others. */
export function membersOnDuty(draft: CallDraft, group: CallGroup, isRelief: boolean): readonly number[] {
  const { members } = onDutyIn(group, draft.context.snapshot, draft.now);
  return members.filter(({ relief }) => relief === isRelief).map(({ userId }) => userId);
}

/** Calls those of the people who may be called. */
export function callPeople(
  draft: CallDraft,
  userIds: readonly number[],
  { groupId, isRelief }: Pick<Cycle, 'groupId' | 'isRelief'>,
  reason: string,
): void {
  for (const userId of userIds.filter((id) => draft.mayCall(id))) {
    const contact = { userId, groupId, level: draft.call.level, isRelief };
    const cycle = draft.addCycle(contact);
    draft.storeCycle(cycle, attemptNow(cycle, reason, draft.context, draft.now));
    sendNotices(draft, contact, reason);
  }
}

/** Sends a notice to each number of the person that is not final and has not had one in this round. */
function sendNotices(draft: CallDraft, contact: Contact, reason: string): void {
  const { call, context, now } = draft;
  const known = new Set(call.cycles.filter(isNoticeTo(contact.userId)).map(({ numberId }) => numberId));
  for (const numberId of noticesFor(contact.userId, context, now).filter((id) => !known.has(id))) {
    const notice = draft.addNotice(contact, numberId);
    draft.storeCycle(notice, sendNotice(notice, reason, context, now));
  }
}

function isNoticeTo(userId: number): (cycle: Cycle) => boolean {
  return (cycle) => cycle.isNotice && cycle.userId === userId;
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
    (userId) => mayBeCalled(userId) && draft.mayCall(userId),
  );
  if (next === undefined) return false;
  draft.storeLastInTurn(group.id, next);
  callPeople(draft, [next], { groupId: group.id, isRelief: false }, reason);
  return true;
}

/** The people of the present group who have not been called in this round. */
type NotCalled = { readonly group: CallGroup; readonly members: readonly number[]; readonly relief: readonly number[] };

export function notCalledYet(draft: CallDraft, level: readonly Cycle[]): NotCalled | undefined {
  const group = draft.context.snapshot.groups.get(draft.call.groupId ?? 0);
  if (group === undefined) return undefined;
  const isNew = (userId: number): boolean => !level.some((cycle) => cycle.userId === userId) && draft.mayCall(userId);
  // Once relief is called, further regular members are only called if the duty has been handed over to them.
  return {
    group,
    members: membersOnDuty(draft, group, false).filter(isNew),
    relief: membersOnDuty(draft, group, true).filter(isNew),
  };
}

/**
 * Calls the people of the present group who are next: who has the duty now and was not called, the next in turn, then
 * relief members. Returns whether it called anybody. `level` holds the cycles of the present level.
 */
export function callNextOfGroup(draft: CallDraft, level: readonly Cycle[]): boolean {
  const left = notCalledYet(draft, level);
  if (left === undefined) return false;
  const { group, members, relief } = left;
  const isGoingUp = isLevelOver(draft, level) && (draft.context.causes.isAsking || !isHeard(level));
  if (isGoingUp && members.length > 0) {
    draft.beginLevel();
    if (group.callMode === 'turn')
      return callNextInTurn(draft, group, (id) => members.includes(id), 'the one before has not taken it');
    callPeople(draft, members, { groupId: group.id, isRelief: false }, 'has the duty now');
    return true;
  }
  const wanted = isGoingUp ? relief : relief.slice(0, reliefPerUser(group, level));
  if (isGoingUp && wanted.length > 0) draft.beginLevel();
  callPeople(draft, wanted, { groupId: group.id, isRelief: true }, 'relief: others have not taken it');
  return wanted.length > 0;
}

/** Returns how many relief members are called before the level is over: with `perUser` one for each not reached. */
function reliefPerUser({ reliefMode }: CallGroup, level: readonly Cycle[]): number {
  if (reliefMode !== 'perUser') return 0;
  const failed = level.filter(({ phase, isRelief }) => phase === 'failed' && !isRelief).length;
  const called = level.filter(({ isRelief }) => isRelief).length;
  return Math.max(0, failed - called);
}
