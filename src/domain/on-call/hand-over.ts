// Hand-overs: who comes on and who goes off duty between two looks at the groups that have a schedule. Pure.

import type { PeopleSnapshot } from '../people/call-group.ts';
import { onDutyIn } from './on-duty.ts';

/** By group id: the ids of the people on duty, without relief members. */
export type KnownDuty = Readonly<Record<number, readonly number[]>>;

export type DutyNow = {
  readonly duty: KnownDuty;
  /** By group id: until when it is so; Infinity if no hand-over is known. */
  readonly until: ReadonlyMap<number, number>;
};

/** A person comes on duty in a group, or goes off. */
export type HandOver = { readonly groupId: number; readonly userId: number; readonly isOn: boolean };

/** Returns who is on duty now, and until when, in each group that has a schedule; others have no hand-overs. */
export function dutyOfGroups(snapshot: PeopleSnapshot, now: number): DutyNow {
  const scheduled = [...snapshot.groups.values()].filter(({ scheduleId }) => snapshot.schedules.has(scheduleId ?? 0));
  const found = scheduled.map((group) => ({ group, duty: onDutyIn(group, snapshot, now) }));
  return {
    duty: Object.fromEntries(
      found.map(({ group, duty }) => [
        group.id,
        duty.members.filter(({ relief }) => !relief).map(({ userId }) => userId),
      ]),
    ),
    until: new Map(found.map(({ group, duty }) => [group.id, duty.until ?? Number.POSITIVE_INFINITY])),
  };
}

/** A group that was not known before has no hand-over, and none that is not there any more. */
export function handOversBetween(before: KnownDuty, after: KnownDuty): readonly HandOver[] {
  return Object.entries(after).flatMap(([id, onDuty]) => {
    const groupId = Number(id);
    const former = before[groupId];
    if (former === undefined) return [];
    const came = onDuty.filter((userId) => !former.includes(userId));
    const left = former.filter((userId) => !onDuty.includes(userId));
    return [
      ...came.map((userId) => ({ groupId, userId, isOn: true })),
      ...left.map((userId) => ({ groupId, userId, isOn: false })),
    ];
  });
}
