// The people whom duty rules would not call, and why. Pure.

import type { NotCalledReason } from '../on-call/duty-reason.ts';
import { onDutyIn } from '../on-call/on-duty.ts';
import type { PeopleSnapshot } from '../people/call-group.ts';
import type { CallPolicy, CallTarget } from './call.ts';
import { peopleInReach } from './people-in-reach.ts';

export type NotCalled = { readonly userId: number; readonly reason: NotCalledReason };

/** Returns the people within reach of the target with the reason why duty rules would not call them. */
export function reasonsNotCalled(
  { kind, id }: CallTarget,
  { snapshot, policy }: { readonly snapshot: PeopleSnapshot; readonly policy: CallPolicy },
  at: number,
): readonly NotCalled[] {
  const groupId = kind === 'group' ? id : kind === 'last-resort' ? policy.lastResortGroupId : undefined;
  const group = snapshot.groups.get(groupId ?? 0);
  if (group === undefined) return [];
  const { members, passedOver } = onDutyIn(group, snapshot, at);
  const reasons = new Map<number, NotCalledReason>(
    passedOver.flatMap(({ userId, reason }) => (userId === undefined ? [] : [[userId, reason] as const])),
  );
  const onDuty = new Set(members.map(({ userId }) => userId));
  return [...peopleInReach({ kind, id }, snapshot, policy)].map((userId) => ({
    userId,
    reason: reasons.get(userId) ?? { code: onDuty.has(userId) ? 'relief-not-due' : 'not-on-duty' },
  }));
}
