// The script of a random day: an organisation, and everything that happens to it besides what the engine does. The same
// seed gives the same day.

import type { CallTarget } from '../../../src/domain/calls/call.ts';
import { type Chance, chanceOf } from '../chance.ts';
import { type Organisation, randomOrganisation } from './organisation.ts';
import {
  type DirectoryChange,
  directoryChanges,
  type NumberLock,
  type PolicyChange,
  policyChanges,
} from './random-changes.ts';

type At = { readonly at: number };

/** `pick` chooses among the alarms that are open then. */
export type AlarmChange = At &
  (
    | { readonly kind: 'take' | 'mask' | 'return' | 'escalate'; readonly pick: number }
    | { readonly kind: 'priority'; readonly pick: number; readonly priority: number }
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

/** The clock is set. */
type ClockStep = At & { readonly kind: 'clock'; readonly byMs: number };

/** Something that happens to the site besides what the engine does. */
export type Happening = Raise | AlarmChange | DirectoryChange | NumberLock | PolicyChange | Outage | ClockStep;

export type RandomDay = {
  readonly seed: number;
  readonly organisation: Organisation;
  /** In order. */
  readonly happenings: readonly Happening[];
  readonly begin: number;
  readonly end: number;
  /** What civil time is ahead of engine time at first. */
  readonly civilOffset: number;
};

const minute = 60_000;
const begin = 1_000_000;

export function randomDay(seed: number): RandomDay {
  const chance = chanceOf(seed);
  return dayIn(randomOrganisation(chance), seed, chance);
}

/** What happens to the organisation on the day of a seed; `lengths`: how many minutes it may last. */
export function dayIn(
  organisation: Organisation,
  seed: number,
  chance: Chance,
  lengths: readonly number[] = [120, 120, 150, 180, 240, 360],
): RandomDay {
  const lengthMs = chance.pick(lengths) * minute;
  const at = (): number => begin + chance.int(0, lengthMs);
  const happenings = [
    ...alarms(organisation, lengthMs, chance),
    ...untaken(at, chance),
    ...directoryChanges(organisation, at, chance),
    ...policyChanges(organisation, at, chance),
    ...clockSteps(at, chance),
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
  all.push(...several(chance.int(0, 6), () => followUp(begin + chance.int(0, lengthMs), organisation, chance)));
  return all;
}

/** A message to one number alone. */
function followUp(at: number, organisation: Organisation, chance: Chance): Raise {
  const numbers = [...organisation.snapshot.people.values()].flatMap((person) => person.numbers);
  const targets = [{ kind: 'number', id: chance.pick(numbers).id } as const];
  return { ...alarm(at, organisation, chance), asks: false, targets, delayMs: 0 };
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
    const kind = chance.pick([
      ...['take', 'take', 'take', 'mask', 'return', 'return'],
      'escalate',
      'escalate',
      'priority',
    ] as const);
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

/** The clock is set by a full amount, or corrected by some minutes. */
function clockSteps(at: () => number, chance: Chance): readonly Happening[] {
  const count = chance.percent(25) ? chance.int(1, 4) : 0;
  return several(count, (): Happening => {
    const byMs = chance.pick([60 * minute, 60 * minute, -180 * minute, -180 * minute, 7 * minute, -4 * minute]);
    return { at: at(), kind: 'clock', byMs };
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
