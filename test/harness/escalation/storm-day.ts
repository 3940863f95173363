// The script of a storm: 500 alarms of priority 3 and five of priority 1 in a minute, to one person or ten who never answer.

import { noTollLimits } from '../../../src/domain/channels/toll-limits.ts';
import { chanceOf } from '../chance.ts';
import { type Organisation, randomOrganisation } from './organisation.ts';
import type { Happening, RandomDay } from './random-day.ts';

const minute = 60_000;
const begin = 1_000_000;

export function stormDay(seed: number): RandomDay {
  const chance = chanceOf(seed);
  const organisation = quietOrganisation(randomOrganisation(chance), chance.pick([1, 10]));
  const raise = (priority: number): Happening => ({
    at: begin + minute + chance.int(0, minute),
    kind: 'raise',
    priority,
    asks: true,
    targets: [{ kind: 'group', id: 1 }],
    delayMs: 0,
  });
  const happenings = [...several(500, () => raise(3)), ...several(5, () => raise(1))];
  happenings.sort((one, other) => one.at - other.at);
  const civilOffset = Date.UTC(2026, 9, 22, 12) - begin;
  return { seed, organisation, happenings, begin, end: begin + 8 * minute, civilOffset };
}

function several<T>(count: number, one: () => T): readonly T[] {
  return Array.from({ length: count }, one);
}

function quietOrganisation(organisation: Organisation, count: number): Organisation {
  const [person] = organisation.snapshot.people.values();
  const [group] = organisation.snapshot.groups.values();
  if (person === undefined || group === undefined) throw new Error('a random organisation has people and groups');
  const ids = Array.from({ length: count }, (_, place) => place + 1);
  const people = ids.map((id) => ({
    ...person,
    id,
    name: `p${id}`,
    onDuty: true,
    isAdministrator: id === 1,
    numbers: [{ ...quietNumber, id: id * 10, address: `+331234500${id}` }],
  }));
  const team = { id: 1, name: 'team 1', colour: '#123456', members: ids.map((userId) => ({ userId, relief: false })) };
  const own = {
    ...group,
    id: 1,
    callMode: 'all',
    reliefGroupId: undefined,
    teamIds: [1],
    scheduleId: undefined,
  } as const;
  const snapshot = {
    people: new Map(people.map((one) => [one.id, one])),
    teams: new Map([[1, team]]),
    groups: new Map([[1, own]]),
    schedules: new Map(),
  };
  const mood = { picksUp: 0, takes: 0, answers: 0, replies: 0 };
  return {
    snapshot,
    policy: { ...organisation.policy, lastResortGroupId: undefined, cap: undefined, tolls: noTollLimits },
    providers: organisation.providers.map((one) => ({ ...one, lines: undefined, perDay: undefined, countries: [] })),
    moods: new Map(ids.map((id) => [id, mood])),
    failing: new Set(),
  };
}

const quietNumber = {
  channel: 'voice',
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
} as const;
