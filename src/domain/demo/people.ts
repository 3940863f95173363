// The people of the demo plant: their phones, teams, call groups and the programme of duty. Pure.

import { civilClock, dayMs, hourMs, printDate } from '../on-call/civil-time.ts';
import { type DutyDay, weekdays } from '../on-call/schedule.ts';

export const demoGroups = ['Electrical', 'Pumps', 'Process', 'Laboratory', 'Site security'] as const;
export type DemoGroup = (typeof demoGroups)[number];

export type DemoPerson = {
  readonly name: string;
  readonly firstName: string;
  readonly verified: boolean;
  /** Mean seconds from a raise to the acknowledgement, and from there to the end. */
  readonly reactionSeconds: number;
  readonly interventionSeconds: number;
};

export const demoPeople: readonly DemoPerson[] = [
  person('Ana', 108, 860),
  person('Bo', 151, 1_325),
  person('Chidi', 295, 2_470),
  { ...person('Dana', 182, 1_124), verified: false },
  person('Emil', 236, 1_610),
  person('Fatou', 204, 1_500),
  person('Goran', 380, 2_152),
  person('Hana', 264, 1_900),
];

function person(firstName: string, reactionSeconds: number, interventionSeconds: number): DemoPerson {
  return { name: firstName.toLowerCase(), firstName, verified: true, reactionSeconds, interventionSeconds };
}

/** The person whose phone rings first. */
export const firstPerson = 'ana';

type DemoTeam = { readonly name: string; readonly colour: string; readonly members: readonly Member[] };
type Member = { readonly person: string; readonly relief: boolean };

export const demoTeams: readonly DemoTeam[] = [
  team('Night A', '#5D6F96', ['ana'], ['emil']),
  team('Night B', '#84608C', ['bo']),
  team('Days', '#6E7F45', ['chidi'], ['hana']),
  team('Weekend', '#3F7A68', ['goran'], ['fatou']),
  team('Grid crew', '#877437', ['bo', 'dana'], ['emil']),
  team('Grid shift', '#4E7587', ['fatou'], ['goran']),
  team('Grid reserve', '#96694C', ['goran'], ['fatou']),
  team('Process 1', '#4E7587', ['dana']),
  team('Process 2', '#96694C', ['emil']),
  team('Process 3', '#8C5662', ['goran']),
  team('Lab', '#3F7A68', ['hana']),
  team('Patrol 1', '#8C5662', ['goran']),
  team('Patrol 2', '#4E7587', ['fatou']),
  team('Patrol 3', '#96694C', ['emil']),
];

function team(name: string, colour: string, members: readonly string[], relief: readonly string[] = []): DemoTeam {
  const called = members.map((one) => ({ person: one, relief: false }));
  return { name, colour, members: [...called, ...relief.map((one) => ({ person: one, relief: true }))] };
}

export type DemoSchedule = {
  readonly name: DemoGroup;
  readonly weekly: readonly {
    readonly team: string;
    readonly days: readonly DutyDay[];
    readonly from: string;
    readonly to: string;
  }[];
  readonly rotation?: { readonly teams: readonly string[]; readonly every: string; readonly start: string };
  readonly overrides: readonly DemoOverride[];
  /** A period that a team gives to another. */
  readonly swap?: { readonly team: string; readonly from: string; readonly to: string; readonly reason: string };
};

type DemoOverride = {
  readonly team?: string;
  readonly person?: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
  readonly lock: boolean;
};

export type DemoCallGroup = {
  readonly name: DemoGroup;
  readonly station: string;
  readonly reliefGroup: DemoGroup | undefined;
  readonly discardWhenNobodyOnCall: boolean;
  readonly teams: readonly string[];
};

/** A group comes after its relief group. */
export const demoCallGroups: readonly DemoCallGroup[] = [
  group('Electrical', 'North works', undefined, ['Grid crew', 'Grid shift', 'Grid reserve']),
  group('Pumps', 'River intake', 'Electrical', ['Days', 'Night A', 'Night B', 'Weekend']),
  group('Process', 'North works', 'Electrical', ['Process 1', 'Process 2', 'Process 3']),
  { ...group('Laboratory', 'North works', undefined, ['Lab']), discardWhenNobodyOnCall: true },
  group('Site security', 'Hill reservoir', undefined, ['Patrol 1', 'Patrol 2', 'Patrol 3']),
];

function group(
  name: DemoGroup,
  station: string,
  reliefGroup: DemoGroup | undefined,
  teams: readonly string[],
): DemoCallGroup {
  return { name, station, reliefGroup, discardWhenNobodyOnCall: false, teams };
}

const workdays = ['mon', 'tue', 'wed', 'thu', 'fri'] as const;
const nights = ['sun', ...workdays] as const;

/** The programme as it is written at the instant `at`: Ana is on duty then, and for an hour more at least. */
export function demoSchedules(at: number, timeZone: string): readonly DemoSchedule[] {
  const now = civilClock(timeZone).civilOf(at);
  const today = Math.floor(now / dayMs) * dayMs;
  const monday = today - weekdayOf(today) * dayMs;
  return [
    {
      name: 'Electrical',
      weekly: [
        { team: 'Grid crew', days: workdays, from: '06:00', to: '20:00' },
        { team: 'Grid shift', days: weekdays, from: '20:00', to: '06:00' },
        { team: 'Grid shift', days: ['sat', 'sun'], from: '06:00', to: '20:00' },
        // The overlap that a planner is to see.
        { team: 'Grid reserve', days: ['fri'], from: '12:00', to: '20:00' },
      ],
      overrides: [],
    },
    {
      name: 'Pumps',
      weekly: [
        { team: 'Days', days: workdays, from: '08:00', to: '18:00' },
        { team: 'Night A', days: nights, from: '18:00', to: '08:00' },
        { team: 'Weekend', days: ['sat'], from: '08:00', to: '24:00' },
        { team: 'Weekend', days: ['sun'], from: '00:00', to: '18:00' },
      ],
      overrides: [takenBy(now)],
      swap: swapAfter(today),
    },
    {
      name: 'Process',
      weekly: [
        { team: 'Process 1', days: weekdays, from: '06:00', to: '14:00' },
        { team: 'Process 2', days: weekdays, from: '14:00', to: '22:00' },
        // The gap that a planner is to see: the night from Friday to Saturday.
        { team: 'Process 3', days: ['mon', 'tue', 'wed', 'thu', 'sat', 'sun'], from: '22:00', to: '06:00' },
      ],
      overrides: [],
    },
    {
      name: 'Laboratory',
      weekly: [
        { team: 'Lab', days: ['mon', 'tue', 'wed', 'thu'], from: '00:00', to: '24:00' },
        { team: 'Lab', days: ['fri'], from: '00:00', to: '17:00' },
      ],
      overrides: [0, 1, 2, 3].map((week) => closedFrom(monday + week * 7 * dayMs)),
    },
    {
      name: 'Site security',
      weekly: [],
      rotation: { teams: ['Patrol 1', 'Patrol 2', 'Patrol 3'], every: '1d', start: printDate(monday) },
      overrides: [],
    },
  ];
}

/** Monday is 0. */
function weekdayOf(civilDay: number): number {
  return (Math.floor(civilDay / dayMs) + 3) % 7;
}

/** Bo takes a night of Ana, two days ahead; the night of Saturday is not hers. */
function swapAfter(today: number): NonNullable<DemoSchedule['swap']> {
  const day = today + 2 * dayMs;
  const from = (weekdayOf(day) === 5 ? day + dayMs : day) + 18 * hourMs;
  return { team: 'Night B', from: momentText(from), to: momentText(from + 14 * hourMs), reason: 'swap with A' };
}

/** Ana has taken the duty until the next hand-over that is more than an hour away. */
function takenBy(now: number): DemoOverride {
  const from = Math.floor(now / hourMs) * hourMs;
  const handOvers = [8, 18, 32, 42].map((hour) => Math.floor(now / dayMs) * dayMs + hour * hourMs);
  const to = handOvers.find((handOver) => handOver > now + hourMs) ?? from + dayMs;
  return {
    person: firstPerson,
    from: momentText(from),
    to: momentText(to),
    reason: 'Ana has taken the duty',
    lock: false,
  };
}

function closedFrom(monday: number): DemoOverride {
  return {
    from: momentText(monday + 4 * dayMs + 17 * hourMs),
    to: momentText(monday + 7 * dayMs),
    reason: 'closed',
    lock: true,
  };
}

function momentText(civil: number): string {
  return new Date(civil).toISOString().slice(0, 16);
}
