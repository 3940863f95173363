// Which numbers of a person can be used now: those that ring, those that only give notice, and whether any is left. Pure.

import { dutyAt } from '../on-call/duty.ts';
import { mayBeDialled } from '../people/address-check.ts';
import type { PeopleSnapshot } from '../people/call-group.ts';
import { hideAddress } from '../people/hidden-address.ts';
import type { ContactNumber, Person } from '../people/person.ts';
import { isTelephone } from '../people/telephone-number.ts';
import type { CallPolicy } from './call.ts';

/** The inputs of the rules about numbers, besides the number itself. */
export type NumberContext = {
  readonly snapshot: PeopleSnapshot;
  readonly policy: Pick<CallPolicy, 'hasSimulator' | 'channels' | 'tolls'>;
  /** Ids of numbers that are locked because a wrong PIN was entered three times recently. */
  readonly lockedNumbers?: ReadonlySet<number>;
  /** The priority of the most urgent alarm; undefined: any. */
  readonly priority?: number | undefined;
};

/** Returns the numbers of a person, in order; the stand-in of a person without another one rings only in the simulator. */
export function numbersOf(
  person: Person | undefined,
  { policy }: { readonly policy: Pick<CallPolicy, 'hasSimulator'> },
): readonly ContactNumber[] {
  const numbers = person?.numbers ?? [];
  return policy.hasSimulator ? numbers : numbers.filter(({ isStandIn }) => !isStandIn);
}

/** Whether a number is ever called, whatever the time, the priority and the providers. */
export function isCallable({ valid, verified }: Pick<ContactNumber, 'valid' | 'verified'>): boolean {
  return valid && verified;
}

/** Unverified numbers are never called: they may belong to somebody else. Nor are those that must not be dialled. */
export function isUsable(
  number: ContactNumber,
  { snapshot, policy, lockedNumbers, priority }: NumberContext,
  now: number,
): boolean {
  const { id, channel, address, scheduleId, priorities } = number;
  if (!isCallable(number) || lockedNumbers?.has(id)) return false;
  if (isTelephone(channel) && !mayBeDialled(address, policy.tolls.allowedPrefixes, priority)) return false;
  if (priorities !== undefined && !isInRange(priorities, priority)) return false;
  const schedule = scheduleId === undefined ? undefined : snapshot.schedules.get(scheduleId);
  if (schedule === undefined) return true;
  const { holder } = dutyAt(schedule, now);
  return holder !== undefined && holder.kind !== 'locked';
}

/** Without a priority: whether there is any for which the number is used; a range that an earlier version took may have none. */
function isInRange(
  { from, to }: { readonly from: number; readonly to: number },
  priority: number | undefined,
): boolean {
  return priority === undefined ? from <= to : priority >= from && priority <= to;
}

function usableNumbers(userId: number, context: NumberContext, now: number): readonly ContactNumber[] {
  return numbersOf(context.snapshot.people.get(userId), context).filter((number) => isUsable(number, context, now));
}

/** Returns the numbers that ring the person, in order: the final ones or, if none can be used, all others. */
export function callNumbers(userId: number, context: NumberContext, now: number): readonly ContactNumber[] {
  const usable = usableNumbers(userId, context, now);
  const final = usable.filter((number) => number.final);
  return final.length > 0 ? final : usable;
}

/** Returns the numbers that get a notice of each alarm while others ring. */
export function noticeNumbers(userId: number, context: NumberContext, now: number): readonly ContactNumber[] {
  const usable = usableNumbers(userId, context, now);
  return usable.some((number) => number.final) ? usable.filter((number) => !number.final) : [];
}

/** Says which numbers of the person would be called if they were verified, for everybody who sees calls; empty if there are none. */
export function unverifiedText(person: Person | undefined): string {
  const found = (person?.numbers ?? []).filter(({ valid, verified }) => valid && !verified);
  const addresses = found.map(({ address }) => hideAddress(address)).join(', ');
  if (found.length === 0) return '';
  return found.length === 1 ? `number ${addresses} is not verified` : `numbers ${addresses} are not verified`;
}

/** Whether no number of the person that is valid and verified is in a country that may be called: priority 1 alone reaches them. */
export function isOutsideCountries({ numbers }: Person, { policy }: Pick<NumberContext, 'policy'>): boolean {
  const { allowedPrefixes } = policy.tolls;
  const callable = numbers.filter(isCallable);
  const isOutside = ({ channel, address }: ContactNumber): boolean =>
    isTelephone(channel) && !mayBeDialled(address, allowedPrefixes) && mayBeDialled(address, []);
  return callable.length > 0 && callable.every(isOutside);
}

/**
 * Whether the person could be reached now: by a number that rings them, on a channel that is set up. What calls by request
 * answer, readiness and the health of calling say of a person follows from it alone.
 */
export function canBeReached(userId: number, context: NumberContext, now: number): boolean {
  return callNumbers(userId, context, now).some((number) => isSetUp(number, context));
}

/** Whether anything could be sent to the person now, were it a notice alone. */
export function canBeTold(userId: number, context: NumberContext, now: number): boolean {
  return usableNumbers(userId, context, now).some((number) => isSetUp(number, context));
}

function isSetUp({ channel }: ContactNumber, { policy: { channels } }: NumberContext): boolean {
  return channels === 'all' || channels.includes(channel);
}
