// Builds teams, groups and a directory of them for tests of duties.

import type { StoredSchedule } from '../../../src/domain/on-call/schedule.ts';
import type { CallGroup, PeopleSnapshot } from '../../../src/domain/people/call-group.ts';
import type { Team } from '../../../src/domain/people/person.ts';

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

export function aTeam(id: number, userIds: readonly number[]): Team {
  return { id, name: `t${id}`, colour: '', members: userIds.map((userId) => ({ userId, relief: false })) };
}

type Parts = {
  readonly teams: readonly Team[];
  readonly groups: readonly CallGroup[];
  readonly schedules?: readonly StoredSchedule[];
};

/** A directory without people. */
export function aSnapshot({ teams, groups, schedules = [] }: Parts): PeopleSnapshot {
  return { people: new Map(), teams: byId(teams), groups: byId(groups), schedules: byId(schedules) };
}

function byId<T extends { readonly id: number }>(items: readonly T[]): ReadonlyMap<number, T> {
  return new Map(items.map((item) => [item.id, item]));
}
