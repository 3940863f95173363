// The stand-in number: the simulated phone that is stored for a person without any other number, so that calling works on
// a laptop with nothing installed. Pure.

import type { ContactNumber } from './person.ts';

const standIn: ContactNumber = {
  id: 0,
  channel: 'simulator',
  address: 'simulated phone',
  valid: true,
  verified: true,
  final: true,
  countTry: 2,
  timeToRetrySeconds: 60,
  countAck: 1,
  timeToAckSeconds: 120,
  acksWhenReached: false,
  scheduleId: undefined,
  priorities: undefined,
  isStandIn: true,
};

/**
 * Returns the numbers to store: a stand-in if there is none and the simulator is on, and no stand-in once the person has
 * another number. A number that is sent back with the id of a stand-in, and its address, is still one.
 */
export function withStandIn(
  numbers: readonly ContactNumber[],
  former: readonly ContactNumber[],
  hasSimulator: boolean,
): readonly ContactNumber[] {
  const isStandIn = ({ id, channel, address }: ContactNumber): boolean =>
    former.some((one) => one.isStandIn && one.id === id && one.channel === channel && one.address === address);
  const others = numbers.filter((number) => !isStandIn(number));
  if (others.length > 0) return others;
  const [kept = standIn] = former.filter((number) => number.isStandIn);
  return hasSimulator || numbers.length > 0 ? [{ ...kept, ...numbers[0], isStandIn: true }] : [];
}
