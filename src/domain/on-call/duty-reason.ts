// Why somebody has the duty, is passed over or cannot be reached: codes with parameters, which become sentences in the
// language of the reader. Pure.

/** The entry of a schedule that gives the duty, such as `weekly[0]`; `reason` is that of an override, else empty. */
export type DutyEntry = { readonly scheduleId: number; readonly entry: string; readonly reason: string };

/** Whom a person stands in for, or why nobody stands in for them although somebody should. */
export type StandInReason = {
  readonly code: 'in-place-of' | 'replacements-in-a-circle' | 'replacement-missing';
  readonly userId: number;
};

/** Why somebody is on duty. */
export type ViaReason =
  | {
      readonly code: 'member-of-team';
      readonly teamId: number;
      /** Undefined if the group has no schedule. */
      readonly by: DutyEntry | undefined;
      readonly standIn: StandInReason | undefined;
    }
  | { readonly code: 'named-by-schedule'; readonly by: DutyEntry; readonly standIn: StandInReason | undefined };

/** Why a person is not called, or a team has no people. */
export type PassedOverReason =
  | { readonly code: 'replaced'; readonly byUserId: number }
  | { readonly code: 'off-duty' }
  | { readonly code: 'person-missing' }
  | { readonly code: 'team-missing'; readonly teamId: number; readonly by: DutyEntry | undefined };

/** A person who is not called, or a team that does not exist. */
export type PassedOver = {
  readonly userId: number | undefined;
  readonly teamId: number | undefined;
  readonly reason: PassedOverReason;
};

/** Why nobody is on duty. */
export type NobodyReason =
  | { readonly code: 'gap'; readonly scheduleId: number }
  | { readonly code: 'locked'; readonly by: DutyEntry }
  | { readonly code: 'no-teams' }
  | { readonly code: 'no-members' }
  | { readonly code: 'all-passed-over'; readonly passedOver: readonly PassedOver[] };

/**
 * Why a person cannot be called: there is no number, none is valid and verified, none that rings is on a channel that works,
 * none is in a country that may be called, none takes any priority, one is locked after wrong PINs, or none may be used at this time.
 */
export const unreachableCauses = [
  'noNumber',
  'notVerified',
  'noChannel',
  'notAllowed',
  'noPriority',
  'locked',
  'notNow',
] as const;
export type UnreachableCause = (typeof unreachableCauses)[number];

/** What is wrong with a group: nobody is on duty, or somebody could not be reached; and who is called instead. */
export type UnreadyReason =
  | NobodyReason
  | { readonly code: 'unreachable'; readonly userId: number; readonly cause: UnreachableCause }
  | { readonly code: 'relief-instead'; readonly groupId: number };

/** Why somebody within reach of a call is not called. */
export type NotCalledReason =
  | PassedOverReason
  | { readonly code: 'without-number'; readonly cause: UnreachableCause }
  | { readonly code: 'relief-not-due' }
  | { readonly code: 'not-on-duty' };

export type DutyReason = ViaReason | UnreadyReason | NotCalledReason;
export type DutyReasonCode = DutyReason['code'];
