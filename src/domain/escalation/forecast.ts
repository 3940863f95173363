// Forecasts who would be called, when, by what number and why if nobody answered: the decisions of the engine, one after another,
// on a world that goes on as it is now. Pure.

import { isSpoken } from '../calls/delivery.ts';
import { dayOf } from '../channels/toll-limits.ts';
import { triesAt } from './alike.ts';
import { applyDecision, type Stored } from './apply.ts';
import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import type { Attempt, Cause, Escalation, LevelKey, NewAttempt } from './escalation.ts';
import type { Reason } from './reason.ts';
import { DecisionTime, type World } from './world.ts';

/** What happens next in the life of a cause. */
export type ForecastStep = { readonly at: number; readonly causeId: number; readonly escalationId: number } & (
  | { readonly what: 'attempt'; readonly attempt: NewAttempt }
  | { readonly what: 'round' | 'exhausted' | 'nobody' | 'done'; readonly reason: Reason | undefined }
  | { readonly what: 'level'; readonly level: LevelKey; readonly reason: Reason }
  | { readonly what: 'held'; readonly level: LevelKey; readonly userId: number; readonly reason: Reason }
);

export type ForecastLimits = {
  /** Only the steps of these causes are kept; undefined: all. */
  readonly causeIds?: ReadonlySet<number>;
  readonly steps: number;
  /** Whether the time for computing is used up. */
  readonly isTimeUp: () => boolean;
};

export type Forecast = {
  readonly steps: readonly ForecastStep[];
  /** The instant up to which it is complete, if a limit ended it. */
  readonly stoppedAt: number | undefined;
};

/** From so many attempts on, those that nothing depends on any more are left out: a week takes as long as seven days. */
const mostAttempts = 100;
/** Longer than rests, gathering and pauses; limits of the day look back for a day. */
const rememberedMs = 3_600_000;
const dayMs = 26 * 3_600_000;

/** A phone that nobody picks up rings this long. */
const ringMs = 30_000;

/** `from` and `until` are in engine time; `civilOffset` is the difference of civil time to it. */
export function forecast(
  world: World,
  causes: readonly Cause[],
  stored: Stored,
  { from, until, civilOffset }: { readonly from: number; readonly until: number; readonly civilOffset: number },
  limits: ForecastLimits,
): Forecast {
  const steps: ForecastStep[] = [];
  const held = new Set<string>();
  let present: Stored = stored;
  let lastId = Math.max(0, ...stored.escalations.map(({ id }) => id), ...stored.attempts.map(({ id }) => id));
  const newId = (): number => ++lastId;
  const lastMade = lastId;
  for (let now = from; now < until; ) {
    if (steps.length >= limits.steps || limits.isTimeUp()) return { steps, stoppedAt: now };
    present = { ...present, attempts: present.attempts.map((attempt) => withAssumedEnd(attempt, now, world)) };
    const time = new DecisionTime(now, now + civilOffset);
    const foreseen = present.attempts.filter(({ id }) => id > lastMade);
    const then = withDeliveries(worldNow(world, present), foreseen, time);
    const decision = decide(then, causes, present.escalations, present.attempts, time);
    const found = [...stepsOf(decision, present.escalations, now), ...heldBack(decision, held, now)];
    steps.push(...found.filter((step) => isAbout(step, limits.causeIds)));
    present = withoutForgotten(applyDecision(present, decision, now, newId), world, now, lastMade);
    if (isEmpty(decision))
      now = Math.min(decision.lookAgainAt ?? until, ...present.attempts.flatMap((one) => endOf(one, now)));
  }
  return { steps, stoppedAt: undefined };
}

/**
 * Without the foreseen attempts that are older than what caps, rests and limits look back to, and than the present rounds: but
 * for notices, which are sent once, and the first call to each person, after which priority 1 has no exemption left.
 */
function withoutForgotten(stored: Stored, { policy, tolls }: World, now: number, lastMade: number): Stored {
  const { escalations, attempts } = stored;
  if (attempts.length < mostAttempts) return stored;
  const since = now - Math.max(tolls === undefined ? rememberedMs : dayMs, policy.cap?.windowMs ?? 0);
  const rounds = new Map<number, number>();
  for (const { causeId, roundSince, state } of escalations)
    if (state !== 'done') rounds.set(causeId, Math.min(roundSince, rounds.get(causeId) ?? roundSince));
  const called = new Set<string>();
  const kept = attempts.filter(({ id, kind, userId, begunAt, tries }) => {
    const names = tries.map(({ causeId }) => `${causeId} ${userId}`);
    const isFirst = kind === 'call' && names.some((name) => !called.has(name));
    if (kind === 'call') for (const name of names) called.add(name);
    if (isFirst || kind === 'notice' || id <= lastMade || begunAt >= since) return true;
    return tries.some(({ causeId }) => begunAt >= (rounds.get(causeId) ?? Number.POSITIVE_INFINITY));
  });
  return { escalations, attempts: kept, turns: stored.turns };
}

/** Telephones ring out; texts arrive, and who has picked up has heard nothing yet. */
function withAssumedEnd(attempt: Attempt, now: number, { snapshot }: World): Attempt {
  const [at] = attempt.end === undefined ? endOf(attempt, now - 1) : [];
  if (at === undefined || at > now) return attempt;
  const isRung = isSpoken(attempt.channel) && attempt.announced === undefined;
  const outcome = isRung ? 'failed' : 'reached';
  const end = { at, outcome, isFinal: false, counts: true, notBefore: undefined } as const;
  const number = snapshot.people.get(attempt.userId)?.numbers.find(({ id }) => id === attempt.numberId);
  const hasHeard = outcome === 'reached' && attempt.kind === 'call' && number?.acksWhenReached === true;
  const heard = hasHeard ? attempt.tries.map(({ causeId }) => ({ causeId, answer: 'heard' as const, at })) : [];
  return { ...attempt, hasLeft: true, end, answers: [...attempt.answers, ...heard] };
}

function endOf({ end, channel, announced, begunAt }: Attempt, now: number): readonly number[] {
  if (end !== undefined) return [];
  const at = isSpoken(channel) && announced === undefined ? begunAt + ringMs : begunAt;
  return [Math.max(at, now + 1)];
}

/** Attempts under way use lines of their providers. */
function worldNow(world: World, { attempts, turns }: Stored): World {
  const inUse = Map.groupBy(
    attempts.filter(({ end }) => end === undefined),
    ({ providerId }) => providerId ?? 0,
  );
  const uses = new Map(
    [...world.providers.uses].map(([id, use]) => [id, { ...use, inUse: inUse.get(id)?.length ?? 0 }]),
  );
  return { ...world, turns, providers: { ...world.providers, uses } };
}

/** What is foreseen counts towards the limits of the day like what was made; each day begins anew. */
function withDeliveries(world: World, foreseen: readonly Attempt[], { engine, civil }: DecisionTime): World {
  const { tolls } = world;
  if (tolls === undefined) return world;
  const day = dayOf(civil, tolls.rules.timeZone);
  const isOver = tolls.use.dayEnd <= civil;
  const today = foreseen.filter(({ begunAt }) => civil - (engine - begunAt) >= day.begin);
  const before = isOver ? [] : tolls.use.deliveries;
  const uses = [...world.providers.uses].map(([id, use]) => {
    const added = today.filter(({ providerId }) => providerId === id).length;
    return [id, { ...use, today: (isOver ? 0 : use.today) + added }] as const;
  });
  const use = {
    dayEnd: isOver ? day.end : tolls.use.dayEnd,
    deliveries: [...before, ...today.map((one) => ({ ...one, count: 1 }))],
  };
  return { ...world, tolls: { ...tolls, use }, providers: { ...world.providers, uses: new Map(uses) } };
}

function isEmpty({ changed, opened, begin, cancel }: Decision): boolean {
  return changed.length + opened.length + begin.length + cancel.length === 0;
}

function stepsOf({ changed, begin }: Decision, before: readonly Escalation[], at: number): readonly ForecastStep[] {
  const known = new Map(before.map((escalation) => [escalation.id, escalation]));
  const ofEscalations = changed.flatMap((after) => changesOf(known.get(after.id), after, at));
  const attempts = begin.flatMap((attempt) => {
    const [first] = attempt.tries;
    return first === undefined ? [] : [{ at, ...pick(first), what: 'attempt', attempt } as const];
  });
  return [...ofEscalations, ...attempts];
}

/** Who is held back by a limit of the day from now on: once for each cause and limit. */
function heldBack({ parts }: Decision, known: Set<string>, at: number): readonly ForecastStep[] {
  return parts.flatMap(({ of: { userId }, part, alike, place, level }) => {
    if (part.state !== 'out-of-reach' || part.reason.code !== 'toll') return [];
    const { reason } = part;
    return triesAt(alike, place, level).flatMap((one) => {
      const name = `${userId} ${one.escalationId} ${JSON.stringify(reason)}`;
      if (known.has(name)) return [];
      known.add(name);
      return [{ at, ...pick(one), what: 'held', level, userId, reason } as const];
    });
  });
}

function isAbout(step: ForecastStep, causeIds: ForecastLimits['causeIds']): boolean {
  if (causeIds === undefined) return true;
  const about = step.what === 'attempt' ? step.attempt.tries : [step];
  return about.some(({ causeId }) => causeIds.has(causeId));
}

function pick({ causeId, escalationId }: { readonly causeId: number; readonly escalationId: number }) {
  return { causeId, escalationId };
}

function changesOf(before: Escalation | undefined, after: Escalation, at: number): readonly ForecastStep[] {
  const about = { at, causeId: after.causeId, escalationId: after.id };
  const isNewRound = after.round !== before?.round;
  const known = new Set(isNewRound ? [] : before.entered.map(({ key }) => key));
  const entered = after.entered.filter(({ key }) => !known.has(key));
  const steps: ForecastStep[] = isNewRound
    ? [{ ...about, what: 'round', reason: after.entered[0]?.reason ?? after.reason }]
    : [];
  for (const { key, reason } of entered) steps.push({ ...about, what: 'level', level: key, reason });
  const isNobody = after.trouble !== undefined && after.trouble.kind !== 'in-vain' && after.trouble !== before?.trouble;
  if (isNobody) steps.push({ ...about, what: 'nobody', reason: after.trouble.reason });
  if (after.trouble?.kind === 'in-vain' && after.trouble.round !== troubleRound(before))
    steps.push({ ...about, what: 'exhausted', reason: after.trouble.reason });
  if (after.state === 'done' && before?.state !== 'done') steps.push({ ...about, what: 'done', reason: after.reason });
  return steps;
}

function troubleRound(escalation: Escalation | undefined): number | undefined {
  return escalation?.trouble?.kind === 'in-vain' ? escalation.trouble.round : undefined;
}
