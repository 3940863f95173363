// A swap of duty: whoever has the duty in one period gives it away, and takes that of another period in return. Pure.

import { civilClock, dayMs, instantOfMoment, readMoment } from './civil-time.ts';
import { dutySlots } from './duty.ts';
import { isSameHolder } from './duty-spans.ts';
import type { DutyHolder, Override, Schedule } from './schedule.ts';

/** Times as in overrides. */
export type Swap = {
  /** Who takes the first period; undefined: whoever has the duty in the second. */
  readonly teamId: number | undefined;
  readonly userId: number | undefined;
  readonly from: string;
  readonly to: string;
  /** The period that is given in return; undefined: none. */
  readonly inReturn: { readonly from: string; readonly to: string } | undefined;
  readonly reason: string;
};

/** `field` is a field of the request, `message` a sentence part that follows it. */
type SwapProblem = { readonly field: string; readonly message: string };

/** Bounds the work. */
const longestDays = 92;

/** Returns the overrides of the swap, or why there can be none. Invalid times and names are left to the check of overrides. */
export function overridesOfSwap(schedule: Schedule, swap: Swap): readonly Override[] | SwapProblem {
  const { teamId, userId, from, to, inReturn, reason } = swap;
  const named = { teamId, userId };
  const isNamed = teamId !== undefined || userId !== undefined;
  if (inReturn === undefined) return [{ ...named, from, to, reason, lock: false }];
  const [first, second] = [periodOf(schedule, from, to), periodOf(schedule, inReturn.from, inReturn.to)];
  if (first === undefined) return problem('to', `must be after from, by at most ${longestDays} days`);
  if (second === undefined) return problem('returnTo', `must be after returnFrom, by at most ${longestDays} days`);
  if (first.from < second.to && second.from < first.to) return problem('returnFrom', 'must not be in the first period');
  const giver = holderIn(schedule, first);
  if (giver === undefined) return problem('from', 'begins a period that nobody has alone, so nobody can give it away');
  const taker = isNamed ? undefined : holderIn(schedule, second);
  if (!isNamed && taker === undefined) return problem('returnFrom', 'begins a period that nobody has alone');
  if (isSameHolder(taker, giver)) return problem('returnFrom', 'begins a period that the same team or person has');
  return [
    { ...(taker === undefined ? named : namesOf(taker)), from, to, reason, lock: false },
    { ...namesOf(giver), ...inReturn, reason, lock: false },
  ];
}

function problem(field: string, message: string): SwapProblem {
  return { field, message };
}

type Period = { readonly from: number; readonly to: number };

function periodOf({ timeZone }: Schedule, from: string, to: string): Period | undefined {
  const [start, end] = [readMoment(from), readMoment(to)];
  if (start === undefined || end === undefined) return undefined;
  const clock = civilClock(timeZone);
  const period = { from: instantOfMoment(clock, start), to: instantOfMoment(clock, end) };
  return period.from < period.to && period.to - period.from <= longestDays * dayMs ? period : undefined;
}

/** The team or person that has the duty for the whole period. */
function holderIn(schedule: Schedule, { from, to }: Period): DutyHolder | undefined {
  const [first, ...others] = dutySlots(schedule, from, to).map(({ holder }) => holder);
  if (first === undefined || first.kind === 'locked') return undefined;
  return others.every((holder) => isSameHolder(holder, first)) ? first : undefined;
}

function namesOf(holder: DutyHolder): Pick<Override, 'teamId' | 'userId'> {
  return {
    teamId: holder.kind === 'team' ? holder.teamId : undefined,
    userId: holder.kind === 'user' ? holder.userId : undefined,
  };
}
