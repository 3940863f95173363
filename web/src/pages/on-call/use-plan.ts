// What the on-call screen shows: the groups of the period in their order, who has the duty now, and what is wrong.

import type { QueryKey } from '@tanstack/react-query';
import { type GroupOnDuty, type GroupSlots, listOnCallSlots, type UnreadyGroup } from '@tocsin/client';
import { useMemo } from 'react';
import { useStations, useTeams } from '../../data/directory.ts';
import { refetchEvery } from '../../data/lists/query-failures.ts';
import type { Read } from '../../data/lists/read.ts';
import { useRead } from '../../data/lists/use-read.ts';
import { useNames } from '../../data/names.ts';
import { onCallKey, useOnCallNow, useReadiness } from '../../data/on-call.ts';
import { useOwnId } from '../../data/rights.ts';
import { useNow } from '../../data/time/now.ts';
import { usePlantClock } from '../../data/time/plant-clock.ts';
import { instantOfField } from '../../data/time/zone-time.ts';
import type { OnCallSearch } from './on-call-search.ts';
import { kindOf } from './plan/blocks.ts';
import { dateName, type PlanPeriod, planPeriod } from './plan/period.ts';

export type PlanGroup = {
  readonly plan: GroupSlots;
  readonly station: string;
  readonly duty: Read<GroupOnDuty | undefined>;
  /** What is wrong, now or ahead; undefined: nothing. */
  readonly unready: Read<UnreadyGroup | undefined>;
};

export type Plan = {
  readonly period: PlanPeriod;
  /** Those that match what is sought, of the `total`. */
  readonly shown: Read<{ readonly groups: readonly PlanGroup[]; readonly total: number; readonly hasMore: boolean }>;
  /** All groups from this hour on, for 8 days. */
  readonly coming: Read<readonly GroupSlots[]>;
  readonly unready: Read<readonly UnreadyGroup[]>;
};

/** The plan as soon as it was read; `total` counts also those that do not match. */
export type ReadPlan = Pick<Plan, 'period' | 'coming'> & {
  readonly groups: readonly PlanGroup[];
  readonly total: number;
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
  const slots = useSlots(period.from - marginMs, period.to + marginMs, [view, date ?? dateName(period.from, timeZone)]);
  const coming = useComing().map(({ items }) => items);
  const unready = useReadiness().map(({ items }) => items);
  const groupsOf = useGroupsOf(unready);
  const matches = useMatch(q);
  const shown = slots.map(({ items, hasMore }) => {
    const all = groupsOf(items);
    const groups = all.filter(({ plan }) => (group === undefined || plan.callGroupId === group) && matches(plan));
    return { groups, total: all.length, hasMore };
  });
  return { period, shown, coming, unready };
}

/** All groups from this hour on, for 8 days. */
export function useComing() {
  const hour = Math.floor(useNow() / hourMs) * hourMs;
  return useSlots(hour, hour + comingMs, ['coming']);
}

/** `question`: what is asked, whenever that is. */
function useSlots(from: number, to: number, question: QueryKey) {
  return useRead({
    queryKey: [onCallKey, 'slots', from, to],
    question,
    queryFn: () => listOnCallSlots({ $from: new Date(from).toISOString(), to: new Date(to).toISOString() }),
    refetchInterval: refetchEvery(minuteMs),
  });
}

function useGroupsOf(unready: Plan['unready']): (plans: readonly GroupSlots[]) => readonly PlanGroup[] {
  const stations = useStations();
  const duties = useOnCallNow();
  const isOwn = useIsOwn();
  const rank = ({ plan, unready: wrong, duty }: PlanGroup): number => {
    if (duty.isKnown((known) => known !== undefined && kindOf(known) === 'nobody')) return 0;
    if (wrong.isKnown((known) => known !== undefined && known.reasons.length > 0)) return 1;
    return isOwn(plan) ? 2 : 3;
  };
  return (plans) => {
    const groups = plans.map((plan) => ({
      plan,
      station: stations.name((all) => all.get(plan.stationId)?.name, ''),
      duty: duties.map(({ items }) => items.find(({ callGroupId }) => callGroupId === plan.callGroupId)),
      unready: unready.map((all) => all.find(({ callGroupId }) => callGroupId === plan.callGroupId)),
    }));
    return groups.length < manyGroups ? groups : groups.toSorted((one, other) => rank(one) - rank(other));
  };
}

/** Returns a function that says whether who is signed in has duty in a group. */
export function useIsOwn(): (plan: GroupSlots) => boolean {
  const userId = useOwnId();
  const teams = useTeams();
  const isIn = (id: number): boolean =>
    teams.isKnown((all) => all.get(id)?.members.some((member) => member.userId === userId) ?? false);
  return (plan) =>
    plan.slots.some(({ members, teamIds }) => members.some((member) => member.userId === userId) || teamIds.some(isIn));
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
