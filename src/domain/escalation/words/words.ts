// The sentences of the calling engine's reasons: a function of its parameters for each code, in every language. Pure.

import type { Reason, ReasonCode } from '../reason.ts';

/** How parameters are shown to the reader: in their zone and language, with the names that they may see. */
export type Show = {
  /** The actor of a command, such as a user. */
  readonly actor: (actor: string) => string;
  readonly time: (instant: number) => string;
  readonly channel: (name: string) => string;
};

type ReasonOf<Code extends ReasonCode> = Extract<Reason, { readonly code: Code }>;

/** The sentences of one language, without their full stops. */
export type ReasonWords = {
  readonly [Code in ReasonCode]: (reason: ReasonOf<Code>, show: Show) => string;
};

export function sayReason(reason: Reason, words: ReasonWords, show: Show): string {
  const say = words[reason.code] as (reason: Reason, show: Show) => string;
  return say(reason, show);
}

/** Prints whole minutes as `5 min`, other durations as `90 s`, which reads the same in every language offered. */
export function durationText(seconds: number): string {
  return seconds >= 60 && seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
}
