// The script of a random day: an organisation, and everything that happens to it besides what the engine does. The same
// seed gives the same day.

import type { CallTarget } from '../../../src/domain/calls/call.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { type Organisation, randomOrganisation } from './organisation.ts';

type At = { readonly at: number };

/** `pick` chooses among the alarms that are open then. */
export type AlarmChange = At &
  (
    | { readonly kind: 'take' | 'mask' | 'return'; readonly pick: number }
    | { readonly kind: 'priority'; readonly pick: number; readonly priority: number }
  );

export type DirectoryChange = At &
  (
    | { readonly kind: 'duty'; readonly userId: number; readonly onDuty: boolean }
    | { readonly kind: 'replace'; readonly userId: number; readonly byId: number | undefined }
    | { readonly kind: 'leave-team' | 'join-team'; readonly userId: number; readonly teamId: number }
    | { readonly kind: 'delete'; readonly userId: number }
    | {
        readonly kind: 'remove-number' | 'lock-number' | 'switch-number';
        readonly userId: number;
        readonly place: number;
      }
    | { readonly kind: 'relief-group'; readonly groupId: number; readonly reliefGroupId: number | undefined }
  );

type Raise = At & {
  readonly kind: 'raise';
  readonly priority: number;
  readonly asks: boolean;
  readonly targets: readonly CallTarget[];
  readonly delayMs: number;
};

type Outage = At &
  (
    | {
        readonly kind: 'provider';
        readonly providerId: number;
        readonly isUp: boolean;
        readonly noticedAfterMs: number | undefined;
      }
    | { readonly kind: 'node'; readonly isUp: boolean }
    | { readonly kind: 'restart' }
  );

/** Something that happens to the site besides what the engine does. */
export type Happening = Raise | AlarmChange | DirectoryChange | Outage;

export type RandomDay = {
  readonly seed: number;
  readonly organisation: Organisation;
  /** In order. */
  readonly happenings: readonly Happening[];
  readonly begin: number;
  readonly end: number;
  /** What civil time is ahead of engine time. */
  readonly civilOffset: number;
};

const minute = 60_000;
const begin = 1_000_000;

export function randomDay(seed: number): RandomDay {
  const chance = chanceOf(seed);
  const organisation = randomOrganisation(chance);
  const lengthMs = chance.pick([120, 120, 150, 180, 240, 360]) * minute;
  const at = (): number => begin + chance.int(0, lengthMs);
  const happenings = [
    ...alarms(organisation, lengthMs, chance),
    ...untaken(at, chance),
    ...directoryChanges(organisation, at, chance),
    ...outages(organisation, at, chance),
    ...several(chance.int(0, 3), (): Happening => ({ at: at(), kind: 'restart' })),
  ];
  happenings.sort((one, other) => one.at - other.at);
  const civilOffset = Date.UTC(2026, 9, 22, chance.int(0, 24), chance.int(0, 60)) - begin;
  return { seed, organisation, happenings, begin, end: begin + lengthMs + 30 * minute, civilOffset };
}

function several<T>(count: number, one: () => T): readonly T[] {
  return Array.from({ length: count }, one);
}

function alarms(organisation: Organisation, lengthMs: number, chance: Chance): readonly Happening[] {
  const all: Happening[] = [];
  for (let count = chance.int(2, 9); count > 0; count--) {
    const first = alarm(begin + chance.int(0, lengthMs), organisation, chance);
    all.push(first);
    // Others join it at every phase: while it rings, is spoken about, rests, between rounds.
    for (let joining = chance.int(0, 5); joining > 0; joining--) {
      const other = alarm(first.at + chance.int(0, chance.pick([20, 60, 300, 900]) * 1_000), organisation, chance);
      all.push(chance.percent(75) ? { ...other, targets: first.targets } : other);
    }
  }
  if (chance.percent(35)) all.push(...storm(begin + chance.int(0, lengthMs), organisation, chance));
  return all;
}

function alarm(at: number, organisation: Organisation, chance: Chance): Raise {
  return {
    at,
    kind: 'raise',
    priority: chance.pick([1, 1, 2, 2, 3, 3, 3, 4]),
    asks: chance.percent(92),
    targets: chance.percent(85) ? [target(organisation, chance)] : several(2, () => target(organisation, chance)),
    delayMs: chance.percent(15) ? chance.int(5, 120) * 1_000 : 0,
  };
}

function target({ snapshot }: Organisation, chance: Chance): CallTarget {
  if (chance.percent(15)) return { kind: 'user', id: chance.pick([...snapshot.people.keys()]) };
  return { kind: 'group', id: chance.pick([...snapshot.groups.keys()]) };
}

function storm(at: number, organisation: Organisation, chance: Chance): readonly Happening[] {
  const targets = [target(organisation, chance)];
  return several(chance.int(20, 121), () => ({
    ...alarm(at + chance.int(0, minute), organisation, chance),
    targets,
    delayMs: 0,
    priority: chance.percent(8) ? chance.int(1, 3) : 3,
  }));
}

/** Operators take, mask and change alarms. */
function untaken(at: () => number, chance: Chance): readonly Happening[] {
  const pick = (): number => chance.int(0, 1_000_000);
  const single = several(chance.int(2, 20), (): Happening => {
    const kind = chance.pick(['take', 'take', 'take', 'mask', 'return', 'return', 'priority'] as const);
    if (kind === 'priority') return { at: at(), kind, pick: pick(), priority: chance.int(1, 5) };
    return { at: at(), kind, pick: pick() };
  });
  // Now and then somebody takes all there is.
  const sweeps = several(chance.int(1, 4), at).flatMap((since) =>
    several(
      chance.int(10, 140),
      (): Happening => ({ at: since + chance.int(0, 2 * minute), kind: 'take', pick: pick() }),
    ),
  );
  const flapping = several(chance.int(0, 2), at).flatMap((since) => {
    const of = pick();
    const times = chance.int(4, 40);
    return Array.from({ length: times }, (_, n): Happening => {
      return { at: since + n * minute, kind: 'priority', pick: of, priority: n % 2 === 0 ? 2 : 3 };
    });
  });
  return [...single, ...sweeps, ...flapping];
}

function directoryChanges({ snapshot }: Organisation, at: () => number, chance: Chance): readonly Happening[] {
  const userIds = [...snapshot.people.keys()];
  const teamIds = [...snapshot.teams.keys()];
  const groupIds = [...snapshot.groups.keys()];
  return several(chance.int(0, 16), (): Happening => {
    const userId = chance.pick(userIds);
    const kind = chance.pick([
      'duty',
      'duty',
      'duty',
      'replace',
      'leave-team',
      'join-team',
      'delete',
      'remove-number',
      'lock-number',
      'switch-number',
      'relief-group',
    ] as const);
    const place = chance.int(0, 3);
    switch (kind) {
      case 'duty':
        return { at: at(), kind, userId, onDuty: chance.percent(55) };
      case 'replace':
        return { at: at(), kind, userId, byId: chance.percent(50) ? chance.pick(userIds) : undefined };
      case 'leave-team':
      case 'join-team':
        return { at: at(), kind, userId, teamId: chance.pick(teamIds) };
      case 'delete':
        return { at: at(), kind, userId };
      case 'remove-number':
      case 'lock-number':
      case 'switch-number':
        return { at: at(), kind, userId, place };
      case 'relief-group': {
        const groupId = chance.pick(groupIds);
        const others = groupIds.filter((id) => id > groupId);
        return { at: at(), kind, groupId, reliefGroupId: others.length > 0 ? chance.pick(others) : undefined };
      }
    }
  });
}

/** Providers that fail for a while, some of them unnoticed by their checks, and some that flap. */
function outages({ providers }: Organisation, at: () => number, chance: Chance): readonly Happening[] {
  const all: Happening[] = [];
  for (let count = chance.int(0, 4); count > 0; count--) {
    const providerId = chance.pick(providers).id;
    const times = chance.percent(25) ? chance.int(3, 12) : 1;
    const lastsMs = times > 1 ? minute : chance.int(20, 1_500) * 1_000;
    const noticedAfterMs = chance.percent(60) ? chance.int(0, 15_000) : undefined;
    const since = at();
    for (let n = 0; n < times; n++) {
      all.push({ at: since + 2 * n * lastsMs, kind: 'provider', providerId, isUp: false, noticedAfterMs });
      all.push({ at: since + (2 * n + 1) * lastsMs, kind: 'provider', providerId, isUp: true, noticedAfterMs: 5_000 });
    }
  }
  if (chance.percent(15)) {
    const since = at();
    all.push({ at: since, kind: 'node', isUp: false });
    all.push({ at: since + chance.int(1, 40) * minute, kind: 'node', isUp: true });
  }
  return all;
}

/** A storm of 500 alarms of priority 3 and five of priority 1 in a minute, to people who never answer. */
export function stormDay(seed: number): RandomDay {
  const chance = chanceOf(seed);
  const organisation = quietOrganisation(randomOrganisation(chance), chance.pick([1, 10]));
  const raise = (priority: number): Happening => ({
    at: begin + minute + chance.int(0, minute),
    kind: 'raise',
    priority,
    asks: true,
    targets: [{ kind: 'group', id: 1 }],
    delayMs: 0,
  });
  const happenings = [...several(500, () => raise(3)), ...several(5, () => raise(1))];
  happenings.sort((one, other) => one.at - other.at);
  const civilOffset = Date.UTC(2026, 9, 22, 12) - begin;
  return { seed, organisation, happenings, begin, end: begin + 8 * minute, civilOffset };
}

function quietOrganisation(organisation: Organisation, count: number): Organisation {
  const [person] = organisation.snapshot.people.values();
  const [group] = organisation.snapshot.groups.values();
  if (person === undefined || group === undefined) throw new Error('a random organisation has people and groups');
  const ids = Array.from({ length: count }, (_, place) => place + 1);
  const people = ids.map((id) => ({
    ...person,
    id,
    name: `p${id}`,
    onDuty: true,
    isAdministrator: id === 1,
    numbers: [{ ...quietNumber, id: id * 10, address: `+331234500${id}` }],
  }));
  const team = { id: 1, name: 'team 1', colour: '#123456', members: ids.map((userId) => ({ userId, relief: false })) };
  const own = {
    ...group,
    id: 1,
    callMode: 'all',
    reliefGroupId: undefined,
    teamIds: [1],
    scheduleId: undefined,
  } as const;
  const snapshot = {
    people: new Map(people.map((one) => [one.id, one])),
    teams: new Map([[1, team]]),
    groups: new Map([[1, own]]),
    schedules: new Map(),
  };
  const mood = { picksUp: 0, takes: 0, answers: 0, replies: 0 };
  return {
    snapshot,
    policy: { ...organisation.policy, lastResortGroupId: undefined, cap: undefined },
    providers: organisation.providers.map((one) => ({ ...one, lines: undefined, countries: [] })),
    moods: new Map(ids.map((id) => [id, mood])),
    failing: new Set(),
  };
}

const quietNumber = {
  channel: 'voice',
  valid: true,
  verified: true,
  final: true,
  countTry: 1,
  timeToRetrySeconds: 60,
  countAck: 1,
  timeToAckSeconds: 120,
  acksWhenReached: false,
  scheduleId: undefined,
  priorities: undefined,
} as const;
