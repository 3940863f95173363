// The JSON of the demo plant.

import { Type } from 'typebox';
import type { DemoFacts } from '../domain/demo/facts.ts';
import { instantText, printInstant } from './date-time.ts';
import { idOf } from './paging.ts';

export const demoSchema = Type.Object(
  {
    state: Type.Enum(['none', 'making', 'ready', 'removing'], {
      description: 'Whether there is a demo plant; one that is being made or removed goes on after a restart.',
      examples: ['ready'],
    }),
    possible: Type.Boolean({
      description: 'Whether one may be made now: the installation is empty.',
      examples: [false],
    }),
    reason: Type.Optional(
      Type.String({ description: 'Why none may be made now.', examples: ['There is a demo plant already.'] }),
    ),
    madeTime: Type.Optional(instantText('When it was made.')),
    stationIds: Type.Optional(Type.Array(idOf('station'), { description: 'Its stations.' })),
    alarmId: Type.Optional(idOf('alarm that is raised first')),
    userId: Type.Optional(idOf('user whose phone rings first')),
    raiseTime: Type.Optional(instantText('When the first alarm is raised; not given once it was.')),
  },
  { title: 'DemoPlant', description: 'The demo plant, or whether one may be made.' },
);

export function printDemo(demo: DemoFacts, timeZone: string) {
  const { state, refusal, madeAt, stationIds, firstAlarmId, firstUserId, firstRaiseAt } = demo;
  return {
    state,
    possible: refusal === undefined,
    ...(refusal === undefined ? {} : { reason: refusal }),
    ...(madeAt === undefined ? {} : { madeTime: printInstant(madeAt, timeZone) }),
    ...(stationIds === undefined ? {} : { stationIds: [...stationIds] }),
    ...(firstAlarmId === undefined ? {} : { alarmId: firstAlarmId }),
    ...(firstUserId === undefined ? {} : { userId: firstUserId }),
    ...(firstRaiseAt === undefined ? {} : { raiseTime: printInstant(firstRaiseAt, timeZone) }),
  };
}
