// Decides which people, teams, groups and schedules a caller bound to stations sees, and shows them without what belongs
// to other stations. Pure.

import { type Principal, seesPerson, seesStation } from '../access/access.ts';
import type { Override, Schedule, StoredSchedule } from '../on-call/schedule.ts';
import type { CallGroup, PeopleSnapshot } from './call-group.ts';
import type { User } from './entities.ts';
import type { Team } from './person.ts';

/** The name shown for a person or group that the caller does not see. */
export const foreignName = 'another station';

/** The id shown for a person whom the caller does not see, where an id must be shown. */
export const foreignId = 0;

/** Says by id whether one caller sees an object of a snapshot. Callers bound to no station see all, also removed ones. */
export type Visibility = {
  readonly isWhole: boolean;
  readonly stationIds: readonly number[];
  seesPerson(id: number): boolean;
  seesGroup(id: number): boolean;
  seesTeam(id: number): boolean;
  seesSchedule(id: number): boolean;
};

const everything: Visibility = {
  isWhole: true,
  stationIds: [],
  seesPerson: () => true,
  seesGroup: () => true,
  seesTeam: () => true,
  seesSchedule: () => true,
};

const computed = new WeakMap<PeopleSnapshot, Map<string, Visibility>>();

/** Computed once per snapshot and set of stations. */
export function visibilityOf({ stationIds }: Pick<Principal, 'stationIds'>, snapshot: PeopleSnapshot): Visibility {
  if (stationIds.length === 0) return everything;
  const bySnapshot = computed.get(snapshot) ?? new Map<string, Visibility>();
  const key = stationIds.join();
  const found = bySnapshot.get(key) ?? new BoundVisibility(stationIds, snapshot);
  computed.set(snapshot, bySnapshot.set(key, found));
  return found;
}

/**
 * The visibility of a caller bound to stations. People and groups have stations. A team or schedule has none: it is seen through
 * what it is tied to, and by everybody while it is tied to nothing.
 */
class BoundVisibility implements Visibility {
  readonly isWhole = false;
  readonly stationIds: readonly number[];
  readonly #snapshot: PeopleSnapshot;
  readonly #groups: readonly CallGroup[];
  readonly #schedules: ReadonlySet<number>;
  readonly #teams: ReadonlySet<number>;

  constructor(stationIds: readonly number[], snapshot: PeopleSnapshot) {
    this.stationIds = stationIds;
    this.#snapshot = snapshot;
    this.#groups = [...snapshot.groups.values()].filter(({ stationId }) => seesStation(this, stationId));
    this.#schedules = this.#seenSchedules();
    this.#teams = this.#seenTeams();
  }

  seesPerson(id: number): boolean {
    const person = this.#snapshot.people.get(id);
    return person !== undefined && seesPerson(this, person);
  }

  seesGroup(id: number): boolean {
    const group = this.#snapshot.groups.get(id);
    return group !== undefined && seesStation(this, group.stationId);
  }

  seesTeam(id: number): boolean {
    return this.#teams.has(id);
  }

  seesSchedule(id: number): boolean {
    return this.#schedules.has(id);
  }

  /** A schedule in use is seen by those who see a user of it, another by those who see a person or team that it names. */
  #seenSchedules(): ReadonlySet<number> {
    const usedBy = (groups: Iterable<CallGroup>, isSeen: (id: number) => boolean) =>
      new Set([
        ...[...groups].flatMap(({ scheduleId }) => scheduleId ?? []),
        ...[...this.#snapshot.people.values()]
          .filter(({ id }) => isSeen(id))
          .flatMap(({ numbers }) => numbers.flatMap(({ scheduleId }) => scheduleId ?? [])),
      ]);
    const used = usedBy(this.#snapshot.groups.values(), () => true);
    const seen = usedBy(this.#groups, (id) => this.seesPerson(id));
    const teams = this.#teamsByThemselves();
    const isSeenUnused = (schedule: Schedule): boolean => {
      const [teamIds, userIds] = [teamsNamedBy(schedule), usersNamedBy(schedule)];
      const isTied = teamIds.length + userIds.length > 0;
      return !isTied || teamIds.some((id) => teams.has(id)) || userIds.some((id) => this.seesPerson(id));
    };
    for (const schedule of this.#snapshot.schedules.values())
      if (!used.has(schedule.id) && isSeenUnused(schedule)) seen.add(schedule.id);
    return seen;
  }

  /** The teams that are seen without looking at schedules. */
  #teamsByThemselves(): ReadonlySet<number> {
    const listed = new Set([...this.#snapshot.groups.values()].flatMap(({ teamIds }) => teamIds));
    const scheduled = new Set([...this.#snapshot.schedules.values()].flatMap(teamsNamedBy));
    const seen = new Set(this.#groups.flatMap(({ teamIds }) => teamIds));
    for (const { id, members } of this.#snapshot.teams.values()) {
      const isTied = members.length > 0 || listed.has(id) || scheduled.has(id);
      if (!isTied || members.some(({ userId }) => this.seesPerson(userId))) seen.add(id);
    }
    return seen;
  }

  #seenTeams(): ReadonlySet<number> {
    const schedules = [...this.#schedules].flatMap((id) => this.#snapshot.schedules.get(id) ?? []);
    return new Set([...this.#teamsByThemselves(), ...schedules.flatMap(teamsNamedBy)]);
  }
}

export function teamsNamedBy({ weekly, rotations, overrides }: Schedule): readonly number[] {
  return [
    ...weekly.map(({ teamId }) => teamId),
    ...rotations.flatMap(({ teamIds }) => teamIds),
    ...overrides.flatMap(({ teamId }) => teamId ?? []),
  ];
}

export function usersNamedBy({ overrides }: Schedule): readonly number[] {
  return overrides.flatMap(({ userId }) => userId ?? []);
}

/** Returns the team with the members that the caller sees. */
export function seenTeam<T extends Team>(team: T, visibility: Visibility): T {
  if (visibility.isWhole) return team;
  return { ...team, members: team.members.filter(({ userId }) => visibility.seesPerson(userId)) };
}

/** Returns the user with the stations and the replacement that the caller sees. */
export function seenUser<T extends User>(user: T, visibility: Visibility): T {
  if (visibility.isWhole) return user;
  const { stationIds, replacedById } = user;
  return {
    ...user,
    stationIds: stationIds.filter((id) => seesStation(visibility, id)),
    replacedById: replacedById !== undefined && visibility.seesPerson(replacedById) ? replacedById : undefined,
  };
}

/** Returns the schedule; an override that gives the duty to somebody the caller does not see names nobody and no reason. */
export function seenSchedule<T extends StoredSchedule>(schedule: T, visibility: Visibility): T {
  if (visibility.isWhole) return schedule;
  const seen = <O extends Override>(override: O): O => {
    const { userId } = override;
    const isSeen = userId === undefined || visibility.seesPerson(userId);
    return isSeen ? override : { ...override, userId: undefined, reason: '' };
  };
  return { ...schedule, overrides: schedule.overrides.map(seen) };
}

/** Returns the snapshot without the reasons of overrides that give the duty to somebody the caller does not see. */
export function withoutForeignReasons(snapshot: PeopleSnapshot, visibility: Visibility): PeopleSnapshot {
  if (visibility.isWhole) return snapshot;
  const seen = (schedule: StoredSchedule): StoredSchedule => ({
    ...schedule,
    overrides: schedule.overrides.map((override) =>
      visibility.seesPerson(override.userId ?? 0) || override.userId === undefined
        ? override
        : { ...override, reason: '' },
    ),
  });
  return { ...snapshot, schedules: new Map([...snapshot.schedules].map(([id, schedule]) => [id, seen(schedule)])) };
}
