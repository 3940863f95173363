// People, their contact numbers, and teams. Pure.

/** A way to reach a person, with its retry settings. Numbers are tried in list order. */
export type ContactNumber = {
  /** Unique within the person. */
  readonly id: number;
  /** `voice`, `sms`, `email`, … */
  readonly channel: string;
  readonly address: string;
  /** False if switched off by hand or found to be wrong; such a number is skipped. */
  readonly valid: boolean;
  readonly verified: boolean;
  /** True if the number rings until the call is acknowledged; if false, it gets a notice of each alarm. */
  readonly final: boolean;
  /** How often the number is tried when it is not reached, and the pause in between. */
  readonly countTry: number;
  readonly timeToRetrySeconds: number;
  /** How often it is called again when it was reached but not acknowledged, and how long an acknowledgement may take. */
  readonly countAck: number;
  readonly timeToAckSeconds: number;
  /** Delivery counts as acknowledgement, as with a pager. */
  readonly acksWhenReached: boolean;
  /** The schedule in which the number may be used; undefined means always. */
  readonly scheduleId: number | undefined;
  /** The priorities of the alarms it is used for; undefined means all. */
  readonly priorities: { readonly from: number; readonly to: number } | undefined;
  /** A simulated phone that Tocsin stored because the person has no other number. */
  readonly isStandIn?: true;
  /** Tells the person what became of an alarm they were called for: that somebody took it, that it is back to normal. */
  readonly followUps?: { readonly taken: boolean; readonly back: boolean };
};

export type Person = {
  readonly id: number;
  readonly name: string;
  /** First and last name are empty when not given. */
  readonly firstName: string;
  readonly lastName: string;
  /** How the person wants to be named where people read it; empty when not given. */
  readonly displayName: string;
  readonly language: string;
  readonly timeZone: string;
  readonly onDuty: boolean;
  /** The person who is called instead of this one, in all groups. */
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

/** Relief members are called when the regular members were not reached. */
type TeamMember = { readonly userId: number; readonly relief: boolean };

/** The name that people read: the display name, else first and last name, else the name the person signs in with. */
export function shownNameOf(person: Pick<Person, 'name' | 'firstName' | 'lastName' | 'displayName'>): string {
  const fullName = [person.firstName, person.lastName].filter((part) => part.trim() !== '').join(' ');
  return [person.displayName, fullName].find((candidate) => candidate.trim() !== '') ?? person.name;
}
