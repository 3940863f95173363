// Finds the scenarios of an alarm by tag, tag group and station, and the actions they add. Pure.

import type { Scenario } from '../people/call-group.ts';
import type { ActionList } from './alarm.ts';
import type { AlarmAction } from './definition.ts';

/** Scenarios, indexed by the object they are attached to. */
export type ScenarioIndex = {
  readonly ofStation: ReadonlyMap<number, readonly Scenario[]>;
  readonly ofTagGroup: ReadonlyMap<number, readonly Scenario[]>;
  readonly ofAlarm: ReadonlyMap<number, readonly Scenario[]>;
};

export const noScenarios: ScenarioIndex = { ofStation: new Map(), ofTagGroup: new Map(), ofAlarm: new Map() };

type LocatedAlarm = { readonly id: number; readonly stationId: number; readonly tagGroupId: number | undefined };

/** Returns each scenario once, even if it applies through several attachments. */
function scenariosOf({ id, stationId, tagGroupId }: LocatedAlarm, index: ScenarioIndex): readonly Scenario[] {
  return [
    ...new Set([
      ...(index.ofAlarm.get(id) ?? []),
      ...(index.ofTagGroup.get(tagGroupId ?? 0) ?? []),
      ...(index.ofStation.get(stationId) ?? []),
    ]),
  ];
}

/** Returns the actions that scenarios add to a list. */
export function scenarioActions(alarm: LocatedAlarm, list: ActionList, index: ScenarioIndex): readonly AlarmAction[] {
  if (index.ofStation.size + index.ofTagGroup.size + index.ofAlarm.size === 0) return [];
  return scenariosOf(alarm, index).flatMap((scenario) => scenario[`${list}Actions`]);
}

/** Returns every action of every scenario, to look up the targets they refer to. */
export function allScenarioActions({ ofStation, ofTagGroup, ofAlarm }: ScenarioIndex): readonly AlarmAction[] {
  const all = new Set([...ofStation.values(), ...ofTagGroup.values(), ...ofAlarm.values()].flat());
  return [...all].flatMap(({ alarmActions, resetActions, ackActions }) => [
    ...alarmActions,
    ...resetActions,
    ...ackActions,
  ]);
}
