// Random organisations for the days that try the engine: people with numbers, teams, groups, a policy and providers.

import { type CallPolicy, defaultPolicy, noRules, type PriorityRules } from '../../../src/domain/calls/call.ts';
import type { Provider } from '../../../src/domain/channels/provider.ts';
import { noTollLimits, type TollLimits } from '../../../src/domain/channels/toll-limits.ts';
import type { StoredSchedule, WeeklyDuty } from '../../../src/domain/on-call/schedule.ts';
import type { CallGroup, PeopleSnapshot } from '../../../src/domain/people/call-group.ts';
import type { ContactNumber, Person, Team } from '../../../src/domain/people/person.ts';
import type { Chance } from '../chance.ts';

/** What a person does with a phone, in percent. */
export type Mood = {
  readonly picksUp: number;
  readonly takes: number;
  readonly answers: number;
  readonly replies: number;
};

export type Organisation = {
  readonly snapshot: PeopleSnapshot;
  readonly policy: CallPolicy;
  readonly providers: readonly Provider[];
  readonly moods: ReadonlyMap<number, Mood>;
  /** Ids of numbers that fail at every provider. */
  readonly failing: ReadonlySet<number>;
};

const everyDay = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

export function randomOrganisation(chance: Chance): Organisation {
  const schedules = new Map<number, StoredSchedule>();
  const teamIds = idsFrom(1, chance.int(1, 5));
  const hours = idsFrom(1, chance.int(1, 3));
  for (const id of hours) schedules.set(id, hoursSchedule(id, chance));
  const people = byId(idsFrom(1, chance.int(2, 9)).map((id) => randomPerson(id, hours, chance)));
  const teams = byId(teamIds.map((id) => randomTeam(id, [...people.keys()], chance)));
  const groupIds = idsFrom(1, chance.int(1, 5));
  for (const id of groupIds) if (chance.percent(25)) schedules.set(10 + id, dutySchedule(10 + id, teamIds, chance));
  const groups = byId(groupIds.map((id) => randomGroup(id, groupIds, teamIds, schedules, chance)));
  const failing = [...people.values()].flatMap(({ numbers }) => numbers.filter(() => chance.percent(4)));
  return {
    snapshot: { people, teams, groups, schedules },
    policy: randomPolicy(groupIds, chance),
    providers: randomProviders(chance),
    moods: moodsOf([...people.keys()], chance),
    failing: new Set(failing.map(({ id }) => id)),
  };
}

function idsFrom(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, place) => first + place);
}

function byId<T extends { readonly id: number }>(all: readonly T[]): ReadonlyMap<number, T> {
  return new Map(all.map((one) => [one.id, one]));
}

function randomPerson(id: number, hours: readonly number[], chance: Chance): Person {
  const channels = ['voice', 'voice', 'voice', 'sms', 'email'] as const;
  const count = chance.pick([1, 1, 2, 2, 3]);
  const numbers = Array.from({ length: count }, (_, place) =>
    randomNumber(
      id * 10 + place,
      id,
      place === 0 ? chance.pick(['voice', 'voice', 'sms']) : chance.pick(channels),
      hours,
      chance,
    ),
  );
  return {
    id,
    name: `p${id}`,
    firstName: '',
    lastName: '',
    displayName: '',
    language: 'en',
    timeZone: 'UTC',
    onDuty: chance.percent(94),
    replacedById: undefined,
    isAdministrator: id === 1 || chance.percent(15),
    stationIds: [],
    numbers,
  };
}

function randomNumber(
  id: number,
  userId: number,
  channel: string,
  hours: readonly number[],
  chance: Chance,
): ContactNumber {
  // Some people share a telephone.
  const shared = chance.percent(6) ? 1 : userId;
  const prefix = chance.percent(75) ? '+3312345' : '+4930123';
  const low = chance.pick([1, 1, 2, 3]);
  return {
    id,
    channel,
    address: channel === 'email' ? `p${id}@example.org` : `${prefix}${channel === 'voice' ? shared * 10 : id + 5}`,
    valid: chance.percent(97),
    verified: chance.percent(97),
    final: channel === 'voice' ? chance.percent(90) : chance.percent(45),
    countTry: chance.int(1, 4),
    timeToRetrySeconds: chance.int(20, 301),
    countAck: chance.int(0, 3),
    timeToAckSeconds: chance.pick([20, 60, 120, 180]),
    acksWhenReached: channel !== 'voice' && chance.percent(10),
    scheduleId: chance.percent(15) ? chance.pick(hours) : undefined,
    priorities: chance.percent(20) ? { from: low, to: low + chance.int(0, 3) } : undefined,
    ...(chance.percent(15) ? { followUps: { taken: true, back: chance.percent(50) } } : {}),
  };
}

function randomTeam(id: number, userIds: readonly number[], chance: Chance): Team {
  const members = userIds.filter(() => chance.percent(45)).map((userId) => ({ userId, relief: chance.percent(30) }));
  return { id, name: `team ${id}`, colour: '#123456', members };
}

function randomGroup(
  id: number,
  groupIds: readonly number[],
  teamIds: readonly number[],
  schedules: ReadonlyMap<number, StoredSchedule>,
  chance: Chance,
): CallGroup {
  const later = groupIds.filter((other) => other > id);
  return {
    id,
    name: `group ${id}`,
    names: {},
    stationId: 1,
    timeZone: 'UTC',
    callMode: chance.percent(65) ? 'all' : 'turn',
    reliefMode: chance.percent(65) ? 'nobodyReached' : 'perUser',
    reliefGroupId: later.length > 0 && chance.percent(60) ? chance.pick(later) : undefined,
    timeToTakeSeconds: chance.pick([undefined, undefined, 0, 60, 300, 600]),
    discardWhenNobodyOnCall: chance.percent(5),
    teamIds: chance.percent(8)
      ? []
      : teamIds.filter((one) => one === teamIds[id % teamIds.length] || chance.percent(20)),
    scheduleId: schedules.has(10 + id) ? 10 + id : undefined,
  };
}

function scheduleOf(id: number, weekly: readonly WeeklyDuty[]): StoredSchedule {
  const holidays = { dates: [], icalUrl: undefined, icalDates: [] };
  return { id, name: `schedule ${id}`, timeZone: 'UTC', holidays, weekly, rotations: [], overrides: [] };
}

function hoursSchedule(id: number, chance: Chance): StoredSchedule {
  const lasts = chance.pick([0.5, 1, 2, 9]);
  const begins = idsFrom(0, Math.floor(12 / lasts)).map((place) => place * 2 * lasts);
  const on = begins.map((from) => ({ teamId: 1, days: everyDay, from: clock(from), to: clock((from + lasts) % 24) }));
  return scheduleOf(id, on);
}

/** Hands the duty over again and again, sometimes with a gap. */
function dutySchedule(id: number, teamIds: readonly number[], chance: Chance): StoredSchedule {
  const everyMinutes = chance.pick([40, 60, 90, 240]);
  const edges = idsFrom(0, Math.floor(1_440 / everyMinutes)).map((place) => place * everyMinutes);
  const weekly = edges.map((from, place) => ({
    teamId: chance.pick(teamIds),
    days: everyDay,
    from: clock(from / 60),
    to: clock((edges[place + 1] ?? 1_440) / 60),
  }));
  return scheduleOf(
    id,
    weekly.filter(() => chance.percent(85)),
  );
}

function clock(hours: number): string {
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return `${two(hours)}:${two(Math.round(hours * 60) % 60)}`;
}

export function randomPolicy(groupIds: readonly number[], chance: Chance): CallPolicy {
  const repeats = (priority: number): PriorityRules => {
    const pauseSeconds = chance.pick([30, 60, 120, 300]);
    const longestPauseSeconds = pauseSeconds * chance.pick([1, 2, 6]);
    const timeToTakeSeconds = chance.pick([0, 120, 900]);
    const ackExpiryMinutes = chance.pick([0, 0, 0, 20]);
    const pauses = { pauseSeconds, longestPauseSeconds };
    return { ...noRules, priority, untilAcknowledged: true, ...pauses, timeToTakeSeconds, ackExpiryMinutes };
  };
  const priorities = [repeats(1), repeats(2), { ...noRules, priority: 4, endOnReturn: true }];
  return {
    ...defaultPolicy,
    priorities: chance.percent(10) ? priorities.slice(1) : priorities,
    cap: chance.percent(40) ? { attempts: chance.int(1, 8), windowMs: chance.int(5, 16) * 60_000 } : undefined,
    tolls: chance.percent(20) ? randomTolls(chance) : noTollLimits,
    lastResortGroupId: chance.percent(30) ? chance.pick(groupIds) : undefined,
    hasSimulator: false,
    channels: ['voice', 'sms', 'email'],
  };
}

function randomTolls(chance: Chance): TollLimits {
  return {
    allowedPrefixes: chance.percent(25) ? ['+33'] : [],
    perPersonDay: chance.percent(50) ? chance.int(1, 25) : undefined,
    perCountryDay: chance.percent(30) ? chance.int(5, 80) : undefined,
    budgetDay: chance.percent(30) ? chance.int(10, 200) : undefined,
  };
}

function randomProviders(chance: Chance): readonly Provider[] {
  const channels = ['voice', 'sms', 'email'];
  const areLimited = chance.percent(8);
  const all = channels.flatMap((channel) => idsFrom(0, chance.pick([1, 1, 2])).map((place) => ({ channel, place })));
  return all.map(({ channel, place }, index) => ({
    id: index + 1,
    name: `${channel} ${place}`,
    channel,
    kind: channel === 'voice' ? 'sip' : channel === 'sms' ? 'smpp' : 'smtp',
    order: place,
    isEnabled: true,
    lines: chance.pick([undefined, undefined, 1, 1, 2, 4, 30]),
    perSecond: undefined,
    perDay: areLimited && chance.percent(50) ? chance.int(3, 60) : undefined,
    cost: channel === 'email' ? 0 : chance.int(0, 4),
    // Some serve one country alone; the first of a channel serves all.
    countries: place > 0 && channel !== 'email' && chance.percent(30) ? ['+49'] : [],
    node: place > 0 && chance.percent(25) ? 'b' : undefined,
    settings: {},
  }));
}

function moodsOf(userIds: readonly number[], chance: Chance): ReadonlyMap<number, Mood> {
  const day = chance.int(0, 10);
  const of = (): Mood => {
    if (day === 0) return { picksUp: 0, takes: 0, answers: 0, replies: 0 };
    if (day === 1) return { picksUp: 95, takes: 0, answers: 100, replies: 70 };
    return {
      picksUp: chance.pick([0, 20, 60, 90]),
      takes: chance.pick([0, 10, 30]),
      answers: chance.pick([30, 70, 100]),
      replies: chance.pick([0, 30, 70]),
    };
  };
  return new Map(userIds.map((id) => [id, of()]));
}
