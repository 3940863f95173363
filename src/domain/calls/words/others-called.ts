// Whether somebody else is called after a person has declined a call or only heard it, as the person is told. Pure.

import { type Cycle, isOpen } from '../call.ts';
import type { OthersCalled } from './words.ts';

type CycleOf = Pick<Cycle, 'id' | 'userId' | 'phase' | 'isNotice'>;

/** Compares the contact cycles of the call before and after the answer; who only gets notices is not called. */
export function othersCalled(before: readonly CycleOf[], after: readonly CycleOf[], userId: number): OthersCalled {
  const others = after.filter((cycle) => cycle.userId !== userId && isBeingCalled(cycle));
  if (others.some(({ id }) => !before.some((cycle) => cycle.id === id))) return 'next';
  return others.length > 0 ? 'others' : 'nobody';
}

/** Whether attempts are being made, or will be, that the person must acknowledge. */
export function isBeingCalled(cycle: Pick<Cycle, 'phase' | 'isNotice'>): boolean {
  return isOpen(cycle) && !cycle.isNotice;
}
