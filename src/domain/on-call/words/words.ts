// The sentences of the duty rules' reasons: a function of its parameters for each code, in every language. Pure.

import type { References } from '../../people/references.ts';
import type { DutyEntry, DutyReason, DutyReasonCode, PassedOver, StandInReason } from '../duty-reason.ts';

type DutyReasonOf<Code extends DutyReasonCode> = Extract<DutyReason, { readonly code: Code }>;

/** The sentences of one language, without their full stops. */
export type DutyWords = {
  readonly [Code in DutyReasonCode]: (reason: DutyReasonOf<Code>, names: References) => string;
};

/** `names` are those that the reader may see, or references where the sentence is stored. */
export function sayDuty(reason: DutyReason, words: DutyWords, names: References): string {
  const say = words[reason.code] as (reason: DutyReason, names: References) => string;
  return say(reason, names);
}

/** The kinds of entries of a schedule. */
export type EntryKind = 'weekly' | 'rotations' | 'overrides';

/** Returns the name of an entry for people: its kind, and its place counted from 1; unlike `weekly[0]` in the interface. */
export function entryName(entry: string, kinds: Readonly<Record<EntryKind, string>>): string {
  const [, kind, digits] = /^(weekly|rotations|overrides)\[(\d+)\]$/.exec(entry) ?? [];
  return kind === undefined ? entry : `${kinds[kind as EntryKind]} ${Number(digits) + 1}`;
}

/** What differs between the languages where an entry, a team or a replacement is told. */
type Phrasing = {
  /** `entry` has the reason of the override, which people wrote, in brackets. */
  readonly entryOf: (entry: string, schedule: string) => string;
  readonly entryName: (entry: string) => string;
  /** Between a team and the entry that names it. */
  readonly by: string;
  readonly standIns: Readonly<Record<StandInReason['code'], (user: string) => string>>;
};

export function phrasesOf({ entryOf, entryName: nameOf, by, standIns }: Phrasing) {
  const entry = ({ entry: source, reason, scheduleId }: DutyEntry, names: References): string => {
    const name = nameOf(source);
    return entryOf(reason === '' ? name : `${name} (${reason})`, names.schedule(scheduleId));
  };
  const team = (teamId: number, named: DutyEntry | undefined, names: References): string =>
    named === undefined ? names.team(teamId) : `${names.team(teamId)}${by}${entry(named, names)}`;
  const standIn = (reason: StandInReason | undefined, names: References): string =>
    reason === undefined ? '' : standIns[reason.code](names.user(reason.userId));
  return { entry, team, standIn };
}

/** Says of each person who is not called, and of each team without people, why. */
export function sayEach(
  passedOver: readonly PassedOver[],
  words: DutyWords,
  names: References,
  { link, separator }: { readonly link: string; readonly separator: string },
): string {
  const sentences = passedOver.map(({ userId, reason }) => {
    const why = sayDuty(reason, words, names);
    return userId === undefined ? why : `${names.user(userId)}${link}${why}`;
  });
  return sentences.join(separator);
}
