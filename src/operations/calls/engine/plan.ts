// What a decision of the engine comes to as rows: decided on a snapshot outside of the write, and carried out where nothing it
// was decided on has changed. Pure.

import type { CallOutcome } from '../../../domain/calls/delivery.ts';
import { triesAt } from '../../../domain/escalation/alike.ts';
import type { Decision } from '../../../domain/escalation/decision.ts';
import {
  type Escalation,
  groupOf,
  type LevelKey,
  type NewAttempt,
  type TryFor,
} from '../../../domain/escalation/escalation.ts';
import type { Reason } from '../../../domain/escalation/reason.ts';
import { reasonIn } from '../../../domain/escalation/words/catalogue.ts';
import { defaultStationId } from '../../../domain/plant/entities.ts';
import { searchableText } from '../../../domain/search.ts';
import type { Instant } from '../../../store/store.ts';
import { type HeldBack, heldBackName, isHeldBack } from './held-back.ts';
import type { Calling, Unreadable } from './read-calling.ts';
import { storedTries } from './rows/attempt-rows.ts';
import { earlierOf } from './rows/earlier-attempts.ts';
import type { Step } from './steps.ts';
import { type Shown, type TroubleChanges, troublesOf } from './troubles.ts';

export type PlannedEscalation = {
  readonly escalation: Escalation;
  readonly version: number;
  /** When a new round begins: the attempts that are still read after it. */
  readonly earlier: string | undefined;
};

export type PlannedAttempt = {
  readonly tries: readonly TryFor[];
  /** The columns that follow from the decision alone. */
  readonly columns: ReturnType<typeof columnsOf>;
};

/** A person of a level that was entered, who has no number that can be called now. */
export type NotCalled = PlannedAttempt & { readonly outcome: CallOutcome };

export type Plan = {
  readonly now: Instant;
  readonly changed: readonly PlannedEscalation[];
  readonly opened: readonly { readonly causeId: number; readonly dueAt: Instant }[];
  readonly begin: readonly PlannedAttempt[];
  readonly notCalled: readonly NotCalled[];
  readonly cancel: readonly { readonly attemptId: number; readonly reason: Reason }[];
  readonly turns: readonly (readonly [groupId: number, userId: number])[];
  readonly steps: readonly Step[];
  readonly troubles: TroubleChanges;
  /** The versions of the attempts of those who are called now: `[attemptId, version]`. */
  readonly seen: readonly (readonly [attemptId: number, version: number])[];
};

/** `plan` is undefined if there is nothing to be done. */
export type Decided = {
  readonly plan: Plan | undefined;
  readonly lookAgainAt: Instant | undefined;
  readonly unreadable: Unreadable;
  /** Whether something is done that no change and no instant had announced. */
  readonly isLate: boolean;
  /** Why everything was decided on, instead of what has changed. */
  readonly fault?: string;
};

export function isEmpty({ changed, opened, begin, notCalled, cancel, turns, troubles }: Plan): boolean {
  const decided = changed.length + opened.length + begin.length + notCalled.length + cancel.length + turns.length;
  return decided + troubles.raise.length + troubles.end.length === 0;
}

export function planOf(
  calling: Calling,
  decision: Decision,
  now: Instant,
  known: { readonly raised: Parameters<typeof troublesOf>[3]; readonly heldBack: HeldBack; readonly shown: Shown },
): Plan {
  const { attemptRows, time, attempts } = calling;
  const before = new Map(calling.escalations.map((escalation) => [escalation.id, escalation]));
  const after = new Map([...before, ...decision.changed.map((escalation) => [escalation.id, escalation] as const)]);
  const called = new Set(decision.begin.map(({ userId }) => userId));
  const own = attempts.filter(({ userId }) => called.has(userId));
  return {
    now,
    changed: plannedEscalations(calling, decision, before),
    opened: decision.opened.map(({ causeId, dueAt }) => ({ causeId, dueAt: time.toClock(dueAt) })),
    begin: decision.begin.map((attempt) => ({
      tries: attempt.tries,
      columns: columnsOf(attempt, calling, callsBefore(attempt, own, after) + 1, now),
    })),
    notCalled: notCalledOf(calling, decision, { before, heldBack: known.heldBack }, now),
    // A telephone whose call is being stopped is under way until it has ended.
    cancel: decision.cancel.filter(({ attemptId }) => attemptRows.get(attemptId)?.cancel_reason === null),
    turns: [...decision.turns],
    steps: stepsOf(decision.changed, before),
    troubles: troublesOf(calling, known.shown, decision.changed, known.raised),
    seen: own.map(({ id }) => [id, attemptRows.get(id)?.version ?? 0] as const),
  };
}

function plannedEscalations(
  { escalationRows, attempts }: Calling,
  { changed }: Decision,
  before: ReadonlyMap<number, Escalation>,
): readonly PlannedEscalation[] {
  const isNewRound = ({ id, round }: Escalation): boolean => round > (before.get(id)?.round ?? 0) && round > 1;
  const ofNewRounds = new Set(changed.filter(isNewRound).map(({ causeId }) => causeId));
  const earlier = earlierOf(ofNewRounds, attempts);
  return changed.map((escalation) => ({
    escalation,
    version: escalationRows.get(escalation.id)?.version ?? 0,
    earlier: isNewRound(escalation) ? JSON.stringify(earlier.get(escalation.causeId) ?? []) : undefined,
  }));
}

/** The calls to the person for the first of the escalations, in its present round. */
function callsBefore(
  { tries, kind, userId }: NewAttempt,
  attempts: Calling['attempts'],
  escalations: ReadonlyMap<number, Escalation>,
): number {
  const [first] = tries;
  const since = escalations.get(first?.escalationId ?? 0)?.roundSince ?? 0;
  const isSame = (one: Calling['attempts'][number]): boolean =>
    one.userId === userId && one.kind === kind && one.tries.some(({ causeId }) => causeId === first?.causeId);
  return attempts.filter((one) => one.begunAt >= since && isSame(one)).length;
}

type Called = Pick<NewAttempt, 'kind' | 'userId' | 'tries' | 'isUrgent' | 'isExempt' | 'reason'> &
  Partial<Pick<NewAttempt, 'numberId' | 'channel' | 'address' | 'providerId'>>;

function columnsOf(attempt: Called, { escalationRows, world }: Calling, nth: number, now: Instant) {
  const { kind, userId, numberId, channel = '', address = '', providerId, tries, reason } = attempt;
  const rows = tries.flatMap(({ escalationId, level }) => {
    const row = escalationRows.get(escalationId);
    return row === undefined ? [] : [{ row, level }];
  });
  const [first] = rows.toSorted((one, other) => one.row.priority - other.row.priority);
  const name = world.snapshot.people.get(userId)?.name ?? '';
  const groupId = groupOf(first?.level);
  return {
    kind,
    user_id: userId,
    user_name: name,
    group_id: groupId ?? null,
    station_id: world.snapshot.groups.get(groupId ?? 0)?.stationId ?? first?.row.station_id ?? defaultStationId,
    cause: first?.row.kind ?? 'alarm',
    alarm_id: first?.row.alarm_id ?? null,
    priority: first?.row.priority ?? 0,
    number_id: numberId ?? null,
    channel,
    address,
    attempt: nth,
    reply_code: '',
    provider_id: providerId ?? null,
    created_at: now,
    tries: storedTries(tries),
    is_urgent: attempt.isUrgent ? (1 as const) : (0 as const),
    is_exempt: attempt.isExempt ? (1 as const) : (0 as const),
    reason: JSON.stringify(reason),
    detail: '',
    words: searchableText(name, reasonIn('en', reason)),
    address_words: searchableText(address),
  };
}

function outcomeOf({ code }: Reason): CallOutcome {
  if (code === 'toll' || code === 'throttled') return 'limited';
  return code === 'channel-down' || code === 'channel-not-set-up' ? 'providerDown' : 'undeliverable';
}

/**
 * Who is in a level that was entered now, and has no number that can be called now; and who is held back by a limit, or passed over
 * because of the cap, from now on.
 */
export function notCalledOf(
  calling: Calling,
  decision: Pick<Decision, 'changed' | 'parts'>,
  { before, heldBack }: { readonly before: ReadonlyMap<number, Escalation>; readonly heldBack: HeldBack },
  now: Instant,
): readonly NotCalled[] {
  const entered = new Map(
    decision.changed.map(({ id, entered, round }) => {
      const known = before.get(id);
      const isKnown = (key: LevelKey): boolean =>
        known?.round === round && known.entered.some((level) => level.key === key);
      return [id, new Set(entered.filter(({ key }) => !isKnown(key)).map(({ key }) => key))] as const;
    }),
  );
  const isNew = ({ escalationId, level }: TryFor): boolean => entered.get(escalationId)?.has(level) ?? false;
  return decision.parts.flatMap((placed) => {
    const { part, of, alike, place, level } = placed;
    const isUncalled = part.state === 'out-of-reach' || part.state === 'failed' || isHeldBack(placed);
    const { reason: why } = part;
    if (!isUncalled || why === undefined || why.code === 'not-reached') return [];
    const isUnsaid = (one: TryFor): boolean => !heldBack.has(heldBackName(of.userId, one, why));
    const tries = triesAt(alike, place, level).filter(isHeldBack(placed) ? isUnsaid : isNew);
    if (tries.length === 0) return [];
    const attempt = { kind: 'call', userId: of.userId, tries, isUrgent: false, isExempt: false } as const;
    // What is recorded has the time of the clock; a limit of the day ends by it.
    const reason = why.code === 'throttled' ? { ...why, until: calling.time.toClock(why.until) } : why;
    return [{ tries, outcome: outcomeOf(reason), columns: columnsOf({ ...attempt, reason }, calling, 0, now) }];
  });
}

export function stepsOf(changed: readonly Escalation[], before: ReadonlyMap<number, Escalation>): readonly Step[] {
  const steps = new Map<string, Step & { escalationIds: number[] }>();
  const add = (id: number, step: Omit<Step, 'escalationIds'>): void => {
    const key = `${step.kind} ${step.round} ${step.level} ${JSON.stringify(step.reason)}`;
    const known = steps.get(key);
    if (known === undefined) steps.set(key, { ...step, escalationIds: [id] });
    else known.escalationIds.push(id);
  };
  for (const after of changed) for (const step of stepsBetween(before.get(after.id), after)) add(after.id, step);
  return [...steps.values()];
}

function stepsBetween(before: Escalation | undefined, after: Escalation): readonly Omit<Step, 'escalationIds'>[] {
  const { round, entered, trouble, state, reason, target } = after;
  if (target.kind === 'number') return [];
  const isNewRound = round !== (before?.round ?? 0);
  const known = new Set(isNewRound ? [] : before?.entered.map(({ key }) => key));
  const levels = entered.filter(({ key }) => !known.has(key));
  const begun = isNewRound ? [{ kind: 'round', round, reason: entered[0]?.reason ?? reason ?? raised } as const] : [];
  const isNewTrouble = trouble !== undefined && JSON.stringify(trouble) !== JSON.stringify(before?.trouble);
  const kind = trouble?.kind === 'in-vain' ? 'exhausted' : 'waiting';
  const isDone = state === 'done' && before?.state !== 'done';
  return [
    ...begun,
    ...levels.map(({ key, reason }) => ({ kind: 'level', round, level: key, reason }) as const),
    ...(isNewTrouble ? [{ kind, round, reason: trouble.reason } as const] : []),
    ...(isDone ? [{ kind: 'done', round, reason: reason ?? raised } as const] : []),
  ];
}

const raised = { code: 'raised' } as const;
