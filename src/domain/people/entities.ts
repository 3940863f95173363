// The kinds of things that decide who is called, as they are kept and changed, and what they are called to people. Pure.

import type { Role } from '../access/access.ts';
import type { Schedule } from '../on-call/schedule.ts';
import type { CallGroup, CallGroupGrouping, Scenario } from './call-group.ts';
import type { ContactNumber, Person, Team } from './person.ts';

/** `station`: each belongs to one; `some`: to one or to all of them; `shared`: to all of them. */
export const peopleKinds = {
  user: { noun: 'user', place: 'shared' },
  team: { noun: 'team', place: 'shared' },
  callGroup: { noun: 'call group', place: 'station' },
  grouping: { noun: 'grouping', place: 'station' },
  schedule: { noun: 'schedule', place: 'shared' },
  scenario: { noun: 'scenario', place: 'some' },
} as const satisfies Record<string, { noun: string; place: 'station' | 'some' | 'shared' }>;

export type PeopleKind = keyof typeof peopleKinds;

/** A person as an administrator sees them. */
export type User = Person & { readonly role: Role; readonly statusId: number; readonly virtual: boolean };

export type PeopleEntries = {
  user: User;
  team: Team;
  callGroup: CallGroup;
  grouping: CallGroupGrouping;
  schedule: Schedule;
  scenario: Scenario;
};

/** Something kept, with when it was last changed: milliseconds since 1970, UTC. */
export type Kept<T> = T & { readonly lastChange: number };

/** Numbers with the id 0, or one that is not the user's, are new. What is secret comes hashed; undefined keeps what there is. */
export type UserFields = Omit<User, 'id' | 'isAdministrator' | 'role'> & {
  readonly role: Role | undefined;
  readonly passwordHash: string | undefined;
  /** Null takes the PIN away. */
  readonly pinHash: string | null | undefined;
};

type InStation<T> = Omit<T, 'id' | 'stationId'> & {
  /** Undefined: where it is; for a new one, the caller's own station or the default one. */
  readonly stationId: number | undefined;
};

/** What is written of each kind: the whole object. */
export type PeopleFields = {
  user: UserFields;
  team: Omit<Team, 'id'>;
  callGroup: InStation<CallGroup>;
  grouping: InStation<CallGroupGrouping>;
  schedule: Omit<Schedule, 'id'>;
  scenario: Omit<Scenario, 'id'>;
};

/** The ways to reach somebody. */
export const channelNames = ['voice', 'sms', 'email', 'webhook', 'push', 'pager', 'simulator'] as const;

/** What a number is when nothing is said about it. */
export const plainNumber = {
  valid: true,
  verified: true,
  final: true,
  countTry: 1,
  timeToRetrySeconds: 60,
  countAck: 1,
  timeToAckSeconds: 120,
  acksWhenReached: false,
  scheduleId: undefined,
} as const satisfies Partial<ContactNumber>;

/** Whether following `next` from one of `from` comes to `target`. */
export function leadsTo(target: number, from: readonly number[], next: (id: number) => readonly number[]): boolean {
  const seen = new Set<number>();
  const ahead = [...from];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    if (id === target) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    ahead.push(...next(id));
  }
  return false;
}
