// People, the numbers they are reached by, and the teams they form. Pure.

/** A way to reach a person, with how often and how patiently it is tried. Numbers are tried in list order. */
export type ContactNumber = {
  /** Unique within the person. */
  readonly id: number;
  /** `voice`, `sms`, `email`, … */
  readonly channel: string;
  readonly address: string;
  /** Switched off by hand, or found to be wrong: it is passed over. */
  readonly valid: boolean;
  readonly verified: boolean;
  /** Reaching somebody here needs a call acknowledgement; otherwise the next number is tried in any case. */
  readonly final: boolean;
  readonly countTry: number;
  readonly timeToRetrySeconds: number;
  readonly countAck: number;
  readonly timeToAckSeconds: number;
  /** Being reached counts as acknowledged, as with a pager. */
  readonly acksWhenReached: boolean;
  /** When the number may be used; undefined: always. */
  readonly scheduleId: number | undefined;
};

export type Person = {
  readonly id: number;
  readonly name: string;
  readonly firstName: string;
  readonly language: string;
  readonly timeZone: string;
  readonly onDuty: boolean;
  /** Who is called in this person's place, in all groups. */
  readonly replacedById: number | undefined;
  readonly isAdministrator: boolean;
  /** The stations the person is bound to; empty means all of them. */
  readonly stationIds: readonly number[];
  readonly numbers: readonly ContactNumber[];
};

export type Team = {
  readonly id: number;
  readonly name: string;
  readonly colour: string;
  readonly members: readonly TeamMember[];
};

/** Relief members are called when the others were not reached. */
export type TeamMember = { readonly userId: number; readonly relief: boolean };
