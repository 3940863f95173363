// The JSON of counts of alarms, by priority and state.

import { type Static, Type } from 'typebox';
import type { AlarmState } from '../../domain/alarms/alarm.ts';
import { uint } from '../paging.ts';

const stateFields = {
  normal: uint({ description: 'Those in state 0, at rest.' }),
  activeAcknowledged: uint({ description: 'Those in state 1.' }),
  clearedUnacknowledged: uint({ description: 'Those in state 2, back to normal and not acknowledged.' }),
  activeUnacknowledged: uint({ description: 'Those in state 3.' }),
};

const stateCounts = (description: string) => Type.Object(stateFields, { title: 'StateCounts', description });
const eachKind = 'Numbers of alarms by state.';

const priorityCounts = Type.Object(
  {
    priority: uint({ description: 'The priority; the last one stands for itself and all that are less urgent.' }),
    ...stateFields,
  },
  { title: 'PriorityCounts', description: 'Numbers of alarms of a priority by state.' },
);

export const alarmCountsSchema = Type.Object(
  {
    priorities: Type.Array(priorityCounts, {
      description: 'Priorities 1, 2, 3, and 4 with all above, without masked alarms and those of Tocsin itself.',
    }),
    system: stateCounts(eachKind),
    masked: stateCounts(eachKind),
    total: uint({ description: 'All of them; the `paging.total` of a list with these filters.' }),
  },
  {
    title: 'AlarmCounts',
    description:
      'Numbers of alarms. `masked` has the masked ones, `system` the others that Tocsin itself raised, `priorities` the rest.',
  },
);

type Counts = Readonly<Record<AlarmState, number>>;

type AlarmCountsView = {
  /** Of priority 1 and so on. */
  readonly priorities: readonly Counts[];
  readonly system: Counts;
  readonly masked: Counts;
  readonly total: number;
};

function printStates(counts: Counts): Static<ReturnType<typeof stateCounts>> {
  return {
    normal: counts[0],
    activeAcknowledged: counts[1],
    clearedUnacknowledged: counts[2],
    activeUnacknowledged: counts[3],
  };
}

export function printAlarmCounts({ priorities, system, masked, total }: AlarmCountsView) {
  return {
    priorities: priorities.map((counts, index) => ({ priority: index + 1, ...printStates(counts) })),
    system: printStates(system),
    masked: printStates(masked),
    total,
  };
}
