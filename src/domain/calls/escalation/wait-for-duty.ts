// Decides until when a call waits whose groups have nobody on call. Pure.

import { nextDutyOf, onDutyIn } from '../../on-call/on-duty.ts';
import type { CallGroup } from '../../people/call-group.ts';
import type { CallDraft } from './call-draft.ts';

/** Interval of the duty check of a group without anybody on call: a person can be set on duty by hand at any time. */
const recheckMs = 60_000;

export function waitForDuty(draft: CallDraft): void {
  const { context, now } = draft;
  const next = visitedGroups(draft).map((group) => nextDutyOf(group, context.snapshot, now));
  // Skip shifts that have already started: their holders cannot be called.
  const coming = next.filter((at) => at > now);
  draft.change({ phase: 'waiting', due: Math.min(...coming, now + recheckMs) });
}

/** Whether anybody of the groups called in this round is on duty now. */
export function isAnybodyOnDuty(draft: CallDraft): boolean {
  return visitedGroups(draft).some((group) => onDutyIn(group, draft.context.snapshot, draft.now).members.length > 0);
}

function visitedGroups({ call, context }: CallDraft): readonly CallGroup[] {
  return call.visited.flatMap((id) => context.snapshot.groups.get(id) ?? []);
}
