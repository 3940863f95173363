// What an attempt told of, and what of it is left: nobody takes, or is left in peace for, what they were not told. Pure.

import { mostToldOf } from './message-text.ts';

/** One thing a call is for, as far as telling of it goes. */
export type Tellable = { readonly id: number; readonly list: string; readonly alarm_id: number | null };

/** One thing as a message tells of it: an alarm can be taken, news can only be heard. */
export type ToldThing = { readonly name: string; readonly isAlarm: boolean };

/** What was told of by name, and up to which cause when it was said how many more there are. */
export type Told = { readonly names: readonly string[]; readonly upTo: number };

/** The reason by which the cause of a message ends that the person it was for has heard. */
export const heardByPerson = 'heard';

export function toldThing(cause: Tellable): ToldThing {
  return { name: toldName(cause), isAlarm: cause.list === 'alarm' };
}

/** An alarm that is raised again is still the same alarm; anything else is told of once. */
export function toldName({ id, list, alarm_id }: Tellable): string {
  return list === 'alarm' ? `alarm ${alarm_id}` : `cause ${id}`;
}

/** Of an attempt that is made again nobody knows which of two messages was delivered: what both of them name was told. */
export function toldByEither(one: Told, other: Told): Told {
  return { names: one.names.filter((name) => other.names.includes(name)), upTo: Math.min(one.upTo, other.upTo) };
}

/** The alarms among what was told of. */
export function alarmsNamed(names: readonly string[]): readonly number[] {
  return names.filter((name) => name.startsWith('alarm ')).map((name) => Number(name.slice('alarm '.length)));
}

export type StillTold<C> = {
  /** What was told of by name and is still open: no more than this can be taken. */
  readonly named: readonly C[];
  /** With what was only counted. */
  readonly known: readonly C[];
  /** Whether a further call would tell the person something new. */
  readonly hasMore: boolean;
};

/**
 * What of it is still open, given everything that is, the most urgent first. Of what was only counted a further call would
 * tell as soon as something that was named is over; until then it would tell the same again.
 */
export function stillTold<C extends Tellable>({ names, upTo }: Told, open: readonly C[]): StillTold<C> {
  const isNamed = (cause: C): boolean => names.includes(toldName(cause));
  const known = open.filter((cause) => cause.id <= upTo || isNamed(cause));
  const hasMore = known.length < open.length || open.slice(0, mostToldOf).some((cause) => !isNamed(cause));
  return { named: open.filter(isNamed), known, hasMore };
}
