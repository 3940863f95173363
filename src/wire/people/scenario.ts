// The JSON of scenarios.

import { type Static, Type } from 'typebox';
import type { AlarmAction } from '../../domain/alarms/definition.ts';
import type { Scenario } from '../../domain/people/call-group.ts';
import type { PeopleFields, Stored } from '../../domain/people/entities.ts';
import { AppError, type FieldError } from '../../errors.ts';
import { actionSchema, actionTypes, readAction } from '../alarms/alarm-creation.ts';
import { storedActionSchema } from '../alarms/alarm-full.ts';
import { printUtcLocal } from '../date-time.ts';
import { entryName, idOrNull, lastChange, maxListed, optionalId } from '../entry.ts';
import { idOf } from '../paging.ts';

const lists = ['alarmActions', 'resetActions', 'ackActions'] as const;
const name = entryName('Fire');
const whens = {
  alarm: { description: 'What to do when an alarm is raised.' },
  reset: { description: 'What to do when it is back to normal.' },
  ack: { description: 'What to do when it is acknowledged.' },
};
const printedActions = (when: keyof typeof whens) => Type.Array(storedActionSchema, whens[when]);
const actions = (when: keyof typeof whens) =>
  Type.Optional(Type.Array(actionSchema, { maxItems: maxListed, ...whens[when] }));

export const scenarioSchema = Type.Object(
  {
    id: idOf('scenario'),
    name,
    stationId: idOrNull('Null: for every station.'),
    alarmActions: printedActions('alarm'),
    resetActions: printedActions('reset'),
    ackActions: printedActions('ack'),
    lastChange,
  },
  { title: 'Scenario', description: 'Actions that several alarms share.' },
);

export const scenarioBody = Type.Object(
  {
    name,
    stationId: optionalId('The station it is for, instead of every one.'),
    alarmActions: actions('alarm'),
    resetActions: actions('reset'),
    ackActions: actions('ack'),
  },
  {
    title: 'ScenarioBody',
    description: 'Actions that several alarms share.',
    examples: [{ name: 'Fire', alarmActions: [{ type: 'CallGroup', id: 1 }] }],
  },
);

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

function printAction({ id, type, scriptId, parameter, flags }: AlarmAction): Static<typeof storedActionSchema> {
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
