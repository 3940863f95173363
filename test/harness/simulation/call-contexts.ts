// Builds people, numbers, groups and call contexts for unit tests of the calling rules.

import { type CallPolicy, defaultPolicy } from '../../../src/domain/calls/call.ts';
import type { CallContext } from '../../../src/domain/calls/decision-context.ts';
import type { StoredSchedule } from '../../../src/domain/on-call/schedule.ts';
import type { CallGroup, PeopleSnapshot } from '../../../src/domain/people/call-group.ts';
import type { ContactNumber, Person, Team } from '../../../src/domain/people/person.ts';

export function aNumber(id: number, change: Partial<ContactNumber> = {}): ContactNumber {
  return {
    id,
    channel: 'voice',
    address: `+331000${id}`,
    valid: true,
    verified: true,
    final: true,
    countTry: 1,
    timeToRetrySeconds: 60,
    countAck: 0,
    timeToAckSeconds: 120,
    acksWhenReached: false,
    scheduleId: undefined,
    priorities: undefined,
    ...change,
  };
}

/** A user named `u` and the id, with one number that has the same id. */
export function aPerson(id: number, change: Partial<Person> = {}): Person {
  return {
    id,
    name: `u${id}`,
    firstName: '',
    lastName: '',
    displayName: '',
    language: 'en',
    timeZone: 'UTC',
    onDuty: true,
    replacedById: undefined,
    isAdministrator: false,
    stationIds: [],
    numbers: [aNumber(id)],
    ...change,
  };
}

/** A group named `g` and the id, with the team that has the same id. */
export function aGroup(id: number, change: Partial<CallGroup> = {}): CallGroup {
  return {
    id,
    name: `g${id}`,
    names: {},
    stationId: 1,
    timeZone: 'UTC',
    callMode: 'all',
    reliefMode: 'nobodyReached',
    reliefGroupId: undefined,
    timeToTakeSeconds: undefined,
    discardWhenNobodyOnCall: false,
    teamIds: [id],
    scheduleId: undefined,
    ...change,
  };
}

export function aTeam(id: number, members: readonly number[], relief: readonly number[] = []): Team {
  const of = (ids: readonly number[], isRelief: boolean) => ids.map((userId) => ({ userId, relief: isRelief }));
  return { id, name: `t${id}`, colour: '', members: [...of(members, false), ...of(relief, true)] };
}

type Parts = {
  readonly people?: readonly Person[];
  readonly teams?: readonly Team[];
  readonly groups?: readonly CallGroup[];
  readonly schedules?: readonly StoredSchedule[];
};

function byId<T extends { readonly id: number }>(items: readonly T[] = []): ReadonlyMap<number, T> {
  return new Map(items.map((item) => [item.id, item]));
}

export function aSnapshot({ people, teams, groups, schedules }: Parts): PeopleSnapshot {
  return { people: byId(people), teams: byId(teams), groups: byId(groups), schedules: byId(schedules) };
}

type Change = Partial<Omit<CallContext, 'snapshot' | 'policy'>> & { readonly policy?: Partial<CallPolicy> };

/** A source of ids for new cycles: 1, 2, 3, … */
export function cycleIds(): () => number {
  let last = 0;
  return () => ++last;
}

/** A context in which one alarm of priority 3 is open, unless given otherwise. */
export function aCallContext(parts: Parts, { policy, ...change }: Change = {}): CallContext {
  return {
    snapshot: aSnapshot(parts),
    policy: { ...defaultPolicy, ...policy },
    causes: { areAny: true, isAsking: true, mostUrgent: 3, isUntilAcknowledged: false },
    lastInTurn: new Map(),
    recentAttempts: new Map(),
    linesInUse: new Set(),
    newCycleId: cycleIds(),
    ...change,
  };
}
