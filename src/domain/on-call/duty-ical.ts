// The duty of a call group or a person as calendar events. Pure.

import type { CallGroup, PeopleSnapshot } from '../people/call-group.ts';
import { foreignName, type Visibility } from '../people/visibility.ts';
import { dutySlots } from './duty.ts';
import type { CalendarEvent } from './ical.ts';
import type { DutyHolder, DutySlot } from './schedule.ts';

type Period = { readonly from: number; readonly to: number };

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
  return slotsOf(group, snapshot, period).flatMap((slot) => {
    const summary = holderName(slot.holder, snapshot, visibility);
    return summary === undefined ? [] : [eventOf(`group-${group.id}`, slot, `${group.name}: ${summary}`)];
  });
}

/** Returns an event for each duty slot of the person in any of the groups. */
export function eventsOfUser(
  userId: number,
  groups: readonly CallGroup[],
  snapshot: PeopleSnapshot,
  period: Period,
): readonly CalendarEvent[] {
  return groups.flatMap((group) =>
    slotsOf(group, snapshot, period).flatMap((slot) => {
      const role = roleIn(userId, slot.holder, snapshot);
      if (role === undefined) return [];
      const summary = role === 'relief' ? `${group.name} (relief)` : group.name;
      return [eventOf(`user-${userId}-group-${group.id}`, slot, summary)];
    }),
  );
}

function slotsOf(group: CallGroup, { schedules }: PeopleSnapshot, { from, to }: Period): readonly DutySlot[] {
  const schedule = group.scheduleId === undefined ? undefined : schedules.get(group.scheduleId);
  return schedule === undefined ? [] : dutySlots(schedule, from, to);
}

function eventOf(key: string, { from, to, reason }: DutySlot, summary: string): CalendarEvent {
  return { key, from, to, summary, description: reason };
}

function holderName(
  holder: DutyHolder | undefined,
  { teams, people }: PeopleSnapshot,
  visibility: Visibility,
): string | undefined {
  switch (holder?.kind) {
    case undefined:
      return undefined;
    case 'locked':
      return 'nobody is called';
    case 'team':
      return teams.get(holder.teamId)?.name ?? `team ${holder.teamId}`;
    case 'user':
      if (!visibility.seesPerson(holder.userId)) return foreignName;
      return people.get(holder.userId)?.name ?? `user ${holder.userId}`;
  }
}

function roleIn(
  userId: number,
  holder: DutyHolder | undefined,
  { teams }: PeopleSnapshot,
): 'duty' | 'relief' | undefined {
  if (holder?.kind === 'user') return holder.userId === userId ? 'duty' : undefined;
  if (holder?.kind !== 'team') return undefined;
  const member = teams.get(holder.teamId)?.members.find((one) => one.userId === userId);
  if (member === undefined) return undefined;
  return member.relief ? 'relief' : 'duty';
}
