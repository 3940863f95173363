// Call groups, groupings, scenarios, and the snapshot of people that call decisions use. Pure.

import type { AlarmAction } from '../alarms/definition.ts';
import type { StoredSchedule } from '../on-call/schedule.ts';
import type { Person, Team } from './person.ts';

/** `all` calls every member on duty at once; `turn` calls the next one each time. */
export type CallMode = 'all' | 'turn';
/** When relief members are called: once nobody of the team was reached, or one for each person not reached. */
export type ReliefMode = 'nobodyReached' | 'perUser';

export type CallGroup = {
  readonly id: number;
  readonly name: string;
  /** Names by language. */
  readonly names: Readonly<Record<string, string>>;
  readonly stationId: number;
  readonly timeZone: string;
  readonly callMode: CallMode;
  readonly reliefMode: ReliefMode;
  readonly reliefGroupId: number | undefined;
  /** How long one level has to take an alarm before the next is called, 0: no limit; undefined: as the policy says. */
  readonly timeToTakeSeconds: number | undefined;
  readonly discardWhenNobodyOnCall: boolean;
  readonly teamIds: readonly number[];
  /** If undefined, all teams of the group are always on duty. */
  readonly scheduleId: number | undefined;
};

/** Groupings may contain groupings, but never in a cycle. */
export type CallGroupGrouping = {
  readonly id: number;
  readonly name: string;
  readonly stationId: number;
  readonly callGroupIds: readonly number[];
  readonly groupingIds: readonly number[];
};

/** Actions that run in addition to the own actions of the alarms the scenario is attached to. */
export type Scenario = {
  readonly id: number;
  readonly name: string;
  /** If undefined, the scenario applies to every station. */
  readonly stationId: number | undefined;
  readonly alarmActions: readonly AlarmAction[];
  readonly resetActions: readonly AlarmAction[];
  readonly ackActions: readonly AlarmAction[];
};

/** An immutable snapshot of everything that decides who is called. */
export type PeopleSnapshot = {
  readonly people: ReadonlyMap<number, Person>;
  readonly teams: ReadonlyMap<number, Team>;
  readonly groups: ReadonlyMap<number, CallGroup>;
  readonly schedules: ReadonlyMap<number, StoredSchedule>;
};

/** Returns the person who has the number. */
export function ownerOfNumber(numberId: number, { people }: PeopleSnapshot): Person | undefined {
  return [...people.values()].find(({ numbers }) => numbers.some(({ id }) => id === numberId));
}
