// The JSON of scenarios.

import { type Static, Type } from 'typebox';
import type { AlarmAction } from '../../domain/alarms/definition.ts';
import type { Scenario } from '../../domain/people/call-group.ts';
import type { PeopleFields, Stored } from '../../domain/people/entities.ts';
import { AppError, type FieldError } from '../../errors.ts';
import { actionSchema, actionTypes, readAction } from '../alarms/alarm-creation.ts';
import { printUtcLocal } from '../date-time.ts';
import { entryName, idOrNull, lastChange, maxListed, optionalId } from '../entry.ts';
import { uint } from '../paging.ts';

const lists = ['alarmActions', 'resetActions', 'ackActions'] as const;
const name = entryName('Fire');
const printedAction = Type.Object({
  id: uint(),
  type: Type.String(),
  scriptId: uint(),
  parameter: Type.String(),
  flags: uint(),
});
const printedActions = Type.Array(printedAction);
const actions = Type.Optional(Type.Array(actionSchema, { maxItems: maxListed }));

export const scenarioSchema = Type.Object({
  id: uint(),
  name,
  stationId: idOrNull('Null: for every station.'),
  alarmActions: printedActions,
  resetActions: printedActions,
  ackActions: printedActions,
  lastChange,
});

export const scenarioBody = Type.Object({
  name,
  stationId: optionalId('The station it is for, instead of every one.'),
  alarmActions: actions,
  resetActions: actions,
  ackActions: actions,
});

type Body = Static<typeof scenarioBody>;

export function readScenario(body: Body): PeopleFields['scenario'] {
  const read = (list: (typeof lists)[number]): readonly AlarmAction[] => (body[list] ?? []).map(readAction);
  const scenario = {
    alarmActions: read('alarmActions'),
    resetActions: read('resetActions'),
    ackActions: read('ackActions'),
  };
  const errors = lists.flatMap((list) =>
    scenario[list].flatMap(({ type }, index): FieldError[] => {
      const message = `must be one of ${actionTypes.join(', ')}`;
      return actionTypes.includes(type) ? [] : [{ field: `${list}[${index}].type`, message }];
    }),
  );
  const [first] = errors;
  if (first !== undefined) {
    throw new AppError('unprocessable', `${first.field} ${first.message}.`, { errors: errors.slice(0, 20) });
  }
  return { name: body.name, stationId: body.stationId || undefined, ...scenario };
}

function printAction({ id, type, scriptId, parameter, flags }: AlarmAction): Static<typeof printedAction> {
  return { id, type, scriptId, parameter, flags };
}

export function printScenario(scenario: Stored<Scenario>): Static<typeof scenarioSchema> {
  return {
    id: scenario.id,
    name: scenario.name,
    stationId: scenario.stationId ?? null,
    alarmActions: scenario.alarmActions.map(printAction),
    resetActions: scenario.resetActions.map(printAction),
    ackActions: scenario.ackActions.map(printAction),
    lastChange: printUtcLocal(scenario.lastChange),
  };
}
