// The shape of a tag of the demo plant, and how its table is written. Pure.

import type { DemoGroup } from './people.ts';

export type DemoTag = {
  /** Unique in the plant. */
  readonly path: string;
  readonly station: string;
  readonly tagGroup: string;
  readonly message: string;
  readonly priority: number;
  /** The condition that raises it, the value when it does, and the value at rest; with the unit. */
  readonly condition: string;
  readonly value: string;
  readonly normalValue: string;
  /** How often it is raised in a week, and for how many minutes it stands when nobody does anything. */
  readonly perWeek: number;
  readonly standsMinutes: number;
  readonly consequence: string;
  readonly instructions: string;
  /** The group that is responsible for it; called for priorities 1 and 2. */
  readonly group: DemoGroup;
};

/** One row: path, message, priority, condition, value, normal value, raises in a week, minutes, consequence, what to do. */
export type TagRow = readonly [
  path: string,
  message: string,
  priority: number,
  condition: string,
  value: string,
  normalValue: string,
  perWeek: number,
  standsMinutes: number,
  consequence: string,
  instructions: string,
];

export function tagsOf(station: string, tagGroup: string, group: DemoGroup, rows: readonly TagRow[]): DemoTag[] {
  return rows.map((row) => {
    const [path, message, priority, condition, value, normalValue, perWeek, standsMinutes, consequence, instructions] =
      row;
    const texts = { message, condition, value, normalValue, consequence, instructions };
    return { path, station, tagGroup, group, priority, perWeek, standsMinutes, ...texts };
  });
}

/** The least urgent priority for which people are called. */
const leastCalled = 2;

export function isCalled({ priority }: Pick<DemoTag, 'priority'>): boolean {
  return priority <= leastCalled;
}
