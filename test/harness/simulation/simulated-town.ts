// Creates random people, teams, groups and schedules in the store of a simulation.

import { systemCaller } from '../../../src/domain/access/access.ts';
import { weekdays } from '../../../src/domain/on-call/schedule.ts';
import { defaultNumber, type PeopleFields, type PeopleKind } from '../../../src/domain/people/entities.ts';
import { createPeopleEntry, type NewPeopleEntry } from '../../../src/operations/people/change-resource.ts';
import type { Chance } from '../chance.ts';
import type { MemoryStore } from '../stores/memory-store.ts';

export type Town = { readonly userIds: readonly number[]; readonly groupIds: readonly number[] };

const zones = ['Europe/Paris', 'America/New_York', 'Australia/Lord_Howe'];

export async function settleTown(store: MemoryStore, chance: Chance, now: number): Promise<Town> {
  const make = <K extends PeopleKind>(kind: K, fields: PeopleFields[K]): Promise<number> =>
    store.write(createPeopleEntry, now, { kind, caller: systemCaller, fields } as NewPeopleEntry);
  const several = async (count: number, one: (n: number) => Promise<number>): Promise<number[]> => {
    const ids: number[] = [];
    for (let n = 0; n < count; n++) ids.push(await one(n));
    return ids;
  };
  const userIds = await several(chance.int(2, 8), (n) => make('user', someone(chance, n)));
  const teamIds = await several(chance.int(1, 4), (n) =>
    make('team', {
      name: `team ${n}`,
      colour: '#123456',
      members: someOf(chance, userIds).map((userId) => ({ userId, relief: chance.percent(25) })),
    }),
  );
  const groupIds: number[] = [];
  for (let n = 0; n < chance.int(1, 6); n++) {
    const scheduleId = chance.percent(50) ? await make('schedule', aSchedule(chance, teamIds, n)) : undefined;
    groupIds.push(
      await make('callGroup', {
        name: `group ${n}`,
        names: {},
        stationId: 1,
        timeZone: chance.pick(zones),
        callMode: chance.percent(70) ? 'all' : 'turn',
        reliefMode: chance.percent(50) ? 'nobodyReached' : 'perUser',
        reliefGroupId: groupIds.length > 0 && chance.percent(60) ? chance.pick(groupIds) : undefined,
        timeToTakeSeconds: chance.percent(50) ? undefined : chance.pick([0, 120, 600]),
        discardWhenNobodyOnCall: chance.percent(10),
        teamIds: someOf(chance, teamIds),
        scheduleId,
      }),
    );
  }
  return { userIds, groupIds };
}

function someOf<T>(chance: Chance, all: readonly T[]): readonly T[] {
  const some = all.filter(() => chance.percent(60));
  return some.length === 0 ? [chance.pick(all)] : some;
}

function someone(chance: Chance, n: number): PeopleFields['user'] {
  const numbers = Array.from({ length: chance.int(0, 4) }, (_, place) => ({
    ...defaultNumber,
    id: 0,
    channel: chance.pick(['voice', 'voice', 'sms', 'pager']),
    address: `+33${1000 + n}${place}`,
    valid: chance.percent(95),
    final: chance.percent(70),
    countTry: chance.int(1, 4),
    timeToRetrySeconds: chance.pick([0, 30, 60, 300]),
    countAck: chance.int(0, 3),
    timeToAckSeconds: chance.pick([30, 120, 300]),
    acksWhenReached: chance.percent(10),
  }));
  return {
    name: `person ${n}`,
    firstName: '',
    lastName: '',
    displayName: '',
    language: 'en',
    timeZone: 'Europe/Paris',
    role: 'operator',
    statusId: 1,
    onDuty: chance.percent(90),
    replacedById: undefined,
    virtual: false,
    stationIds: [],
    identities: [],
    numbers,
    passwordHash: undefined,
    pinHash: undefined,
  };
}

function aSchedule(chance: Chance, teamIds: readonly number[], n: number): PeopleFields['schedule'] {
  const hour = (h: number): string => `${String(h).padStart(2, '0')}:00`;
  return {
    name: `schedule ${n}`,
    timeZone: chance.pick(zones),
    holidays: { dates: [], icalUrl: undefined, icalDates: [] },
    weekly: Array.from({ length: chance.int(1, 4) }, () => ({
      teamId: chance.pick(teamIds),
      days: [...weekdays],
      from: hour(chance.int(0, 24)),
      to: hour(chance.int(1, 25)),
    })),
    rotations: [],
    overrides: [],
  };
}
