// Queries about duty, readiness and duty calendars, computed in the store's thread so that only the results are
// transferred.

import { type Caller, seesStation } from '../../domain/access/access.ts';
import { channelsWorking } from '../../domain/channels/choose-provider.ts';
import { referenceAt } from '../../domain/clock-step.ts';
import type { Language } from '../../domain/language.ts';
import { eventsOfGroup, eventsOfUser } from '../../domain/on-call/duty-ical.ts';
import { type DutyPlan, dutyPlanOf, type PlannedSpan } from '../../domain/on-call/duty-plan.ts';
import type { CalendarEvent } from '../../domain/on-call/ical.ts';
import { type OnDuty, onDutyIn } from '../../domain/on-call/on-duty.ts';
import { type Readiness, readinessOf, type UnreadySpan, unreadyBetween } from '../../domain/on-call/readiness.ts';
import {
  dutyIn,
  type WordedDuty,
  type WordedReadiness,
  wordedDuty,
  wordedReadiness,
} from '../../domain/on-call/words/worded-duty.ts';
import type { CallGroup, PeopleSnapshot } from '../../domain/people/call-group.ts';
import { referenceWords } from '../../domain/people/reference-words.ts';
import { foreignId, visibilityOf, withoutForeignReasons } from '../../domain/people/visibility.ts';
import type { Instant, Query, ReadTx } from '../../store/store.ts';
import { lockedNumbers } from '../calls/inputs/locked-numbers.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { visibleAmong } from '../people/queries.ts';
import { loadHealth } from '../providers/provider-rows.ts';
import { goneNodes } from '../system/node-queries.ts';
import { readClockSteps } from '../system/reference-time.ts';

type ByStations = Pick<Caller, 'stationIds'>;
type GroupName = Pick<CallGroup, 'id' | 'name' | 'stationId' | 'timeZone' | 'scheduleId'>;

/** Returns the people snapshot, the groups that the caller sees, in order of id, and how reasons are worded for it. */
async function visibleGroups(tx: ReadTx, caller: ByStations) {
  const { snapshot: whole } = await readCallConfiguration(tx);
  const visibility = visibilityOf(caller, whole);
  const snapshot = withoutForeignReasons(whole, visibility);
  const groups = [...snapshot.groups.values()].filter(({ stationId }) => seesStation(caller, stationId));
  const sayIn = (language: Language) => dutyIn(language, whole, visibility);
  return { snapshot, groups, visibility, sayIn };
}

function nameOf({ id, name, stationId, timeZone, scheduleId }: CallGroup): GroupName {
  return { id, name, stationId, timeZone, scheduleId };
}

type GroupOnDuty = {
  readonly group: GroupName;
  readonly duty: WordedDuty<OnDuty>;
  /** The names of all users in `duty`, by id; a user whom the caller does not see has the id 0. */
  readonly userNames: ReadonlyMap<number, string>;
};

/** Returns who is on duty in each group, or in one; undefined if the caller sees no such group. */
export const getOnCall: Query<
  { caller: ByStations; callGroupId: number | undefined; at: Instant; language: Language },
  readonly GroupOnDuty[] | undefined
> = {
  name: 'get-on-call',
  isComputation: true,
  async run(tx, { caller, callGroupId, at, language }) {
    const { snapshot, groups, visibility, sayIn } = await visibleGroups(tx, caller);
    const requested = callGroupId === undefined ? groups : groups.filter(({ id }) => id === callGroupId);
    if (callGroupId !== undefined && requested.length === 0) return undefined;
    const say = sayIn(language);
    return requested.map((group) => {
      const duty = wordedDuty(onDutyIn(group, snapshot, at), visibility, say);
      return { group: nameOf(group), duty, userNames: namesOf([duty], snapshot, language) };
    });
  },
};

type NamedIn = { readonly userId: number | undefined };

function namesOf(
  duties: readonly { readonly members: readonly NamedIn[]; readonly passedOver: readonly NamedIn[] }[],
  snapshot: PeopleSnapshot,
  language: Language,
): ReadonlyMap<number, string> {
  const ids = duties.flatMap(({ members, passedOver }) =>
    [...members, ...passedOver].flatMap(({ userId }) => userId ?? []),
  );
  return userNamesOf(ids, snapshot, language);
}

function userNamesOf(
  ids: readonly number[],
  { people }: PeopleSnapshot,
  language: Language,
): ReadonlyMap<number, string> {
  const { anotherStation } = referenceWords[language];
  const nameOfUser = (id: number): string => (id === foreignId ? anotherStation : (people.get(id)?.name ?? ''));
  return new Map(ids.map((id) => [id, nameOfUser(id)]));
}

type GroupSlots = Omit<GroupOnDuty, 'duty'> &
  Pick<DutyPlan, 'overlaps'> & { readonly spans: readonly WordedDuty<PlannedSpan>[] };
type OnCallSlots = {
  readonly groups: readonly GroupSlots[];
  /** True if groups are left out because there are too many slots. */
  readonly hasMore: boolean;
};

/** A group with an hourly rotation has 2,208 in three months. */
const mostSlots = 10_000;

/** Returns who is on duty in each span of a period, by group; undefined if the caller sees no such group. */
export const getOnCallSlots: Query<
  { caller: ByStations; callGroupId: number | undefined; from: Instant; to: Instant; language: Language },
  OnCallSlots | undefined
> = {
  name: 'get-on-call-slots',
  isComputation: true,
  async run(tx, { caller, callGroupId, language, ...period }) {
    const { snapshot, groups, visibility, sayIn } = await visibleGroups(tx, caller);
    const requested = callGroupId === undefined ? groups : groups.filter(({ id }) => id === callGroupId);
    if (callGroupId !== undefined && requested.length === 0) return undefined;
    const say = sayIn(language);
    const found: GroupSlots[] = [];
    let count = 0;
    for (const group of requested) {
      const plan = dutyPlanOf(group, snapshot, period);
      count += plan.spans.length;
      if (count > mostSlots && found.length > 0) break;
      const spans = plan.spans.map((span) => wordedDuty(span, visibility, say));
      const userNames = namesOf(spans, snapshot, language);
      found.push({ group: nameOf(group), spans, overlaps: plan.overlaps, userNames });
    }
    return { groups: found, hasMore: found.length < requested.length };
  },
};

type GroupReadiness = {
  readonly group: GroupName;
  /** The names of those who cannot be reached, by id; a user whom the caller does not see has the id 0. */
  readonly userNames: ReadonlyMap<number, string>;
  readonly readiness: WordedReadiness<Readiness>;
  /** The times of the days ahead in which somebody on duty cannot be reached. */
  readonly ahead: readonly WordedReadiness<UnreadySpan>[];
};

/** An hourly rotation changes 336 times in the days ahead. */
const mostChanges = 400;
/** Of all groups together; further groups are looked at now, and not ahead. */
const mostLooks = 20_000;

/** Returns the groups in which somebody on duty cannot be reached, at an instant or until `to`. */
export const getReadiness: Query<
  { caller: ByStations; at: Instant; to: Instant; now: Instant; language: Language },
  { readonly groups: readonly GroupReadiness[]; readonly hasMore: boolean }
> = {
  name: 'get-readiness',
  isComputation: true,
  async run(tx, { caller, at, to, now: asked, language }) {
    const { snapshot, groups, visibility, sayIn } = await visibleGroups(tx, caller);
    const { policy, providers } = await readCallConfiguration(tx);
    const context = { snapshot, policy };
    // A channel that is down now is expected to work in the days ahead.
    const gone = await goneNodes(tx, providers, asked);
    const channels = channelsWorking(providers, await loadHealth(tx), policy.hasSimulator, gone);
    // Locks end by the clock of the nodes, which is ahead of that of duties after the clock was set back.
    const aheadMs = asked - referenceAt(asked, await readClockSteps(tx));
    const locked = await lockedNumbers(tx, at + aheadMs);
    const now = { ...context, policy: { ...policy, channels }, lockedNumbers: locked };
    const say = sayIn(language);
    const worded = <R extends Readiness>(readiness: R) => wordedReadiness(readiness, visibility, say);
    let looks = 0;
    let hasMore = false;
    const found = groups.map((group) => {
      const left = Math.min(mostChanges, mostLooks - looks);
      const { spans, points, isCut } = unreadyBetween(group, context, { from: at, to }, Math.max(0, left));
      looks += points;
      hasMore ||= isCut;
      const readiness = worded(readinessOf(group, now, at));
      const ahead = spans.map((span) => worded(span));
      const userIds = [readiness, ...ahead].flatMap(({ unreachable }) => unreachable.map(({ userId }) => userId));
      return { group: nameOf(group), readiness, ahead, userNames: userNamesOf(userIds, snapshot, language) };
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
