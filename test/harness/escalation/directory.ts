// The harness's own reading of the directory: who stands in a level, which numbers may be used. It shares no function with
// the engine, and knows only what random organisations have: weekly schedules and overrides in UTC, without holidays.

import type { CallPolicy, CallTarget, PriorityRules } from '../../../src/domain/calls/call.ts';
import type { LevelKey } from '../../../src/domain/escalation/escalation.ts';
import type { DutyHolder, StoredSchedule } from '../../../src/domain/on-call/schedule.ts';
import type { CallGroup, PeopleSnapshot } from '../../../src/domain/people/call-group.ts';
import type { ContactNumber, Person } from '../../../src/domain/people/person.ts';

const hour = 3_600_000;
const dayMs = 24 * hour;
const civilOf = once((text) => Date.parse(`${text}Z`));
const clockOf = once((text) => {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return hours * hour + minutes * 60_000;
});
const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Directory and clock at one instant. */
export type Moment = {
  readonly snapshot: PeopleSnapshot;
  readonly policy: CallPolicy;
  /** The instant in engine time, for locks. */
  readonly engine: number;
  readonly civil: number;
  readonly locks: ReadonlyMap<number, number>;
};

/** Returns who has the duty by a schedule: the last override, else the last weekly entry that covers the instant. */
export function holderOf({ weekly, overrides }: StoredSchedule, civil: number): DutyHolder | undefined {
  const override = overrides.findLast(({ from, to }) => civil >= civilOf(from) && civil < civilOf(to));
  if (override?.lock) return { kind: 'locked' };
  if (override?.userId !== undefined) return { kind: 'user', userId: override.userId };
  const teamId = override?.teamId ?? weeklyTeam(weekly, civil);
  return teamId === undefined ? undefined : { kind: 'team', teamId };
}

function weeklyTeam(weekly: StoredSchedule['weekly'], civil: number): number | undefined {
  const midnight = Math.floor(civil / dayMs) * dayMs;
  const covering = weekly.filter(({ days, from, to }) => {
    const begins = clockOf(from);
    const ends = clockOf(to) > begins ? clockOf(to) : clockOf(to) + dayMs;
    return [midnight, midnight - dayMs].some((date) => {
      const weekday = names[new Date(date).getUTCDay()];
      return weekday !== undefined && days.includes(weekday) && civil >= date + begins && civil < date + ends;
    });
  });
  return covering.at(-1)?.teamId;
}

/** Reads each text once: checkers ask about thousands of instants of a day. */
function once(read: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const found = known.get(text) ?? read(text);
    known.set(text, found);
    return found;
  };
}

/** Returns the people who have to be called in a level, in the order of the teams. */
export function peopleOf(level: LevelKey, moment: Moment): readonly number[] {
  const { snapshot } = moment;
  if (level === 'administrators') {
    const all = [...snapshot.people.values()].filter(({ isAdministrator }) => isAdministrator);
    return all.filter(({ onDuty, replacedById }) => onDuty && replacedById === undefined).map(({ id }) => id);
  }
  const [kind, text] = level.split(' ');
  const id = Number(text);
  if (kind === 'user') {
    const person = snapshot.people.get(standIn(id, snapshot));
    return person?.onDuty ? [person.id] : [];
  }
  const group = snapshot.groups.get(id);
  if (group === undefined) return [];
  const regular = membersOf(group, false, moment);
  return kind === 'duty' ? regular : membersOf(group, true, moment).filter((one) => !regular.includes(one));
}

/** Returns everybody who may be called in a level: beyond those who have to be, whoever it would be no fault to call. */
export function allowedIn(level: LevelKey, moment: Moment): readonly number[] {
  const { snapshot } = moment;
  if (level === 'administrators') {
    const all = [...snapshot.people.values()].filter(({ isAdministrator }) => isAdministrator);
    return all.flatMap(({ id }) => [id, standIn(id, snapshot)]);
  }
  if (!level.startsWith('user')) return peopleOf(level, moment);
  const id = Number(level.split(' ')[1]);
  return [id, standIn(id, snapshot)];
}

export function isLocked(group: CallGroup, { snapshot, civil }: Moment): boolean {
  const schedule = snapshot.schedules.get(group.scheduleId ?? 0);
  return schedule !== undefined && holderOf(schedule, civil)?.kind === 'locked';
}

function membersOf(group: CallGroup, relief: boolean, { snapshot, civil }: Moment): readonly number[] {
  const schedule = snapshot.schedules.get(group.scheduleId ?? 0);
  const holder = schedule && holderOf(schedule, civil);
  const onDuty = holder?.kind === 'team' ? [holder.teamId] : [];
  const teamIds = schedule === undefined ? group.teamIds : onDuty;
  const named = holder?.kind === 'user' ? [{ userId: holder.userId, relief: false }] : [];
  const members = [...named, ...teamIds.flatMap((id) => snapshot.teams.get(id)?.members ?? [])];
  const called = members.filter((member) => member.relief === relief).map(({ userId }) => standIn(userId, snapshot));
  return [...new Set(called)].filter((id) => snapshot.people.get(id)?.onDuty);
}

function standIn(userId: number, { people }: PeopleSnapshot): number {
  const seen = [userId];
  for (;;) {
    const next = people.get(seen.at(-1) as number)?.replacedById;
    if (next === undefined) return seen.at(-1) as number;
    if (seen.includes(next) || !people.has(next)) return userId;
    seen.push(next);
  }
}

/** Returns the levels of a target in order, empty ones included. A locked duty ends the chain. */
export function chainOf(target: CallTarget, moment: Moment): readonly LevelKey[] {
  const { snapshot, policy } = moment;
  if (target.kind === 'user' || target.kind === 'number') return [`user ${target.id}`];
  const levels: LevelKey[] = [];
  let groupId = target.kind === 'group' ? target.id : policy.lastResortGroupId;
  const seen = new Set<number>();
  while (groupId !== undefined && !seen.has(groupId)) {
    const group = snapshot.groups.get(groupId);
    if (group === undefined || isLocked(group, moment)) break;
    seen.add(groupId);
    levels.push(`duty ${groupId}`, `relief ${groupId}`);
    groupId = group.reliefGroupId;
  }
  return target.kind === 'last-resort' ? [...levels, 'administrators'] : levels;
}

/** Returns the group of a level; undefined for people and the administrators. */
export function groupOf(level: LevelKey, snapshot: PeopleSnapshot): CallGroup | undefined {
  const [kind, id] = level.split(' ');
  return kind === 'duty' || kind === 'relief' ? snapshot.groups.get(Number(id)) : undefined;
}

/** Whether the level calls some of its people only: the next in turn, or a relief for each person who was not reached. */
export function picksPeople(level: LevelKey, snapshot: PeopleSnapshot): 'turn' | 'per-user' | undefined {
  const group = groupOf(level, snapshot);
  if (level.startsWith('duty')) return group?.callMode === 'turn' ? 'turn' : undefined;
  return group?.reliefMode === 'perUser' ? 'per-user' : undefined;
}

export function rulesFor(priority: number, policy: CallPolicy): PriorityRules | undefined {
  return policy.priorities.find((rules) => rules.priority === priority);
}

/** Returns how long a level has to take an alarm, in milliseconds; undefined: no limit. */
export function timeToTake(level: LevelKey, priority: number, { snapshot, policy }: Moment): number | undefined {
  const own = groupOf(level, snapshot)?.timeToTakeSeconds;
  const seconds = own ?? rulesFor(priority, policy)?.timeToTakeSeconds ?? 0;
  return seconds === 0 ? undefined : seconds * 1_000;
}

/** Returns the numbers that ring a person for an alarm of the priority, and those that get its notices. */
export function numbersFor(userId: number, priority: number, moment: Moment): Numbers {
  const usable = (moment.snapshot.people.get(userId)?.numbers ?? []).filter((one) => isUsable(one, priority, moment));
  const final = usable.filter((one) => one.final);
  if (final.length === 0) return { ring: usable, notice: [] };
  return { ring: final, notice: usable.filter((one) => !one.final) };
}

export type Numbers = { readonly ring: readonly ContactNumber[]; readonly notice: readonly ContactNumber[] };

export function isUsable(number: ContactNumber, priority: number, moment: Moment): boolean {
  const { snapshot, policy, civil, engine, locks } = moment;
  if (!number.valid || !number.verified || (locks.get(number.id) ?? 0) > engine) return false;
  if (priority > 1 && !isInAllowedCountry(number, policy)) return false;
  if (number.priorities && (priority < number.priorities.from || priority > number.priorities.to)) return false;
  const schedule = number.scheduleId === undefined ? undefined : snapshot.schedules.get(number.scheduleId);
  const holder = schedule && holderOf(schedule, civil);
  return schedule === undefined || (holder !== undefined && holder.kind !== 'locked');
}

function isInAllowedCountry({ channel, address }: ContactNumber, { tolls: { allowedPrefixes } }: CallPolicy): boolean {
  if (!isTelephone(channel) || allowedPrefixes.length === 0) return true;
  return allowedPrefixes.some((prefix) => address.startsWith(prefix));
}

export function numberOf(person: Person | undefined, numberId: number): ContactNumber | undefined {
  return person?.numbers.find(({ id }) => id === numberId);
}

export function isSpokenOn(channel: string): boolean {
  return channel === 'voice' || channel === 'simulator';
}

export function isTelephone(channel: string): boolean {
  return channel === 'voice' || channel === 'sms';
}
