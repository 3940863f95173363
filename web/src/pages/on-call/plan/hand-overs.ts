// The next hand-overs of all groups: when the people on duty change, from whom to whom. Pure.

import type { GroupSlots, OnCallSlot } from '@tocsin/client';
import { kindOf } from './blocks.ts';

/** The regular members; `locked` if nobody is called because an override says so. */
export type DutySide = { readonly userIds: readonly number[]; readonly isLocked: boolean };

export type HandOver = {
  readonly at: number;
  readonly callGroupId: number;
  readonly group: string;
  readonly before: DutySide;
  readonly after: DutySide;
};

/** Returns the first `count` from an instant on, in order of time. */
export function handOversOf(groups: readonly GroupSlots[], from: number, count: number): readonly HandOver[] {
  return groups
    .flatMap(handOversIn)
    .filter(({ at }) => at > from)
    .toSorted((one, other) => one.at - other.at || one.callGroupId - other.callGroupId)
    .slice(0, count);
}

function handOversIn({ callGroupId, name, slots }: GroupSlots): readonly HandOver[] {
  return slots.slice(1).flatMap((slot, index) => {
    const before = sideOf(slots[index] as OnCallSlot);
    const after = sideOf(slot);
    const isSame = before.isLocked === after.isLocked && String(before.userIds) === String(after.userIds);
    return isSame ? [] : [{ at: Date.parse(slot.from), callGroupId, group: name, before, after }];
  });
}

export function sideOf(slot: Pick<OnCallSlot, 'members' | 'locked'>): DutySide {
  const regular = slot.members.filter(({ relief }) => !relief);
  return {
    // Where only relief is left, relief has the duty.
    userIds: (regular.length === 0 ? slot.members : regular).map(({ userId }) => userId),
    isLocked: kindOf(slot) === 'locked',
  };
}
