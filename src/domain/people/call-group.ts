// Call groups, what they are gathered in and what refers to them, and the directory the engine decides by. Pure.

import type { AlarmAction } from '../alarms/definition.ts';
import type { Schedule } from '../on-call/schedule.ts';
import type { Person, Team } from './person.ts';

/** `all`: every member on duty at once; `turn`: the next one each time. */
export type CallMode = 'all' | 'turn';
/** When relief members are called: once nobody of the team was reached, or one for each person not reached. */
export type ReliefMode = 'nobodyReached' | 'perUser';

export type CallGroup = {
  readonly id: number;
  readonly name: string;
  /** By language. */
  readonly names: Readonly<Record<string, string>>;
  readonly stationId: number;
  readonly timeZone: string;
  readonly callMode: CallMode;
  readonly reliefMode: ReliefMode;
  readonly reliefGroupId: number | undefined;
  readonly discardWhenNobodyOnCall: boolean;
  readonly teamIds: readonly number[];
  /** Undefined: all its teams are always on duty. */
  readonly scheduleId: number | undefined;
};

/** Groupings nest, never in a circle. */
export type CallGroupGrouping = {
  readonly id: number;
  readonly name: string;
  readonly stationId: number;
  readonly callGroupIds: readonly number[];
  readonly groupingIds: readonly number[];
};

/** Actions that run beside an alarm's own, by what the scenario is attached to. */
export type Scenario = {
  readonly id: number;
  readonly name: string;
  /** Undefined: for every station. */
  readonly stationId: number | undefined;
  readonly alarmActions: readonly AlarmAction[];
  readonly resetActions: readonly AlarmAction[];
  readonly ackActions: readonly AlarmAction[];
};

/** Everything that decides who is called, as one unchanging picture. */
export type PeopleSnapshot = {
  readonly people: ReadonlyMap<number, Person>;
  readonly teams: ReadonlyMap<number, Team>;
  readonly groups: ReadonlyMap<number, CallGroup>;
  readonly schedules: ReadonlyMap<number, Schedule>;
};
