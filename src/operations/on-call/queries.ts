// Queries about duty, readiness and duty calendars, computed in the store's thread so that only the results are
// transferred.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import { channelsWorking } from '../../domain/channels/choose-provider.ts';
import { eventsOfGroup, eventsOfUser } from '../../domain/on-call/duty-ical.ts';
import { type DutyPlan, dutyPlanOf } from '../../domain/on-call/duty-plan.ts';
import type { CalendarEvent } from '../../domain/on-call/ical.ts';
import { type Members, type OnDuty, onDutyIn } from '../../domain/on-call/on-duty.ts';
import { type Readiness, readinessOf, type UnreadySpan, unreadyBetween } from '../../domain/on-call/readiness.ts';
import type { CallGroup, PeopleSnapshot } from '../../domain/people/call-group.ts';
import { withNames } from '../../domain/people/references.ts';
import {
  foreignId,
  foreignName,
  type Visibility,
  visibilityOf,
  withoutForeignReasons,
} from '../../domain/people/visibility.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';
import { lockedNumbers } from '../calls/inputs/locked-numbers.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { visibleAmong } from '../people/queries.ts';
import { loadHealth } from '../providers/provider-rows.ts';
import { goneNodes } from '../system/node-queries.ts';

type ByStations = Pick<Caller, 'stationIds'>;
type GroupName = Pick<CallGroup, 'id' | 'name' | 'stationId' | 'timeZone' | 'scheduleId'>;

/** Returns the people snapshot, the groups that the caller sees, in order of id, and how sentences are shown to it. */
async function visibleGroups(tx: ReadTx, caller: ByStations) {
  const { snapshot: whole } = await readCallConfiguration(tx);
  const visibility = visibilityOf(caller, whole);
  const snapshot = withoutForeignReasons(whole, visibility);
  const groups = [...snapshot.groups.values()].filter(({ stationId }) => seesStation(caller, stationId));
  const show = (sentence: string): string => withNames(sentence, whole, visibility);
  return { snapshot, groups, visibility, show };
}

function nameOf({ id, name, stationId, timeZone, scheduleId }: CallGroup): GroupName {
  return { id, name, stationId, timeZone, scheduleId };
}

type GroupOnDuty = {
  readonly group: GroupName;
  readonly duty: OnDuty;
  /** The names of all users in `duty`, by id; a user whom the caller does not see has the id 0. */
  readonly userNames: ReadonlyMap<number, string>;
};

/** Returns the duty as the caller sees it: other people without their ids, and sentences with names. */
function shownDuty<D extends Members>(duty: D, visibility: Visibility, show: (sentence: string) => string): D {
  const shownId = (userId: number): number => (visibility.seesPerson(userId) ? userId : foreignId);
  return {
    ...duty,
    members: duty.members.map((member) => ({ ...member, userId: shownId(member.userId), via: show(member.via) })),
    passedOver: duty.passedOver.map(({ userId, teamId, reason }) => ({
      userId: userId === undefined ? undefined : shownId(userId),
      teamId,
      reason: show(reason),
    })),
    nobody: duty.nobody === undefined ? undefined : show(duty.nobody),
  };
}

/** Returns who is on duty in each group, or in one; undefined if the caller sees no such group. */
export const getOnCall: Query<
  { caller: ByStations; callGroupId: number | undefined; at: Instant },
  readonly GroupOnDuty[] | undefined
> = {
  name: 'get-on-call',
  isComputation: true,
  async run(tx, { caller, callGroupId, at }) {
    const { snapshot, groups, visibility, show } = await visibleGroups(tx, caller);
    const requested = callGroupId === undefined ? groups : groups.filter(({ id }) => id === callGroupId);
    if (callGroupId !== undefined && requested.length === 0) return undefined;
    return requested.map((group) => {
      const duty = shownDuty(onDutyIn(group, snapshot, at), visibility, show);
      return { group: nameOf(group), duty, userNames: namesOf([duty], snapshot) };
    });
  },
};

function namesOf(duties: readonly Members[], snapshot: PeopleSnapshot): ReadonlyMap<number, string> {
  const ids = duties.flatMap(({ members, passedOver }) =>
    [...members, ...passedOver].flatMap(({ userId }) => userId ?? []),
  );
  return userNamesOf(ids, snapshot);
}

function userNamesOf(ids: readonly number[], { people }: PeopleSnapshot): ReadonlyMap<number, string> {
  const nameOfUser = (id: number): string => (id === foreignId ? foreignName : (people.get(id)?.name ?? ''));
  return new Map(ids.map((id) => [id, nameOfUser(id)]));
}

type GroupSlots = Omit<GroupOnDuty, 'duty'> & DutyPlan;
type OnCallSlots = {
  readonly groups: readonly GroupSlots[];
  /** True if groups are left out because there are too many slots. */
  readonly hasMore: boolean;
};

/** A group with an hourly rotation has 2,208 in three months. */
const mostSlots = 10_000;

/** Returns who is on duty in each span of a period, by group; undefined if the caller sees no such group. */
export const getOnCallSlots: Query<
  { caller: ByStations; callGroupId: number | undefined; from: Instant; to: Instant },
  OnCallSlots | undefined
> = {
  name: 'get-on-call-slots',
  isComputation: true,
  async run(tx, { caller, callGroupId, ...period }) {
    const { snapshot, groups, visibility, show } = await visibleGroups(tx, caller);
    const requested = callGroupId === undefined ? groups : groups.filter(({ id }) => id === callGroupId);
    if (callGroupId !== undefined && requested.length === 0) return undefined;
    const found: GroupSlots[] = [];
    let count = 0;
    for (const group of requested) {
      const plan = dutyPlanOf(group, snapshot, period);
      count += plan.spans.length;
      if (count > mostSlots && found.length > 0) break;
      const spans = plan.spans.map((span) => shownDuty(span, visibility, show));
      found.push({ group: nameOf(group), spans, overlaps: plan.overlaps, userNames: namesOf(spans, snapshot) });
    }
    return { groups: found, hasMore: found.length < requested.length };
  },
};

type GroupReadiness = {
  readonly group: GroupName;
  /** The names of those who cannot be reached, by id; a user whom the caller does not see has the id 0. */
  readonly userNames: ReadonlyMap<number, string>;
  readonly readiness: Readiness;
  /** The times of the days ahead in which somebody on duty cannot be reached. */
  readonly ahead: readonly UnreadySpan[];
};

/** Returns the readiness as the caller sees it: other people and groups without their ids, and sentences with names. */
function shownReadiness<R extends Readiness>(
  readiness: R,
  visibility: Visibility,
  show: (sentence: string) => string,
): R {
  const { reasons, unreachable, insteadGroupId } = readiness;
  return {
    ...readiness,
    reasons: reasons.map(show),
    unreachable: unreachable.map((one) => ({
      ...one,
      userId: visibility.seesPerson(one.userId) ? one.userId : foreignId,
    })),
    insteadGroupId: insteadGroupId === undefined || visibility.seesGroup(insteadGroupId) ? insteadGroupId : foreignId,
  };
}

/** An hourly rotation changes 336 times in the days ahead. */
const mostChanges = 400;
/** Of all groups together; further groups are looked at now, and not ahead. */
const mostLooks = 20_000;

/** Returns the groups in which somebody on duty cannot be reached, at an instant or until `to`. */
export const getReadiness: Query<
  { caller: ByStations; at: Instant; to: Instant; now: Instant },
  { readonly groups: readonly GroupReadiness[]; readonly hasMore: boolean }
> = {
  name: 'get-readiness',
  isComputation: true,
  async run(tx, { caller, at, to, now: asked }) {
    const { snapshot, groups, visibility, show } = await visibleGroups(tx, caller);
    const { policy, providers } = await readCallConfiguration(tx);
    const context = { snapshot, policy };
    // A channel that is down now is expected to work in the days ahead.
    const gone = await goneNodes(tx, providers, asked);
    const channels = channelsWorking(providers, await loadHealth(tx), policy.hasSimulator, gone);
    const now = { ...context, policy: { ...policy, channels }, lockedNumbers: await lockedNumbers(tx, at) };
    const shown = <R extends Readiness>(readiness: R): R => shownReadiness(readiness, visibility, show);
    let looks = 0;
    let hasMore = false;
    const found = groups.map((group) => {
      const left = Math.min(mostChanges, mostLooks - looks);
      const { spans, points, isCut } = unreadyBetween(group, context, { from: at, to }, Math.max(0, left));
      looks += points;
      hasMore ||= isCut;
      const readiness = shown(readinessOf(group, now, at));
      const ahead = spans.map(shown);
      const userIds = [readiness, ...ahead].flatMap(({ unreachable }) => unreachable.map(({ userId }) => userId));
      return { group: nameOf(group), readiness, ahead, userNames: userNamesOf(userIds, snapshot) };
    });
    const isUnready = ({ readiness, ahead }: GroupReadiness): boolean =>
      readiness.reasons.length > 0 || ahead.length > 0;
    return { groups: found.filter(isUnready), hasMore };
  },
};

type CalendarOf = {
  readonly of: 'callGroup' | 'user';
  readonly id: number;
  readonly caller: ByStations;
  readonly from: Instant;
  readonly to: Instant;
  readonly now: Instant;
};
type DutyCalendar = { readonly name: string; readonly events: readonly CalendarEvent[] };

/** Returns the duty of a group or a user; undefined if the caller sees no such group or user. */
export const getDutyCalendar: Query<CalendarOf, DutyCalendar | undefined> = {
  name: 'get-duty-calendar',
  isComputation: true,
  async run(tx, { of, id, caller, ...period }) {
    if ((await visibleAmong(tx, of, [id], caller)).length === 0) return undefined;
    const { snapshot, groups, visibility } = await visibleGroups(tx, caller);
    if (of === 'user') {
      const name = snapshot.people.get(id)?.name ?? '';
      return { name, events: eventsOfUser(id, groups, snapshot, period) };
    }
    const group = snapshot.groups.get(id);
    return group && { name: group.name, events: eventsOfGroup(group, snapshot, period, visibility) };
  },
};
