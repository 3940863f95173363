// The duty of a call group or a person as calendar events. Pure.

import type { CallGroup, PeopleSnapshot } from '../people/call-group.ts';
import { foreignName, type Visibility } from '../people/visibility.ts';
import { lastingSlots } from './duty.ts';
import type { CalendarEvent } from './ical.ts';
import { bySlot, standInFor } from './on-duty.ts';
import type { DutyHolder, DutySlot, Schedule } from './schedule.ts';

type Period = { readonly from: number; readonly to: number; readonly now: number };

type ScheduledSlot = {
  readonly schedule: Schedule;
  readonly slot: DutySlot;
  /** Nobody knows any more who stood in for whom: what is over is shown as the schedule has it. */
  readonly isOver: boolean;
};

/**
 * Returns an event for each duty slot of the group. A group without a schedule has no slots: all its teams are always
 * on duty.
 */
export function eventsOfGroup(
  group: CallGroup,
  snapshot: PeopleSnapshot,
  period: Period,
  visibility: Visibility,
): readonly CalendarEvent[] {
  return slotsOf(group, snapshot, period).flatMap(({ slot, isOver }) => {
    const summary = holderName(slot.holder, isOver, snapshot, visibility);
    return summary === undefined ? [] : [eventOf(`group-${group.id}`, slot, `${group.name}: ${summary}`)];
  });
}

/** Returns an event for each duty slot in which the person is called for any of the groups. */
export function eventsOfUser(
  userId: number,
  groups: readonly CallGroup[],
  snapshot: PeopleSnapshot,
  period: Period,
): readonly CalendarEvent[] {
  return groups.flatMap((group) =>
    slotsOf(group, snapshot, period).flatMap((scheduled) => {
      const role = roleIn(userId, scheduled, snapshot);
      if (role === undefined) return [];
      const summary = role === 'relief' ? `${group.name} (relief)` : group.name;
      return [eventOf(`user-${userId}-group-${group.id}`, scheduled.slot, summary)];
    }),
  );
}

function slotsOf(group: CallGroup, { schedules }: PeopleSnapshot, { from, to, now }: Period): readonly ScheduledSlot[] {
  const schedule = group.scheduleId === undefined ? undefined : schedules.get(group.scheduleId);
  if (schedule === undefined) return [];
  return lastingSlots(schedule, from, to).map((slot) => ({ schedule, slot, isOver: slot.to <= now }));
}

function eventOf(key: string, { from, to, reason }: DutySlot, summary: string): CalendarEvent {
  return { key, from, to, summary, description: reason };
}

function holderName(
  holder: DutyHolder | undefined,
  isOver: boolean,
  snapshot: PeopleSnapshot,
  visibility: Visibility,
): string | undefined {
  const { teams, people } = snapshot;
  switch (holder?.kind) {
    case undefined:
      return undefined;
    case 'locked':
      return 'nobody is called';
    case 'team':
      return teams.get(holder.teamId)?.name ?? `team ${holder.teamId}`;
    case 'user': {
      const userId = isOver ? holder.userId : standInFor(holder.userId, snapshot).userId;
      if (!visibility.seesPerson(userId)) return foreignName;
      return people.get(userId)?.name ?? `user ${userId}`;
    }
  }
}

function roleIn(
  userId: number,
  { schedule, slot, isOver }: ScheduledSlot,
  snapshot: PeopleSnapshot,
): 'duty' | 'relief' | undefined {
  const called = isOver ? namedIn(slot.holder, snapshot) : bySlot(schedule, slot, snapshot).members;
  const member = called.find((one) => one.userId === userId);
  if (member === undefined) return undefined;
  return member.relief ? 'relief' : 'duty';
}

function namedIn(
  holder: DutyHolder | undefined,
  { teams }: PeopleSnapshot,
): readonly { readonly userId: number; readonly relief: boolean }[] {
  if (holder?.kind === 'user') return [{ userId: holder.userId, relief: false }];
  return holder?.kind === 'team' ? (teams.get(holder.teamId)?.members ?? []) : [];
}
