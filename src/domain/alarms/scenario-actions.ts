// Which scenarios an alarm has, by tag, tag group and station, and what they add to its actions. Pure.

import type { Scenario } from '../people/call-group.ts';
import type { ActionList } from './alarm.ts';
import type { AlarmAction } from './definition.ts';

/** Scenarios by what they are attached to. */
export type ScenarioBook = {
  readonly ofStation: ReadonlyMap<number, readonly Scenario[]>;
  readonly ofTagGroup: ReadonlyMap<number, readonly Scenario[]>;
  readonly ofAlarm: ReadonlyMap<number, readonly Scenario[]>;
};

export const noScenarios: ScenarioBook = { ofStation: new Map(), ofTagGroup: new Map(), ofAlarm: new Map() };

type Placed = { readonly id: number; readonly stationId: number; readonly tagGroupId: number | undefined };

/** Each once, however it applies. */
function scenariosOf({ id, stationId, tagGroupId }: Placed, book: ScenarioBook): readonly Scenario[] {
  return [
    ...new Set([
      ...(book.ofAlarm.get(id) ?? []),
      ...(book.ofTagGroup.get(tagGroupId ?? 0) ?? []),
      ...(book.ofStation.get(stationId) ?? []),
    ]),
  ];
}

/** The actions that scenarios add to a list. */
export function scenarioActions(alarm: Placed, list: ActionList, book: ScenarioBook): readonly AlarmAction[] {
  if (book.ofStation.size + book.ofTagGroup.size + book.ofAlarm.size === 0) return [];
  return scenariosOf(alarm, book).flatMap((scenario) => scenario[`${list}Actions`]);
}

/** Every action of every scenario here, to look up what they name. */
export function allScenarioActions({ ofStation, ofTagGroup, ofAlarm }: ScenarioBook): readonly AlarmAction[] {
  const all = new Set([...ofStation.values(), ...ofTagGroup.values(), ...ofAlarm.values()].flat());
  return [...all].flatMap(({ alarmActions, resetActions, ackActions }) => [
    ...alarmActions,
    ...resetActions,
    ...ackActions,
  ]);
}
