// Where an escalation stands: its round, the levels it has entered, the parts of their people, and what it ends with. Pure.

import { noRules, type PriorityRules, rulesOf } from '../calls/call.ts';
import type { Alike } from './alike.ts';
import type { AttemptIndex, GivenAnswer } from './attempt-index.ts';
import type { Cause, EnteredLevel, Escalation, LevelKey, Trouble } from './escalation.ts';
import { type Chain, Chains, type Level, timeToTakeSeconds } from './levels.ts';
import { owesNotice } from './notices.ts';
import type { Numbers } from './numbers.ts';
import { answeredSince, holdsLevel, isOver, isOwedCall, type Part, type PartOf, type Parts } from './part.ts';
import { hasSomebodyOnCall, horizonOf, presentRoundOf } from './present-round.ts';
import type { Reason } from './reason.ts';
import { nextInTurn } from './turns.ts';
import type { DecisionTime, World } from './world.ts';

/** The part of a person in a level of an escalation, and of those of causes that are alike. */
export type PlacedPart = {
  readonly of: PartOf;
  readonly level: LevelKey;
  readonly alike: Alike;
  /** The place of the escalation among those of each cause. */
  readonly place: number;
  readonly part: Part;
  /** Why the person is called for the first time. */
  readonly reason: Reason;
};

export type Placed = {
  /** That of the cause that stands for all that are alike. */
  readonly escalation: Escalation;
  readonly alike: Alike;
  readonly place: number;
  readonly parts: readonly PlacedPart[];
  /** Whether the last resort is due: the end of the chain is reached, or nobody is on call. */
  readonly isAtEnd: boolean;
};

/** The causes that are alike, with the one that stands for them, its escalations, and the place of that which is placed. */
type OfCause = {
  readonly alike: Alike;
  readonly place: number;
  readonly cause: Cause;
  readonly escalations: readonly Escalation[];
};

type Walk = {
  readonly entered: EnteredLevel[];
  picked: Escalation['picked'];
  readonly parts: PlacedPart[];
  /** Whether all levels were entered and nobody is being called any more. */
  isOver: boolean;
  /** Whether all levels were entered and had their time. */
  isAtEnd: boolean;
};

/** By target: when pauses end. */
export type Pauses = ReadonlyMap<string, readonly number[]>;

export function pausesOf(escalations: Iterable<Escalation>): Pauses {
  const pauses = new Map<string, number[]>();
  for (const escalation of escalations) {
    if (escalation.pausedUntil === undefined) continue;
    const target = targetOf(escalation);
    const known = pauses.get(target);
    if (known === undefined) pauses.set(target, [escalation.pausedUntil]);
    else known.push(escalation.pausedUntil);
  }
  return pauses;
}

export class Places {
  readonly #world: World;
  readonly #time: DecisionTime;
  readonly #index: AttemptIndex;
  readonly #parts: Parts;
  readonly #numbers: Numbers;
  readonly #chains: Chains;
  readonly turns: Map<number, number>;
  /** By level that calls in turn: the person who is being called for it. */
  readonly #beingCalled = new Map<LevelKey, number>();
  readonly #pauses: Pauses;

  constructor(
    world: World,
    time: DecisionTime,
    { index, numbers, parts }: { readonly index: AttemptIndex; readonly numbers: Numbers; readonly parts: Parts },
    pauses: Pauses,
  ) {
    this.#numbers = numbers;
    this.#world = world;
    this.#time = time;
    this.#index = index;
    this.#parts = parts;
    this.#chains = new Chains(world, time);
    this.turns = new Map(world.turns);
    this.#pauses = pauses;
  }

  /** Places the escalations of causes that are alike. */
  place(alike: Alike): readonly Placed[] {
    const [cause] = alike.causes;
    const escalations = alike.escalations[0] ?? [];
    return escalations.flatMap((escalation, place) => {
      if (escalation.state === 'done') return [];
      return [{ ...this.#place(escalation, { alike, place, cause, escalations }), alike, place }];
    });
  }

  #place(escalation: Escalation, ofCause: OfCause): Omit<Placed, 'alike' | 'place'> {
    const { cause } = ofCause;
    if (cause.ended !== undefined)
      return alone({ ...escalation, state: 'done', trouble: undefined, reason: cause.ended });
    if (escalation.round === 0 && !this.#time.hasPassed(escalation.dueAt)) return alone(escalation);
    const begun = this.#withRound(escalation, cause);
    if (begun.state === 'exhausted' || begun.target.kind === 'number') return alone(begun);
    const chain = this.#withoutHeard(this.#chains.of(begun.target), begun, ofCause);
    if (chain.nobody !== undefined) {
      const isAtEnd = !chain.nobody.isLocked;
      return { escalation: this.#withNobody(begun, cause, chain.nobody), parts: [], isAtEnd };
    }
    const resumed = this.#resumed(begun, chain, ofCause);
    const walk = this.#walk(resumed, ofCause, chain.levels);
    const { entered, picked, parts } = walk;
    const same = entered.length === resumed.entered.length && picked === resumed.picked;
    const placed = same ? resumed : { ...resumed, entered, picked };
    if (!cause.asks && parts.some(({ part }) => part.state === 'heard'))
      return alone({ ...placed, state: 'done', trouble: undefined, reason: { code: 'heard' } });
    const trouble = placed.trouble?.kind === 'in-vain' ? placed.trouble : undefined;
    const seen = placed.trouble === trouble ? placed : { ...placed, trouble, reason: undefined };
    return { escalation: walk.isOver ? this.#atEnd(seen, cause, parts) : seen, parts, isAtEnd: walk.isAtEnd };
  }

  /** Begins a round at first, when the alarm is more urgent than ever, and when the pause is over. */
  #withRound(escalation: Escalation, { priority }: Cause): Escalation {
    const { round, actedPriority = priority, pausedUntil, state } = escalation;
    const { untilAcknowledged } = rulesOf(priority, this.#world.policy);
    if (round === 0) return this.#newRound(escalation, priority, escalation.reason ?? beginningOf(escalation));
    if (priority < actedPriority)
      return { ...this.#newRound(escalation, priority, { code: 'more-urgent', priority }), roundsInVain: 0 };
    const isRepeated = untilAcknowledged || awaitsRound(escalation);
    if (isRepeated && pausedUntil !== undefined && this.#time.hasPassed(pausedUntil))
      return this.#newRound(escalation, actedPriority, { code: 'new-round', round: round + 1 });
    // A priority that repeats again goes on where it was.
    return untilAcknowledged && state === 'exhausted' ? { ...escalation, state: 'open' } : escalation;
  }

  #newRound(escalation: Escalation, actedPriority: number, reason: Reason): Escalation {
    return {
      ...escalation,
      actedPriority,
      round: escalation.round + 1,
      roundSince: this.#time.engine,
      entered: [],
      picked: [],
      pausedUntil: undefined,
      state: 'open',
      reason,
    };
  }

  /** The last resort does not ring those who heard or declined in the present round of the group, which is followed by another. */
  #withoutHeard(chain: Chain, escalation: Escalation, { cause, escalations }: OfCause): Chain {
    const since = presentRoundOf(escalation, escalations.filter(hasSomebodyOnCall));
    if (escalation.target.kind !== 'last-resort' || chain.nobody !== undefined || since === undefined) return chain;
    const isOwn = ({ tries }: GivenAnswer): boolean => {
      const own = tries.filter(({ causeId }) => causeId === cause.id);
      return own.length > 0 && own.every(({ escalationId }) => escalationId === escalation.id);
    };
    const hasAnswered = (userId: number): boolean => {
      const { answers } = this.#index.contacts(cause.id, userId);
      return (
        answeredSince(
          answers.filter((answer) => !isOwn(answer)),
          since,
        ) !== undefined
      );
    };
    const levels = chain.levels
      .map((level) => ({ ...level, userIds: level.userIds.filter((userId) => !hasAnswered(userId)) }))
      .filter(({ userIds }) => userIds.length > 0);
    return { levels, nobody: undefined };
  }

  /** The last resort that had nobody to call goes on when there is somebody again, in the present round of the group. */
  #resumed(escalation: Escalation, { levels }: Chain, { escalations }: OfCause): Escalation {
    if (escalation.reason?.code !== everybodyHeard.code || levels.length === 0) return escalation;
    const since = presentRoundOf(escalation, escalations.filter(hasSomebodyOnCall)) ?? escalation.roundSince;
    const roundSince = Math.max(escalation.roundSince, since);
    return { ...escalation, roundSince, entered: [], picked: [], reason: beginningOf(escalation) };
  }

  #withNobody(escalation: Escalation, { asks }: Cause, nobody: NonNullable<Chain['nobody']>): Escalation {
    const { target, trouble, round } = escalation;
    const { groupId, isLocked, reason } = nobody;
    const group = target.kind === 'group' ? this.#world.snapshot.groups.get(target.id) : undefined;
    const kind = isLocked ? 'locked' : 'nobody-on-call';
    const isSame = trouble?.kind === kind && trouble.groupId === groupId && trouble.reason.code === reason.code;
    const now: Trouble = isSame ? trouble : { kind, groupId, round, reason };
    const isDiscarded = group?.discardWhenNobodyOnCall === true || (!asks && target.kind === 'user');
    if (isDiscarded) return { ...escalation, trouble: now, state: 'done', reason: { code: 'discarded' } };
    return isSame ? escalation : { ...escalation, trouble: now, reason };
  }

  /** Walks the present chain: enters a level when all before it are over. */
  #walk(escalation: Escalation, ofCause: OfCause, levels: readonly Level[]): Walk {
    const known = new Map(escalation.entered.map((level) => [level.key, level]));
    const walk: Walk = {
      entered: [...escalation.entered],
      picked: escalation.picked,
      parts: [],
      isOver: true,
      isAtEnd: true,
    };
    let isBeforeOver = true;
    for (const [index, level] of levels.entries()) {
      let entered = known.get(level.key);
      if (entered === undefined && isBeforeOver) {
        entered = {
          key: level.key,
          at: this.#time.engine,
          reason: this.#reasonOf(escalation, ofCause.cause, levels[index - 1], known, walk),
        };
        walk.entered.push(entered);
      }
      if (entered === undefined) {
        this.#pickRelief(escalation, ofCause, level, levels[index - 1], walk);
        isBeforeOver = false;
        walk.isOver = false;
        continue;
      }
      const parts = this.#partsOf(escalation, ofCause, level, entered, walk);
      walk.parts.push(...parts);
      const holds = parts.some(({ part }) => holdsLevel(part));
      // At the end of the chain nothing is over as long as somebody is being called.
      if (holds) walk.isOver = false;
      // A level that has had its time opens the way, also while somebody of an earlier one is called once more.
      if (holds || !isBeforeOver) isBeforeOver = this.#hasTimePassed(entered, level, ofCause.cause);
    }
    walk.isAtEnd = isBeforeOver && levels.every(({ key }) => walk.entered.some((one) => one.key === key));
    return walk;
  }

  /** Why the next level is called. */
  #reasonOf(
    escalation: Escalation,
    cause: Cause,
    before: Level | undefined,
    known: ReadonlyMap<LevelKey, EnteredLevel>,
    walk: Walk,
  ): Reason {
    if (before === undefined) {
      const { trouble, reason = { code: 'raised' } } = escalation;
      const wasNobody = trouble !== undefined && trouble.kind !== 'in-vain';
      return wasNobody || reason.code === 'called-in-vain' ? { code: 'on-duty-now' } : reason;
    }
    const entered = known.get(before.key) ?? walk.entered.find(({ key }) => key === before.key);
    const holds = walk.parts.some((one) => one.level === before.key && holdsLevel(one.part));
    if (holds && entered !== undefined) return { code: 'not-taken-in-time', seconds: this.#timeToTake(before, cause) };
    return { code: 'nobody-took-it' };
  }

  #hasTimePassed({ at }: EnteredLevel, level: Level, cause: Cause): boolean {
    const seconds = cause.asks ? this.#timeToTake(level, cause) : 0;
    return seconds > 0 && this.#time.hasPassed(at + seconds * 1000);
  }

  #timeToTake(level: Level, { priority }: Cause): number {
    return timeToTakeSeconds(level, priority, this.#world.policy);
  }

  #partsOf(escalation: Escalation, ofCause: OfCause, level: Level, entered: EnteredLevel, walk: Walk): PlacedPart[] {
    const make = (userId: number, at: number, reason: Reason) =>
      this.#part(escalation, ofCause, level, { userId, at, reason });
    if (level.group?.callMode !== 'turn' || level.isRelief)
      return level.userIds.map((userId) => make(userId, entered.at, entered.reason));
    const isPresent = new Set(level.userIds);
    const picks = walk.picked.filter(({ key, userId }) => key === level.key && isPresent.has(userId));
    const parts = picks.map(({ userId, at }, index) =>
      make(userId, at, index === 0 ? entered.reason : { code: 'in-turn' }),
    );
    while (
      !parts.some(({ part }) => holdsLevel(part)) &&
      (ofCause.cause.asks || !parts.some(({ part }) => part.state === 'heard'))
    ) {
      const taken = new Set(walk.picked.filter(({ key }) => key === level.key).map(({ userId }) => userId));
      const first = parts.length === 0 ? this.#beingCalled.get(level.key) : undefined;
      const next = nextInTurn(level, taken, first, this.turns.get(level.group.id));
      if (next === undefined) break;
      this.turns.set(level.group.id, next);
      const at = this.#time.engine;
      walk.picked = [...walk.picked, { key: level.key, userId: next, at }];
      parts.push(make(next, at, parts.length === 0 ? entered.reason : { code: 'in-turn' }));
    }
    const active = parts.findLast(({ part }) => holdsLevel(part));
    if (active !== undefined) this.#beingCalled.set(level.key, active.of.userId);
    return parts;
  }

  /** With `perUser`, one relief member is called for each member on duty who was not reached, before the level is over. */
  #pickRelief(escalation: Escalation, ofCause: OfCause, level: Level, before: Level | undefined, walk: Walk): void {
    const isOfGroupBefore =
      level.isRelief && before?.group?.id === level.group?.id && before?.group?.reliefMode === 'perUser';
    if (!isOfGroupBefore) return;
    const failed = walk.parts.filter((one) => one.level === before?.key && one.part.state === 'failed').length;
    const picks = walk.picked.filter(({ key }) => key === level.key);
    const left = level.userIds.filter((userId) => !picks.some((pick) => pick.userId === userId));
    const at = this.#time.engine;
    const added = left.slice(0, Math.max(0, failed - picks.length)).map((userId) => ({ key: level.key, userId, at }));
    if (added.length > 0) walk.picked = [...walk.picked, ...added];
    for (const pick of [...picks, ...added])
      if (level.userIds.includes(pick.userId))
        walk.parts.push(this.#part(escalation, ofCause, level, { ...pick, reason: { code: 'relief-per-person' } }));
  }

  #part(
    escalation: Escalation,
    { cause, escalations, alike, place }: OfCause,
    { key: level }: Level,
    { userId, at, reason }: { readonly userId: number; readonly at: number; readonly reason: Reason },
  ): PlacedPart {
    const of = { cause, userId, since: horizonOf(escalation, escalations), enteredAt: at };
    const part = this.#parts.of(of);
    return { of, level, alike, place, part, reason };
  }

  /** Everybody was called: pauses until the next round, or ends unless somebody is still owed a call. */
  #atEnd(escalation: Escalation, cause: Cause, parts: readonly PlacedPart[]): Escalation {
    const isNoticeOwed = (userId: number): boolean => owesNotice(userId, cause, this.#numbers, this.#index);
    const isOwed = parts.some(({ part, of }) => !isOver(part) || isNoticeOwed(of.userId));
    if (escalation.target.kind === 'last-resort' && parts.length === 0) return waiting(escalation);
    if (!cause.asks) return isOwed ? escalation : { ...escalation, state: 'done', reason: { code: 'not-reached' } };
    const said = parts.some(({ part }) => isOwedCall(part)) ? escalation : inVain(escalation);
    const rules = rulesOf(cause.priority, this.#world.policy);
    if (awaitsRound(said)) return said;
    if (rules.untilAcknowledged) return said.pausedUntil === undefined ? this.#paused(said, rules) : said;
    return isOwed ? said : { ...said, state: 'exhausted' };
  }

  /** Pauses grow, and end together with another of the same target that ends in their second half. */
  #paused(escalation: Escalation, rules: Omit<PriorityRules, 'priority'> = noRules): Escalation {
    const now = this.#time.engine;
    const { pauseSeconds, longestPauseSeconds } = rules;
    const pause =
      Math.min(pauseSeconds * 2 ** escalation.roundsInVain, Math.max(longestPauseSeconds, pauseSeconds)) * 1000;
    const others = this.#pauses.get(targetOf(escalation)) ?? [];
    const together = others.filter((at) => at > now + pause / 2 && at < now + pause);
    const pausedUntil = together.length > 0 ? Math.max(...together) : now + pause;
    // Compared so that it is looked at again then.
    this.#time.hasPassed(pausedUntil);
    return { ...escalation, pausedUntil, roundsInVain: escalation.roundsInVain + 1 };
  }
}

/** Whether its pause ends with a round, also where the priority does not repeat: the alarm came again since. */
function awaitsRound({ pausedUntil, roundsInVain }: Escalation): boolean {
  return pausedUntil !== undefined && roundsInVain === 0;
}

/** Says, once in a round, that nobody took the alarm. */
function inVain(escalation: Escalation): Escalation {
  const { round, trouble } = escalation;
  if (trouble?.kind === 'in-vain' && trouble.round === round) return escalation;
  const reason: Reason = { code: 'called-in-vain', round };
  return { ...escalation, trouble: { kind: 'in-vain', groupId: undefined, round, reason }, reason };
}

/** What the last resort waits for: the next round of the group. */
const everybodyHeard = { code: 'everybody-heard-in-group' } as const;

function waiting(escalation: Escalation): Escalation {
  if (escalation.reason?.code === everybodyHeard.code) return escalation;
  return { ...escalation, trouble: undefined, pausedUntil: undefined, reason: everybodyHeard };
}

function beginningOf({ target }: Escalation): Reason {
  return { code: target.kind === 'last-resort' ? 'last-resort' : 'raised' };
}

function alone(escalation: Escalation): Omit<Placed, 'alike' | 'place'> {
  return { escalation, parts: [], isAtEnd: false };
}

function targetOf({ target }: Pick<Escalation, 'target'>): string {
  return `${target.kind} ${target.id}`;
}
