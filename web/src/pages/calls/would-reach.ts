// Whom a call of people and groups would reach now: who is on duty, not replaced, and has a number that can be used. Pure.

import type { GroupOnDuty, UnreadyGroup, User } from '@tocsin/client';

export type Target = { readonly kind: 'group' | 'user'; readonly id: number; readonly name: string };

export type Reach = {
  /** The people who would be called, each once. */
  readonly userIds: readonly number[];
  /** The targets for which nobody would be called. */
  readonly missed: readonly Target[];
};

type Known = {
  readonly duties: readonly GroupOnDuty[];
  readonly unready: readonly UnreadyGroup[];
  readonly users: ReadonlyMap<number, User>;
};

export function wouldReach(targets: readonly Target[], known: Known): Reach {
  const found = targets.map((target) => ({
    target,
    userIds: target.kind === 'group' ? reachedIn(target.id, known) : reachedFor(target.id, known.users),
  }));
  return {
    userIds: [...new Set(found.flatMap(({ userIds }) => userIds))],
    missed: found.filter(({ userIds }) => userIds.length === 0).map(({ target }) => target),
  };
}

/** The regular members on duty whom readiness finds nothing wrong with; else those of the relief group called instead. */
function reachedIn(callGroupId: number, { duties, unready }: Known, seen: readonly number[] = []): readonly number[] {
  const duty = duties.find((one) => one.callGroupId === callGroupId);
  if (duty === undefined || duty.locked || seen.includes(callGroupId)) return [];
  const wrong = unready.find((one) => one.callGroupId === callGroupId);
  const lost = new Set(wrong?.unreachable.map(({ userId }) => userId));
  const able = duty.members.filter(({ userId }) => !lost.has(userId));
  const regular = able.filter(({ relief }) => !relief);
  if (able.length > 0) return (regular.length > 0 ? regular : able).map(({ userId }) => userId);
  const instead = wrong?.insteadGroupId ?? null;
  return instead === null ? [] : reachedIn(instead, { duties, unready, users: new Map() }, [...seen, callGroupId]);
}

/** The person, or who replaces them, if they have a number that is valid and verified. */
function reachedFor(userId: number, users: ReadonlyMap<number, User>): readonly number[] {
  const seen = new Set<number>();
  let id = userId;
  for (let next = users.get(id)?.replacedById; next && !seen.has(next); next = users.get(next)?.replacedById) {
    seen.add(next);
    id = next;
  }
  const isAble = users.get(id)?.numbers.some(({ valid, verified }) => valid && verified) ?? false;
  return isAble ? [id] : [];
}
