// The resource kinds that decide who is called, with their stored and writable forms and display nouns. Pure.

import type { Role } from '../access/access.ts';
import type { Override, Schedule, StoredSchedule } from '../on-call/schedule.ts';
import type { CallGroup, CallGroupGrouping, Scenario } from './call-group.ts';
import type { ContactNumber, Person, Team } from './person.ts';

/** Station binding of a kind. `station`: belongs to one station; `some`: to one or all; `shared`: to all. */
export const peopleKinds = {
  user: { noun: 'user', stationBinding: 'shared' },
  team: { noun: 'team', stationBinding: 'shared' },
  callGroup: { noun: 'call group', stationBinding: 'station' },
  grouping: { noun: 'grouping', stationBinding: 'station' },
  schedule: { noun: 'schedule', stationBinding: 'shared' },
  scenario: { noun: 'scenario', stationBinding: 'some' },
} as const satisfies Record<string, { noun: string; stationBinding: 'station' | 'some' | 'shared' }>;

export type PeopleKind = keyof typeof peopleKinds;

/** A person with the fields that only administrators see. */
export type User = Person & {
  readonly role: Role;
  readonly statusId: number;
  readonly virtual: boolean;
  /** The accounts that answers of the person may come from. */
  readonly identities: readonly Identity[];
};

export const identityKinds = ['email', 'chat'] as const;

/** An account of a person, which nobody else has. */
export type Identity = { readonly kind: (typeof identityKinds)[number]; readonly address: string };

export type PeopleEntries = {
  user: User;
  team: Team;
  callGroup: CallGroup;
  grouping: CallGroupGrouping;
  schedule: StoredSchedule;
  scenario: Scenario;
};

/** A stored resource with its last change, in milliseconds since 1970 UTC. */
export type Stored<T> = T & { readonly lastChange: number };

/**
 * Numbers with id 0, or an id that is not the user's, are new. Secrets arrive hashed; undefined leaves the stored
 * secret unchanged.
 */
export type UserFields = Omit<User, 'id' | 'isAdministrator' | 'role' | 'stationIds'> & {
  readonly role: Role | undefined;
  /** Undefined leaves them unchanged: a client that does not know of them must not widen what a person may see. */
  readonly stationIds: readonly number[] | undefined;
  readonly passwordHash: string | undefined;
  /** Null removes the PIN. */
  readonly pinHash: string | null | undefined;
};

type InStation<T> = Omit<T, 'id' | 'stationId'> & {
  /**
   * If undefined: an existing resource stays in its station; a new one goes to the caller's own station or the default
   * one.
   */
  readonly stationId: number | undefined;
};

/** An override that is written: one with the id of a stored override of the schedule replaces it, any other is new. */
export type WrittenOverride = Override & { readonly id: number };

type ScheduleFields = Omit<Schedule, 'id' | 'overrides'> & {
  /** Undefined leaves the stored overrides unchanged. */
  readonly overrides: readonly WrittenOverride[] | undefined;
};

/** The writable form of each kind: always the whole object. */
export type PeopleFields = {
  user: UserFields;
  team: Omit<Team, 'id'>;
  callGroup: InStation<CallGroup>;
  grouping: InStation<CallGroupGrouping>;
  schedule: ScheduleFields;
  scenario: Omit<Scenario, 'id'>;
};

/** The channels a person can be reached by. */
export const channelNames = ['voice', 'sms', 'email', 'webhook', 'push', 'pager', 'simulator'] as const;

/** Default settings of a contact number. */
export const defaultNumber = {
  valid: true,
  verified: true,
  final: true,
  countTry: 1,
  timeToRetrySeconds: 60,
  countAck: 1,
  timeToAckSeconds: 120,
  acksWhenReached: false,
  scheduleId: undefined,
  priorities: undefined,
} as const satisfies Partial<ContactNumber>;

/** Whether `target` is reachable from any of `from` by following `next`. */
export function isReachable(target: number, from: readonly number[], next: (id: number) => readonly number[]): boolean {
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
