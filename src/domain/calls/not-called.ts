// The people whom duty rules would not call, and why. Pure.

import type { NotCalledReason } from '../on-call/duty-reason.ts';
import { onDutyIn } from '../on-call/on-duty.ts';
import { unreachableCause } from '../on-call/readiness.ts';
import type { CallPolicy, CallTarget } from './call.ts';
import { peopleInReach } from './people-in-reach.ts';
import { canBeReached, type NumberContext } from './usable-numbers.ts';

export type NotCalled = { readonly userId: number; readonly reason: NotCalledReason };

/** Returns the people within reach of the target with the reason why duty rules, or their numbers, would not have them called. */
export function reasonsNotCalled(
  { kind, id }: CallTarget,
  context: NumberContext & { readonly policy: CallPolicy },
  at: number,
): readonly NotCalled[] {
  const { snapshot, policy } = context;
  const groupId = kind === 'group' ? id : kind === 'last-resort' ? policy.lastResortGroupId : undefined;
  const group = snapshot.groups.get(groupId ?? 0);
  if (group === undefined) return [];
  const { members, passedOver } = onDutyIn(group, snapshot, at);
  const reasons = new Map<number, NotCalledReason>(
    passedOver.flatMap(({ userId, reason }) => (userId === undefined ? [] : [[userId, reason] as const])),
  );
  const onDuty = new Set(members.map(({ userId }) => userId));
  const reasonFor = (userId: number): NotCalledReason => {
    if (!onDuty.has(userId)) return { code: 'not-on-duty' };
    if (canBeReached(userId, context, at)) return { code: 'relief-not-due' };
    return { code: 'without-number', cause: unreachableCause(userId, context, at) };
  };
  return [...peopleInReach({ kind, id }, snapshot, policy)].map((userId) => ({
    userId,
    reason: reasons.get(userId) ?? reasonFor(userId),
  }));
}
