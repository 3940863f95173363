// What the on-call screen shows: the groups of the period in their order, who has the duty now, and what is wrong.

import { useQuery } from '@tanstack/react-query';
import { type GroupOnDuty, type GroupSlots, listOnCallSlots, type UnreadyGroup } from '@tocsin/client';
import { useMemo } from 'react';
import { useStations, useTeams } from '../../data/directory.ts';
import { refetchEvery } from '../../data/lists/query-failures.ts';
import { useNames } from '../../data/names.ts';
import { onCallKey, useOnCallNow, useReadiness } from '../../data/on-call.ts';
import { useIdentity } from '../../data/rights.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { instantOfField } from '../../data/time/zone-time.ts';
import type { OnCallSearch } from './on-call-search.ts';
import { kindOf } from './plan/blocks.ts';
import { type PlanPeriod, planPeriod } from './plan/period.ts';

export type PlanGroup = {
  readonly plan: GroupSlots;
  readonly station: string;
  readonly duty: GroupOnDuty | undefined;
  /** What is wrong, now or ahead; undefined: nothing. */
  readonly unready: UnreadyGroup | undefined;
};

export type Plan = {
  readonly period: PlanPeriod;
  readonly groups: readonly PlanGroup[];
  /** All groups from this hour on, for 8 days. */
  readonly coming: readonly GroupSlots[];
  readonly unready: readonly UnreadyGroup[];
  readonly total: number;
  readonly isRead: boolean;
  readonly error: unknown;
  readonly hasMore: boolean;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Slots are read beyond the period, so that a block at its edge has its whole time. */
const marginMs = 7 * dayMs;
const comingMs = 8 * dayMs;
/** From so many groups on rows are low, and those that need somebody come first. */
export const manyGroups = 9;

export function usePlan({ view = 'week', date, group, q = '' }: OnCallSearch): Plan {
  const { timeZone } = usePlantClock();
  const now = useNow();
  const hour = Math.floor(now / hourMs) * hourMs;
  const at = date === undefined ? hour : (instantOfField(`${date}T12:00`, timeZone) ?? hour);
  const period = useMemo(() => planPeriod(view, at, timeZone), [view, at, timeZone]);
  const shown = useSlots(period.from - marginMs, period.to + marginMs);
  const coming = useComing().data?.items ?? [];
  const unready = useReadiness().data?.items ?? [];
  const groups = useGroups(shown.data?.items ?? [], unready);
  const matches = useMatch(q);
  return {
    period,
    groups: groups.filter(({ plan }) => (group === undefined || plan.callGroupId === group) && matches(plan)),
    coming,
    unready,
    total: groups.length,
    isRead: shown.data !== undefined,
    error: shown.error,
    hasMore: shown.data?.hasMore ?? false,
  };
}

/** All groups from this hour on, for 8 days. */
export function useComing() {
  const hour = Math.floor(useNow() / hourMs) * hourMs;
  return useSlots(hour, hour + comingMs);
}

function useSlots(from: number, to: number) {
  return useQuery({
    queryKey: [onCallKey, 'slots', from, to],
    queryFn: () => listOnCallSlots({ $from: new Date(from).toISOString(), to: new Date(to).toISOString() }),
    refetchInterval: refetchEvery(minuteMs),
    placeholderData: (before) => before,
  });
}

function useGroups(plans: readonly GroupSlots[], unready: readonly UnreadyGroup[]): readonly PlanGroup[] {
  const stations = useStations().data;
  const duties = useOnCallNow().data?.items;
  const isOwn = useIsOwn();
  const groups = plans.map((plan) => ({
    plan,
    station: stations?.get(plan.stationId)?.name ?? '',
    duty: duties?.find(({ callGroupId }) => callGroupId === plan.callGroupId),
    unready: unready.find(({ callGroupId }) => callGroupId === plan.callGroupId),
  }));
  if (groups.length < manyGroups) return groups;
  const rank = ({ plan, unready: wrong, duty }: PlanGroup): number => {
    if (duty !== undefined && kindOf(duty) === 'nobody') return 0;
    if ((wrong?.reasons.length ?? 0) > 0) return 1;
    return isOwn(plan) ? 2 : 3;
  };
  return groups.toSorted((one, other) => rank(one) - rank(other));
}

/** Returns a function that says whether who is signed in has duty in a group. */
export function useIsOwn(): (plan: GroupSlots) => boolean {
  const userId = useIdentity().data?.userId;
  const teams = useTeams().data;
  return (plan) =>
    plan.slots.some(
      ({ members, teamIds }) =>
        members.some((member) => member.userId === userId) ||
        teamIds.some((id) => teams?.get(id)?.members.some((member) => member.userId === userId)),
    );
}

function useMatch(q: string): (plan: GroupSlots) => boolean {
  const { byId } = useNames();
  const text = q.trim().toLowerCase();
  return ({ name, slots }) =>
    text === '' ||
    name.toLowerCase().includes(text) ||
    slots.some(({ members }) =>
      members.some(({ userId, user }) => `${user} ${byId(userId)}`.toLowerCase().includes(text)),
    );
}
