// Applies a decision to what is stored: the state in which deciding again changes nothing. Pure.

import type { Decision } from './decision.ts';
import type { Attempt, Escalation, NewAttempt } from './escalation.ts';

export type Stored = {
  readonly escalations: readonly Escalation[];
  readonly attempts: readonly Attempt[];
  readonly turns: ReadonlyMap<number, number>;
};

/** Returns the ids of new rows, a different one with each call. */
export type NewId = () => number;

export function applyDecision(stored: Stored, decision: Decision, now: number, newId: NewId): Stored {
  const changed = new Map(decision.changed.map((escalation) => [escalation.id, escalation]));
  const cancelled = new Map(decision.cancel.map(({ attemptId }) => [attemptId, now]));
  return {
    escalations: [
      ...stored.escalations.map((escalation) => changed.get(escalation.id) ?? escalation),
      ...decision.opened.map((opened) => ({
        ...newEscalation(newId(), opened.causeId, opened.target),
        dueAt: opened.dueAt,
      })),
    ],
    attempts: [
      ...stored.attempts.map((attempt) => (cancelled.has(attempt.id) ? ended(attempt, now) : attempt)),
      ...decision.begin.map((attempt) => begunAttempt(attempt, newId(), now)),
    ],
    turns: new Map([...stored.turns, ...decision.turns]),
  };
}

export function newEscalation(id: number, causeId: number, target: Escalation['target']): Escalation {
  return {
    id,
    causeId,
    target,
    dueAt: 0,
    actedPriority: undefined,
    round: 0,
    roundSince: 0,
    entered: [],
    picked: [],
    pausedUntil: undefined,
    roundsInVain: 0,
    state: 'open',
    trouble: undefined,
    reason: undefined,
  };
}

export function begunAttempt({ reason: _, ...attempt }: NewAttempt, id: number, begunAt: number): Attempt {
  return {
    ...attempt,
    id,
    begunAt,
    isDue: false,
    announced: undefined,
    hasLeft: false,
    end: undefined,
    answers: [],
    tookAllAt: undefined,
  };
}

function ended(attempt: Attempt, at: number): Attempt {
  return { ...attempt, end: { at, outcome: 'cancelled', isFinal: false, counts: false, notBefore: undefined } };
}
