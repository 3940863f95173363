// What calls are doing, as people see it: the phase, where each person stands, and what comes next. A call is the escalations to one
// target that are open at the same time. Pure.

import { nextDutyOf } from '../../on-call/on-duty.ts';
import type { CallGroup } from '../../people/call-group.ts';
import type { Decision } from '../decision.ts';
import type { Attempt, Cause, Escalation } from '../escalation.ts';
import { Chains, timeToTakeSeconds } from '../levels.ts';
import { holdsLevel, isOver, isOwedCall } from '../part.ts';
import type { PlacedPart } from '../place.ts';
import type { Reason } from '../reason.ts';
import type { DecisionTime, World } from '../world.ts';
import { type Clocks, reasonOnClock } from './clocks.ts';
import { NoticeStates } from './notice-states.ts';
import { type PersonState, personState } from './person-state.ts';
import { saysMore } from './person-step.ts';

export type CallPhase = 'calling' | 'waiting' | 'pausing';

/** Somebody is on duty, another round, the next level although this one goes on, or a person's step. */
export type NextStep = 'duty' | 'round' | 'level' | 'attempt';

export type CallState = {
  readonly phase: CallPhase;
  readonly round: number;
  readonly reason: Reason;
  readonly next: { readonly step: NextStep; readonly at: number | undefined } | undefined;
  readonly people: readonly PersonState[];
};

/** What was read to be decided on. */
type Read = {
  readonly world: World;
  readonly causes: readonly Cause[];
  readonly escalations: readonly Escalation[];
  readonly attempts: readonly Attempt[];
  readonly decisionTime: DecisionTime;
};

/** An escalation of the call; others that are alike, with the same parts, are left out. */
type Shown = { readonly escalation: Escalation; readonly cause: Cause; readonly parts: readonly PlacedPart[] };

const phases: readonly CallPhase[] = ['calling', 'waiting', 'pausing'];
const noParts: readonly PlacedPart[] = [];

export class CallStates {
  readonly #read: Read;
  readonly #clocks: Clocks;
  readonly #chains: Chains;
  readonly #notices: NoticeStates;
  /** By id, as decided. */
  readonly #escalations: ReadonlyMap<number, Escalation>;
  readonly #causes: ReadonlyMap<number, Cause>;
  /** By id of an escalation; those that are alike share one list. */
  readonly #parts: ReadonlyMap<number, readonly PlacedPart[]>;
  /** By id of a person, oldest first. */
  readonly #calls: ReadonlyMap<number, readonly Attempt[]>;

  constructor(read: Read, { changed, parts }: Pick<Decision, 'changed' | 'parts'>, clocks: Clocks) {
    const { world, causes, escalations, attempts, decisionTime } = read;
    this.#read = read;
    this.#clocks = clocks;
    this.#chains = new Chains(world, decisionTime);
    this.#notices = new NoticeStates(world, attempts, decisionTime, clocks);
    this.#escalations = new Map([...escalations, ...changed].map((escalation) => [escalation.id, escalation]));
    this.#causes = new Map(causes.map((cause) => [cause.id, cause]));
    this.#parts = partsOf(parts);
    this.#calls = Map.groupBy(
      attempts.filter(({ kind }) => kind === 'call'),
      ({ userId }) => userId,
    );
  }

  /** Returns the state of the call of these escalations; undefined if none of them was decided on, or all are over. */
  of(escalationIds: readonly number[]): CallState | undefined {
    const shown = this.#shown(escalationIds);
    const byPhase = shown.map((one) => [phaseOf(one), one] as const);
    const phase = phases.find((candidate) => byPhase.some(([own]) => own === candidate));
    const leading = byPhase.find(([own]) => own === phase)?.[1];
    if (phase === undefined || leading === undefined) return undefined;
    const people = this.#peopleOf(shown);
    return {
      phase,
      round: Math.max(...shown.map(({ escalation }) => escalation.round)),
      reason: reasonOnClock(reasonOf(phase, leading), this.#clocks),
      next: this.#nextOf(phase, leading, shown, people),
      people: [...people, ...this.#notices.of(shown)],
    };
  }

  /** Without those that are done, or were called in vain; the most urgent first. */
  #shown(escalationIds: readonly number[]): readonly Shown[] {
    const known = new Set<readonly PlacedPart[]>();
    const shown = escalationIds.flatMap((id) => {
      const escalation = this.#escalations.get(id);
      const cause = this.#causes.get(escalation?.causeId ?? 0);
      if (escalation === undefined || cause === undefined || escalation.state !== 'open') return [];
      const parts = this.#parts.get(id) ?? noParts;
      if (parts !== noParts && known.has(parts)) return [];
      known.add(parts);
      return [{ escalation, cause, parts }];
    });
    return shown.toSorted((one, other) => one.cause.priority - other.cause.priority || one.cause.id - other.cause.id);
  }

  /** Each person once, with the part that says most of them. */
  #peopleOf(shown: readonly Shown[]): readonly PersonState[] {
    const best = new Map<number, PlacedPart>();
    for (const placed of shown.flatMap(({ parts }) => parts)) {
      const known = best.get(placed.of.userId);
      if (known === undefined || saysMore(placed.part, known.part)) best.set(placed.of.userId, placed);
    }
    const { world, decisionTime: time } = this.#read;
    const around = { world, time, clocks: this.#clocks };
    return [...best.values()].map((placed) => personState(placed, this.#calls.get(placed.of.userId) ?? [], around));
  }

  #nextOf(
    phase: CallPhase,
    leading: Shown,
    shown: readonly Shown[],
    people: readonly PersonState[],
  ): CallState['next'] {
    if (phase === 'waiting' && leading.parts.length === 0) return this.#nextDuty(leading.escalation);
    const levelAt = least(shown.flatMap((one) => this.#nextLevelAt(one) ?? []));
    const roundAt = least(shown.flatMap(({ escalation: { pausedUntil } }) => pausedUntil ?? []));
    const attemptAt = least(people.flatMap(({ nextAt }) => nextAt ?? []));
    const steps = [
      { step: 'attempt', at: attemptAt },
      { step: 'level', at: levelAt === undefined ? undefined : this.#clocks.ofEngine(levelAt) },
      { step: 'round', at: roundAt === undefined ? undefined : this.#clocks.ofEngine(roundAt) },
    ] as const;
    const [first] = steps
      .filter(({ at }) => at !== undefined)
      .toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0));
    return first ?? (phase === 'pausing' ? undefined : { step: 'attempt', at: undefined });
  }

  /** Who has heard it in the group is not called by the last resort: nothing comes next. */
  #nextDuty({ target, trouble }: Escalation): CallState['next'] {
    if (trouble === undefined) return undefined;
    const at = target.kind === 'group' ? this.#nextDutyAt(target.id) : undefined;
    return { step: 'duty', at: at === undefined ? undefined : this.#clocks.ofCivil(at) };
  }

  #nextDutyAt(groupId: number): number | undefined {
    const { world, decisionTime } = this.#read;
    const { snapshot } = world;
    const visited = new Set<CallGroup>();
    for (let group = snapshot.groups.get(groupId); group !== undefined && !visited.has(group); ) {
      visited.add(group);
      group = snapshot.groups.get(group.reliefGroupId ?? 0);
    }
    const next = Math.min(...[...visited].map((group) => nextDutyOf(group, snapshot, decisionTime.civil)));
    return Number.isFinite(next) ? next : undefined;
  }

  /** When the next level is called although the ones before it go on. */
  #nextLevelAt({ escalation, cause, parts }: Shown): number | undefined {
    const { levels } = this.#chains.of(escalation.target);
    const enteredAt = new Map(escalation.entered.map(({ key, at }) => [key, at]));
    const next = levels.findIndex(({ key }) => !enteredAt.has(key));
    if (!cause.asks || next < 1 || escalation.pausedUntil !== undefined) return undefined;
    const isHolding = new Set(parts.flatMap(({ part, level }) => (holdsLevel(part) ? [level] : [])));
    const ends = levels.slice(0, next).flatMap((level) => {
      if (!isHolding.has(level.key)) return [];
      const seconds = timeToTakeSeconds(level, cause.priority, this.#read.world.policy);
      return [seconds === 0 ? Number.POSITIVE_INFINITY : (enteredAt.get(level.key) ?? 0) + seconds * 1000];
    });
    const at = Math.max(...ends);
    return Number.isFinite(at) ? at : undefined;
  }
}

function partsOf(placed: readonly PlacedPart[]): ReadonlyMap<number, readonly PlacedPart[]> {
  const parts = new Map<number, readonly PlacedPart[]>();
  for (const ofAlike of Map.groupBy(placed, ({ alike }) => alike).values())
    for (const own of Map.groupBy(ofAlike, ({ place }) => place).values()) {
      const [first] = own;
      for (const escalations of first?.alike.escalations ?? []) parts.set(escalations[first?.place ?? 0]?.id ?? 0, own);
    }
  return parts;
}

function phaseOf({ escalation: { pausedUntil, target }, parts }: Shown): CallPhase {
  if (parts.some(({ part }) => holdsLevel(part)) || target.kind === 'number') return 'calling';
  if (pausedUntil !== undefined) return 'pausing';
  const open = parts.filter(({ part }) => !isOver(part));
  const isOutOfReach = open.length > 0 && open.every(({ part }) => part.state === 'out-of-reach');
  return parts.length === 0 || isOutOfReach ? 'waiting' : 'calling';
}

/** Why the call is in this phase. */
function reasonOf(phase: CallPhase, { escalation: { entered, reason, trouble, target }, parts }: Shown): Reason {
  const fallback: Reason = target.kind === 'number' ? { code: 'notice' } : { code: 'raised' };
  if (phase === 'calling') return entered.at(-1)?.reason ?? reason ?? fallback;
  if (phase === 'pausing') return parts.find(({ part }) => isOwedCall(part))?.part.reason ?? reason ?? fallback;
  const outOfReach = parts.find(({ part }) => part.state === 'out-of-reach')?.part.reason;
  return outOfReach ?? trouble?.reason ?? reason ?? fallback;
}

function least(instants: readonly number[]): number | undefined {
  return instants.length === 0 ? undefined : Math.min(...instants);
}
